// What is touched: who is signed in, what is asked before an input is whole, and how it is sent.
// Which inputs there are now the server says: each button holds its own.

import { asker } from "./asking.js";
import { api } from "./sending.js";
import { felt } from "./wagers.js";

const RIPE_MS = 250;
// A button that has just come, or moved, takes no touch: it was meant for what stood there before.

export function touch(root, main) {
  const session = { is: false, id: "", role: "", may: new Set(), csrf: "", idle_s: null };
  const ask = asker();
  const told = new BroadcastChannel("cardshoe-session");
  const wagers = felt(main, keep);
  const places = new WeakMap(); // button -> its place, and the timer until it takes touches
  let busy = false;
  let idle = 0;
  let shownTo = null;

  // --- who is signed in ------------------------------------------------------------------------------------------------

  const call = api(() => session.csrf, (covered) => root.toggleAttribute("data-waits", covered));

  function hold(found) {
    session.is = Boolean(found);
    Object.assign(session, found ?? { id: "", role: "", csrf: "", idle_s: null });
    session.may = new Set(found?.may ?? []);
    root.dataset.signed = session.is ? "in" : "out";
    // A page of one role: whoever signs in next gets the page of theirs, or the entrance.
    if ("gated" in root.dataset && shownTo !== null && shownTo !== session.role) location.reload();
    if (session.is) shownTo = session.role;
    wait();
    permit();
  }

  function wait() {
    clearTimeout(idle);
    if (session.idle_s) idle = setTimeout(look, (session.idle_s + 0.5) * 1000);
  }

  async function look(tells = true) {
    const { status, body } = await call("GET", "/session");
    if (status === 404) {
      root.dataset.signed = "never";
      hold(null);
      root.dataset.signed = "never";
    } else if (status === 200 || status === 401) {
      const before = session.id;
      hold(status === 200 ? body : null);
      if (session.id && !before) await resume();
      if (tells && before && before !== session.id) told.postMessage("changed");
    }
  }

  // Of a shift: the next supervisor signs in over this one, the next croupier below.
  async function change(one) {
    if (one.dataset.shift !== "croupier") return signIn(one);
    const given = await ask.person("next", session, one);
    if (!given) return;
    const { status, body, again } = await call("POST", "/session", { ...given, screen: root.dataset.screen, relieves: true });
    if (status === 401) await look();
    if (status !== 201) {
      await ask.tell(code(status, body) === "not_permitted" ? "sign_in_refused" : code(status, body), body, again);
      return;
    }
    hold(body);
    told.postMessage("changed");
  }

  async function signIn(one) {
    const given = await ask.person(one ? "next" : "in", session, one);
    if (!given) return;
    if (given === "out") {
      await call("DELETE", "/session");
      await look(); // a croupier whose session this one suspended is signed in again
    } else {
      const { status, body, again } = await call("POST", "/session", { ...given, screen: root.dataset.screen });
      if (status !== 201) {
        await ask.tell(status === 403 ? "sign_in_refused" : code(status, body), body, again);
        return signIn(one);
      }
      hold(body);
      await resume();
    }
    told.postMessage("changed");
  }
  told.onmessage = () => look(false); // the page that tells it has told all others

  // --- what was entered and is not sent --------------------------------------------------------------------------------

  let unkept = null;
  let keeping = false;

  // One after the other, and of those that wait the newest.
  async function keep(draft) {
    unkept = draft;
    if (keeping) return;
    keeping = true;
    while (unkept) {
      const next = unkept;
      unkept = null;
      await call("PUT", "/draft", next);
    }
    keeping = false;
  }

  async function resume() {
    const { status, body } = await call("GET", "/draft");
    if (status === 200) wagers.resume(body);
  }

  // --- what may be touched ---------------------------------------------------------------------------------------------

  function permit() {
    for (const part of main.querySelectorAll("[data-who]")) write(part, session[part.dataset.who]);
    for (const part of main.querySelectorAll("[data-role]")) part.hidden = part.dataset.role !== session.role;
    for (const part of main.querySelectorAll("[data-roles]")) {
      if (part.dataset.roles.split(" ").includes(session.role)) part.href = part.dataset.href;
      else part.removeAttribute("href");
    }
    for (const one of document.querySelectorAll("[data-event]")) {
      const may = session.is && session.may.has(one.dataset.event);
      if (one.hasAttribute("data-may") !== may) one.toggleAttribute("data-may", may);
      if (one.classList.contains("way")) one.disabled = !may;
    }
    wagers.paint();
    for (const one of document.querySelectorAll("[data-event]")) {
      const { x, y } = one.getBoundingClientRect();
      const place = `${Math.round(x)} ${Math.round(y)}`;
      if (places.get(one)?.place !== place) ripen(one, place);
    }
  }

  // Nor does any button below a dialog that has just closed.
  document.addEventListener("close", () => {
    for (const one of document.querySelectorAll("[data-event]")) ripen(one, places.get(one)?.place);
  }, true);

  function ripen(one, place) {
    clearTimeout(places.get(one)?.timer);
    one.dataset.ripe = "no";
    places.set(one, { place, timer: setTimeout(() => { one.dataset.ripe = "yes"; }, RIPE_MS) });
  }

  function write(part, text) {
    if (part.textContent !== text) part.textContent = text;
  }

  main.addEventListener("click", (event) => {
    const one = event.target.closest("button");
    if (one?.id === "who") return void signIn();
    if (one?.dataset.shift) return void change(one);
    if (!one || busy || !one.hasAttribute("data-may") || one.dataset.ripe !== "yes") return;
    if (one.dataset.line) act(one);
    else if (one.dataset.points) ask.points(wagers, one).then(permit);
    else if (one.dataset.tool === "amount") ask.amount(wagers.digits(), one).then((units) => units && wagers.choose(units));
    else {
      wagers.touched(one);
      one.closest("details.more")?.removeAttribute("open");
    }
  });

  // "More" closes by a touch elsewhere, and by Escape.
  const fold = (but) => {
    for (const one of main.querySelectorAll("details.more[open]")) if (!but || !one.contains(but)) one.removeAttribute("open");
  };
  addEventListener("pointerdown", (event) => fold(event.target));
  addEventListener("keydown", (event) => {
    const open = event.key === "Escape" && !document.querySelector("dialog[open]") && main.querySelector("details.more[open]");
    if (!open) return;
    fold(null);
    open.querySelector("summary").focus();
  });

  // --- an input --------------------------------------------------------------------------------------------------------

  // What else is touched meanwhile is not heard, and the page says so.
  function occupy(is) {
    busy = is;
    root.toggleAttribute("data-busy", is);
  }

  async function act(one) {
    occupy(true);
    try {
      const { form, field, ask: needs } = one.dataset;
      const line = JSON.parse(one.dataset.line);
      const more = await fill(form, field, needs ? JSON.parse(needs) : {}, one);
      if (!more) return;
      Object.assign(line, more);
      one.closest("details.more")?.removeAttribute("open");
      const two = "two" in one.dataset;
      const done = form === "opening" ? await confirmed("/opening", one) : two ? await propose(line, one) : await said("/inputs", line);
      if (done) await shown(done);
      if (done && form === "wagers") wagers.done();
    } finally {
      occupy(false);
      permit();
    }
  }

  async function fill(form, field, needs, one) {
    switch (form) {
      case "wagers": {
        const put = wagers.put();
        if (!field) return put;
        const given = await ask.why(needs, one);
        return given && { ...put, [field]: given.reason };
      }
      case "card": return named(field, (await ask.cards(1, one))?.[0]);
      case "cards": return named(field, await ask.cards(needs.n, one));
      case "number": return named(field, await ask.number(needs.n, one));
      case "amount": return named(field, await ask.amount(wagers.digits(), one));
      case "reason": {
        const given = await ask.why(needs, one);
        return given && { [field]: given.reason, ...(given.words && { [needs.words]: given.words }) };
      }
      case "round": return ask.round(needs, one);
      case "sure": return ask.sure(one);
      default: return {};
    }
  }

  const named = (field, value) => (value === undefined || value === null ? null : { [field]: value });

  async function said(path, body) {
    const { status, body: answer, again } = await call("POST", path, body, crypto.randomUUID());
    if (status === 201) {
      wait();
      return answer;
    }
    if (status === 401) await look();
    await ask.tell(code(status, answer), answer, again);
    return null;
  }

  function code(status, problem) {
    if (problem?.refused) return problem.refused;
    return { 401: "not_permitted", 403: "not_permitted", 410: "gone", 429: "locked" }[status] ?? "silent";
  }

  async function propose(line, one) {
    const { status, body, again } = await call("POST", `/proposals${location.search}`, { input: line }, crypto.randomUUID());
    if (status !== 201) {
      if (status === 401) await look();
      await ask.tell(code(status, body), body, again);
      return null;
    }
    return confirmed(`/proposals/${encodeURIComponent(body.id)}/approve`, one, body.changes);
  }

  async function confirmed(path, one, changes = "") {
    for (let id = ""; ;) {
      const second = await ask.person("approve", session, one, id, changes);
      if (!second) return null;
      const answer = await call("POST", path, second, crypto.randomUUID());
      if (answer.status === 201) return answer.body;
      // A wrong PIN may be given again, with the same ID; what is over, or refused, is over.
      const why = code(answer.status, answer.body);
      id = why === "sign_in_refused" ? second.id : "";
      await ask.tell(why === "not_permitted" ? "wrong_role" : why, answer.body, answer.again);
      if (answer.status !== 403 && answer.status !== 429) return null;
    }
  }

  // Until the page shows what came of it, the next touch would be meant for what is gone.
  function shown(done) {
    const last = Math.max(0, ...(done.lines ?? []).map((line) => line.seq ?? 0));
    return new Promise((resolve) => {
      const end = performance.now() + 2000;
      const check = () => {
        const seq = Number((main.dataset.id ?? "").split(":")[1] ?? 0);
        if (seq >= last || performance.now() > end) resolve();
        else setTimeout(check, 20);
      };
      check();
    });
  }

  look();
  // The address of the sign-in opens its dialog, once, when the table is current.
  async function arrive() {
    await look();
    if (location.hash !== "#sign-in" || root.dataset.signed !== "out" || !document.getElementById("cover").hidden) return;
    history.replaceState(null, "", location.pathname + location.search);
    await signIn();
  }

  return { permit, whose: arrive };
}
