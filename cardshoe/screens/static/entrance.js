// Sign-in and sign-out on pages that the server renders whole.

import { api } from "./sending.js";

const enter = document.getElementById("enter");
const leave = document.getElementById("leave");
const call = api(() => leave?.dataset.csrf ?? "", (busy) => document.documentElement.toggleAttribute("data-waits", busy));

enter?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { id, pin } = Object.fromEntries(new FormData(enter));
  const { status, body } = await call("POST", "/session", { id: id.trim(), pin, screen: enter.dataset.screen });
  if (status === 201) {
    location.reload();
    return;
  }
  const codes = { locked: "locked", busy: "busy", not_checked: "not_checked", not_permitted: "sign_in_refused" };
  const code = status === 503 ? "silent" : codes[body?.refused] ?? "sign_in_refused";
  for (const one of document.querySelectorAll("#refused [data-refused]")) one.hidden = one.dataset.refused !== code;
  enter.elements.pin.value = "";
  enter.elements.pin.focus();
});

leave?.addEventListener("submit", async (event) => {
  event.preventDefault();
  await call("DELETE", "/session");
  location.reload();
});
