// What is asked before an input is whole: dialogs over the page, each answered by touch or by keys, or not at all.

export function asker() {
  const dialog = (name) => document.getElementById(`ask-${name}`);

  // Opens a dialog; what `answer` gives at "ok" is the answer, null one that was put away.
  function open(box, answer, title) {
    const head = box.querySelector("[data-title]");
    if (head) head.replaceChildren(...(title ? copies(title) : []));
    return new Promise((resolve) => {
      const stop = new AbortController();
      const end = (value) => {
        stop.abort();
        if (box.open) box.close();
        resolve(value);
      };
      const { signal } = stop;
      box.addEventListener("close", () => end(null), { signal });
      box.addEventListener("submit", (event) => {
        event.preventDefault();
        const value = answer(event.submitter);
        if (value !== undefined) end(value);
      }, { signal });
      box.addEventListener("click", (event) => {
        const one = event.target.closest("button");
        if (one?.dataset.do === "cancel") end(null);
        else if (one && box.touched) box.touched(one, end);
      }, { signal });
      box.showModal();
    });
  }

  function copies(one) {
    const label = one.querySelector(".says") ?? one;
    return [...label.childNodes].map((node) => node.cloneNode(true));
  }

  // --- ID and PIN ------------------------------------------------------------------------------------------------------

  function person(mode, session, one, known = "", changes = "") {
    const box = dialog("person");
    const list = box.querySelector("[data-preview]");
    list.innerHTML = changes; // made by the display's templates
    list.hidden = !changes;
    box.toggleAttribute("data-changes", Boolean(changes));
    const id = box.querySelector("[name=person]");
    const pin = box.querySelector("[name=pin]");
    let into = id;
    id.value = known;
    pin.value = "";
    for (const part of box.querySelectorAll("[data-mode]")) part.hidden = !part.dataset.mode.split(" ").includes(mode);
    for (const part of box.querySelectorAll("[data-signed]")) part.hidden = mode !== "in" || !session.is;
    for (const field of [id, pin]) field.onfocus = () => { into = field; };
    box.touched = (key, end) => {
      if (key.dataset.do === "out") end("out");
      else if (key.dataset.do === "letters") box.toggleAttribute("data-letters");
      else if (key.dataset.digit) into.value += key.dataset.digit;
      else if (key.dataset.do === "back") into.value = into.value.slice(0, -1);
      else return;
      if (key.dataset.do !== "letters") into.dispatchEvent(new Event("input"));
    };
    const answered = open(box, () => {
      if (!id.value || !pin.value) {
        (into = id.value ? pin : id).focus({ preventScroll: true });
        return undefined;
      }
      const given = { id: id.value.trim(), pin: pin.value };
      pin.value = "";
      return given;
    }, one);
    (known ? pin : id).focus({ preventScroll: true });
    return answered;
  }

  // --- cards -----------------------------------------------------------------------------------------------------------

  // `many` cards in their order; 0: as many as there are.
  function cards(many, one) {
    const box = dialog("cards");
    const list = box.querySelector("[data-chosen]");
    const chosen = [];
    const show = () => {
      list.replaceChildren(...chosen.map((card) => {
        const item = document.createElement("li");
        item.append(box.querySelector(`[data-card="${card}"]`).firstElementChild.cloneNode(true));
        return item;
      }));
      box.querySelector("[data-wanted]").textContent = many ? `${chosen.length} / ${many}` : `${chosen.length}`;
      box.querySelector("[type=submit]").disabled = many ? chosen.length !== many : !chosen.length;
    };
    box.touched = (key) => {
      if (key.dataset.card && (!many || chosen.length < many)) chosen.push(key.dataset.card);
      else if (key.dataset.card && many === 1) chosen[0] = key.dataset.card;
      else if (key.dataset.do === "back") chosen.pop();
      else return;
      show();
    };
    show();
    return open(box, () => [...chosen], one);
  }

  // --- numbers and amounts ---------------------------------------------------------------------------------------------

  function typed(usual, one, read) {
    const box = dialog("number");
    const field = box.querySelector("[name=number]");
    field.value = usual;
    let fresh = true;
    box.querySelector("[data-point]").hidden = !read.point;
    box.touched = (key) => {
      if (key.dataset.digit) {
        field.value = (fresh ? "" : field.value) + key.dataset.digit;
        fresh = false;
      } else if (key.dataset.do === "back") {
        field.value = field.value.slice(0, -1);
        fresh = false;
      }
    };
    const answered = open(box, () => read(field.value) ?? undefined, one);
    field.select();
    return answered;
  }

  function number(usual, one) {
    return typed(String(usual), one, (text) => (/^\d{1,6}$/.test(text) ? Number(text) : null));
  }

  function amount(digits, one) {
    const read = (text) => {
      const found = /^(\d{1,12})(?:\.(\d*))?$/.exec(text);
      if (!found || (found[2] ?? "").length > digits) return null;
      const units = Number(found[1] + (found[2] ?? "").padEnd(digits, "0"));
      return units > 0 ? units : null;
    };
    read.point = digits > 0;
    return typed("", one, read);
  }

  // --- why -------------------------------------------------------------------------------------------------------------

  // A reason, or words: where the reason "other" must be given in words.
  function why(needs, one) {
    const box = dialog("why");
    const field = box.querySelector("[name=words]");
    const asks = (words) => {
      for (const part of box.querySelectorAll("[data-words]")) part.hidden = !words;
      for (const part of box.querySelectorAll("[data-why]")) part.hidden = words || part.dataset.why !== needs.why;
    };
    field.value = "";
    asks(false);
    box.touched = (key, end) => {
      const reason = key.dataset.reason;
      if (reason === "other" && needs.words) {
        asks(true);
        field.focus({ preventScroll: true });
      } else if (reason) end({ reason });
    };
    return open(box, () => {
      const words = field.value.trim();
      return words ? { reason: "other", words } : undefined;
    }, one);
  }

  // --- whether the person is sure --------------------------------------------------------------------------------------

  function sure(one) {
    const box = dialog("sure");
    for (const part of box.querySelectorAll("[data-sure]")) part.hidden = part.dataset.sure !== one.dataset.event;
    box.touched = null;
    return open(box, () => ({}), one);
  }

  // --- the cards of the round ------------------------------------------------------------------------------------------

  // Which of them do not count, and why; or what they really are, which were never told, which never left.
  function round(needs, one) {
    const box = dialog("round");
    const list = box.querySelector("[data-left]");
    const left = document.getElementById("round-left");
    const entries = new Map(); // "3" or "after3" -> entry
    let ground = "";
    list.replaceChildren(...[...left.children].map((item) => item.cloneNode(true)));
    for (const part of box.querySelectorAll("[data-for]")) part.hidden = !(part.dataset.for in needs);
    const show = () => {
      for (const item of list.children) {
        const entry = entries.get(item.dataset.index);
        item.dataset.becomes = entry ? entry.card ?? entry.to : "";
        item.querySelector("[data-becomes-says]").textContent = entry ? entry.card ?? (entry.to === "burn" ? "×" : "∅") : "";
        item.querySelector("button")?.setAttribute("aria-pressed", entry ? "true" : "false");
      }
      box.querySelector("[data-added]").textContent =
        [...entries.values()].filter((entry) => "after" in entry).map((entry) => `${entry.after} + ${entry.card}`).join(", ");
      for (const part of box.querySelectorAll("[data-ground]")) {
        part.setAttribute("aria-pressed", part.dataset.ground === ground ? "true" : "false");
      }
      const struck = [...entries.values()].some((entry) => entry.to === "burn");
      box.querySelector("[type=submit]").disabled = needs.burn ? struck !== Boolean(ground) : !entries.size;
    };
    box.touched = async (key) => {
      const item = key.closest("[data-index]");
      const index = item && Number(item.dataset.index);
      if (key.dataset.ground) {
        ground = ground === key.dataset.ground ? "" : key.dataset.ground;
      } else if (item && needs.burn) {
        if (!entries.delete(String(index))) entries.set(String(index), { index, to: "burn" });
      } else if (item && entries.has(String(index))) {
        entries.delete(String(index));
      } else if (item) {
        box.dataset.at = index;
        for (const other of list.children) other.toggleAttribute("data-at", other === item);
        return;
      } else if (key.dataset.do === "name" || key.dataset.do === "after") {
        const at = Number(box.dataset.at ?? 0);
        const [card] = (await cards(1, key)) ?? [];
        if (card && key.dataset.do === "after") entries.set(`after${at}`, { after: at, card });
        else if (card && at) entries.set(String(at), { index: at, card });
      } else if (key.dataset.do === "none" && Number(box.dataset.at)) {
        const at = Number(box.dataset.at);
        entries.set(String(at), { index: at, to: "none" });
      } else {
        return;
      }
      show();
    };
    delete box.dataset.at;
    show();
    // A card that a device has read is named again on this ground alone (reading G18).
    const misread = () => [...entries.values()].some((entry) => "index" in entry && "card" in entry) && "misread";
    return open(box, () => {
      const why = ground || misread();
      return { cards: [...entries.values()], ...(why ? { ground: why } : {}) };
    }, one);
  }

  // --- points that bettors bet on ---------------------------------------------------------------------------------------

  function points(wagers, one) {
    const box = dialog("points");
    const paint = () => {
      for (const key of box.querySelectorAll("[data-bet]")) {
        const seat = Number(one.dataset.seat);
        key.setAttribute("aria-pressed", wagers.has(seat, key.dataset.bet) ? "true" : "false");
        key.querySelector(".put").textContent = wagers.stands(seat, key.dataset.bet);
      }
    };
    box.querySelector("[data-seat-says]").textContent = one.dataset.label;
    box.touched = (key) => {
      if (!key.dataset.bet) return;
      wagers.touched({ dataset: { seat: one.dataset.seat, bet: key.dataset.bet } });
      paint();
    };
    paint();
    return open(box, () => null);
  }

  // --- what came of it -------------------------------------------------------------------------------------------------

  function tell(code, problem, again) {
    const box = dialog("told");
    const says = [...box.querySelectorAll("[data-refused]")];
    const known = says.some((part) => part.dataset.refused === code) ? code : "silent";
    for (const part of says) part.hidden = part.dataset.refused !== known;
    article(box, problem?.article ?? "");
    detail(box.querySelector("[data-detail]"), problem, known === code);
    const wait = box.querySelector("[data-again]");
    wait.hidden = !again;
    wait.querySelectorAll("[data-seconds]").forEach((part) => { part.textContent = again; });
    box.touched = null;
    return open(box, () => null);
  }

  // A reading has its name in the languages of the page; "#" is the place of its number.
  function article(box, text) {
    const reading = box.querySelector("[data-reading]");
    const known = text.startsWith(reading.dataset.reading);
    reading.hidden = !known;
    for (const part of known ? reading.querySelectorAll("span") : []) {
      part.textContent = part.textContent.replace(part.dataset.was ?? "#", text.slice(reading.dataset.reading.length));
      part.dataset.was = text.slice(reading.dataset.reading.length);
    }
    box.querySelector("[data-article]").textContent = known ? "" : text;
  }

  // What the regulation says in the languages of the page; what programs are told only where nothing else is.
  function detail(into, problem, known) {
    const languages = document.documentElement.dataset.languages.split(" ");
    const said = problem?.said ? languages.map((one) => [one, problem.said[one]]) : known ? [] : [["en", problem?.detail ?? ""]];
    into.replaceChildren(...said.map(([language, text], number) => {
      const part = document.createElement("span");
      part.className = `l${number + 1}`;
      part.lang = text === problem.detail ? "en" : language;
      part.textContent = text;
      return part;
    }));
  }

  return { person, cards, number, amount, why, sure, round, points, tell };
}
