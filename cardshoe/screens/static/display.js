// A page. The server renders: what arrives is the inside of <main>, or parts of it by their keys, and only what differs is
// touched.

import { keys } from "./keys.js";
import { morph } from "./morph.js";
import { listen } from "./stream.js";

const SILENCE_MS = 2000;
const LOOK_MS = 250;

const root = document.documentElement;
const main = document.getElementById("shown");
const cover = document.getElementById("cover");
const { permit, whose } = ["croupier", "pit"].some((one) => root.classList.contains(one)) ? (await import("./touch.js")).touch(root, main) : { permit() {}, whose() {} };
const around = keys(main);
let heard = performance.now();
let why = cover.hidden ? "" : "not heard of yet";
let reloading = false;
let whole = null;
let changed = null;

function hear(message) {
  if (message.kind === "shown" || message.kind === "changed") {
    if (!whole && !changed) setTimeout(show);
    if (message.kind === "shown") [whole, changed] = [message, null];
    else changed = { ...message, parts: { ...changed?.parts, ...message.parts } };
    return;
  }
  if (message.kind === "opened") {
    whose();
    return;
  }
  heard = performance.now();
  why = message.why_not;
  const clock = document.getElementById("clock");
  if (clock) clock.textContent = macau(message.at);
  for (const one of main.querySelectorAll("[data-since]")) {
    const s = Math.max(0, Math.round((Date.parse(message.at) - Date.parse(one.dataset.since)) / 1000));
    one.textContent = `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
  }
  look();
  if (message.build !== root.dataset.build) reload();
}

// Of states that wait only the newest is drawn: a screen that is slower than its table misses those in between.
function show() {
  const messages = [whole, changed].filter((one) => one && one.id !== main.dataset.id);
  [whole, changed] = [null, null];
  if (messages.length) {
    around(() => {
      messages.forEach(draw);
      permit();
    });
  }
}

function draw({ id, html, parts }) {
  if (html !== undefined) morph(main, parsed(html));
  for (const [key, part] of Object.entries(parts ?? {})) {
    morph(main.querySelector(`[data-key="${CSS.escape(key)}"]`), parsed(part).firstElementChild);
  }
  main.dataset.id = id;
}

function parsed(html) {
  return new DOMParser().parseFromString(`<main>${html}</main>`, "text/html").body.firstChild;
}

function look() {
  const covered = why !== "" || performance.now() - heard > SILENCE_MS;
  if (cover.hidden === covered) {
    cover.hidden = !covered;
    if (!covered) whose(); // a table that came back knows nobody
  }
  // Nothing is said to a table of which nobody knows how it stands.
  if (covered) for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
}

// A page of another build: only once the new server has a page to give, so that nobody sees a white one.
async function reload() {
  if (reloading) return;
  reloading = true;
  try {
    if ((await fetch(location.href, { cache: "no-store" })).ok) location.reload();
  } finally {
    setTimeout(() => { reloading = false; }, 5000);
  }
}

// Macau is eight hours before UTC the whole year.
function macau(at) {
  return new Date(Date.parse(at) + 8 * 3600 * 1000).toISOString().slice(11, 19);
}

const page = root.dataset.page;
if ("SharedWorker" in window) {
  const connect = () => {
    const worker = new SharedWorker(`/static/stream.js?${root.dataset.build}`, { type: "module", name: page });
    worker.port.onmessage = ({ data }) => hear(data);
    addEventListener("pagehide", () => worker.port.postMessage("bye"), { once: true });
  };
  connect();
  addEventListener("pageshow", (event) => event.persisted && connect());
} else {
  listen(page, hear);
}
permit();
setInterval(look, LOOK_MS);
