// What lies on the layout before the bets close: touched here, sent whole. The display keeps it over a reload of the page.

export function felt(main, keep) {
  let key = null;
  let state = null; // { seats: Set, wagers: Map "seat:bet:id" -> stake, or null where stakes are not told }
  let draft = null; // { key, seats, wagers }: what the display keeps
  let past = [];
  let chip = null;
  let bettor = 1;
  let taking = false;
  let correcting = false;

  const layout = () => main.querySelector("[data-betting]");
  const name = (one) => `${one.seat}:${one.bet}:${one.id ?? 1}`;

  function of(text) {
    const { seats, wagers } = JSON.parse(text);
    return { seats: new Set(seats), wagers: new Map(wagers.map((one) => [name(one), one.stake ?? null])) };
  }

  function text() {
    return JSON.stringify(put());
  }

  function put() {
    if (!state) return { seats: [], wagers: [] };
    const wagers = [...state.wagers].map(([at, stake]) => {
      const [seat, bet, id] = at.split(":");
      return { seat: Number(seat), bet, id: Number(id), ...(stake === null ? {} : { stake }) };
    });
    wagers.sort((a, b) => a.seat - b.seat || a.id - b.id);
    return { seats: [...state.seats].sort((a, b) => a - b), wagers };
  }

  function begin(felt) {
    if (felt.dataset.betting === key) return;
    key = felt.dataset.betting;
    state = of(draft?.key === key ? JSON.stringify(draft) : felt.dataset.start);
    past = [];
    bettor = 1;
    taking = false;
    correcting = false;
  }

  function change(make) {
    past.push(text());
    make();
    draft = { key, ...put() };
    keep(draft);
    paint();
  }

  function touched(one) {
    const felt = layout();
    if (!felt) return;
    begin(felt);
    const tracked = "tracked" in felt.dataset;
    const { tool, seat, bet } = one.dataset;
    if (one.dataset.chip) {
      chip = Number(one.dataset.chip);
      taking = false;
      paint();
    } else if (tool === "bettor") {
      bettor = bettor >= 4 ? 1 : bettor + 1;
      paint();
    } else if (tool === "take") {
      taking = !taking;
      paint();
    } else if (tool === "correct") {
      if (correcting) done();
      else correcting = true;
      paint();
    } else if (tool === "undo") {
      if (past.length) {
        state = of(past.pop());
        draft = { key, ...put() };
        keep(draft);
      }
      paint();
    } else if (tool === "clear") {
      change(() => { state = of(felt.dataset.start); });
    } else if (tool === "before" || tool === "full") {
      change(() => {
        const add = of(felt.dataset[tool]);
        for (const one of add.seats) state.seats.add(one);
        for (const [at, stake] of add.wagers) state.wagers.set(at, stake);
      });
    } else if (seat) {
      change(() => place(Number(seat), bet ?? "", felt, tracked));
    }
  }

  function place(seat, bet, felt, tracked) {
    if (!bet && !tracked) {
      // A seat alone: it plays, or it does not.
      if (state.seats.has(seat)) remove(seat);
      else state.seats.add(seat);
      return;
    }
    const wanted = bet || felt.dataset.usual;
    if (!wanted) return;
    const at = `${seat}:${wanted}:${bettor}`;
    if (taking || (!tracked && state.wagers.has(at))) {
      state.wagers.delete(at);
      if (tracked && ![...state.wagers.keys()].some((one) => one.startsWith(`${seat}:`))) leave(seat, felt);
    } else {
      state.seats.add(seat);
      state.wagers.set(at, tracked ? (state.wagers.get(at) ?? 0) + chip : null);
    }
  }

  function remove(seat) {
    leave(seat, layout());
    for (const at of [...state.wagers.keys()]) if (at.startsWith(`${seat}:`)) state.wagers.delete(at);
  }

  function leave(seat, felt) {
    // A seat with a wager that stays on the table stays as well.
    if (!of(felt.dataset.start).seats.has(seat)) state.seats.delete(seat);
  }

  // --- how it looks ----------------------------------------------------------------------------------------------------

  function paint() {
    const felt = layout();
    document.documentElement.toggleAttribute("data-betting-now", Boolean(felt));
    if (!felt) {
      key = null;
      return;
    }
    begin(felt);
    const tracked = "tracked" in felt.dataset;
    const chips = [...felt.querySelectorAll("[data-chip]")];
    if (tracked && chip === null && chips.length) chip = Number((chips[2] ?? chips[0]).dataset.chip);
    for (const one of chips) press(one, !taking && Number(one.dataset.chip) === chip);
    for (const one of felt.querySelectorAll('[data-tool="take"]')) press(one, taking);
    const other = chips.some((one) => Number(one.dataset.chip) === chip) || chip === null ? "" : amount(chip);
    for (const one of felt.querySelectorAll("[data-amount]")) {
      one.textContent = other;
      press(one.closest("button"), other !== "" && !taking);
    }
    for (const one of felt.querySelectorAll("[data-bettor]")) one.textContent = bettor;
    felt.toggleAttribute("data-open", correcting || !("correcting" in felt.dataset));
    for (const one of felt.querySelectorAll("[data-seat]")) {
      const seat = Number(one.dataset.seat);
      const here = one.querySelector(".put");
      if (!one.dataset.bet) {
        press(one, state.seats.has(seat));
        continue;
      }
      const bets = one.dataset.points ? JSON.parse(one.dataset.points) : [one.dataset.bet];
      write(here, bets, seat, tracked);
      one.toggleAttribute("data-filled", here.textContent !== "");
    }
  }

  function write(here, bets, seat, tracked) {
    const parts = [];
    for (const bet of bets) {
      const label = bets.length > 1 ? `${bet.split("_")[1]}` : "";
      for (const [at, stake] of state.wagers) {
        const [number, which, id] = at.split(":");
        if (Number(number) !== seat || which !== bet) continue;
        const who = id === "1" ? "" : `${id}·`;
        parts.push(who + [label, tracked ? amount(stake) : label ? "" : "●"].filter(Boolean).join(": "));
      }
    }
    const shown = parts.join(bets.length > 1 && !tracked ? " " : "\n");
    if (here.textContent !== shown) here.textContent = shown;
  }

  function press(one, is) {
    const now = is ? "true" : "false";
    if (one.getAttribute("aria-pressed") !== now) one.setAttribute("aria-pressed", now);
  }

  const digits = () => Number(layout()?.dataset.digits ?? main.dataset.digits ?? 2);

  // Whole numbers all the way: money is no fraction.
  function amount(units) {
    const many = digits();
    const text = String(units).padStart(many + 1, "0");
    const whole = text.slice(0, text.length - many).replace(/\B(?=(\d{3})+$)/g, ",");
    const rest = many ? text.slice(-many) : "";
    return /[1-9]/.test(rest) ? `${whole}.${rest}` : whole;
  }

  const has = (seat, bet) => Boolean(state?.wagers.has(`${seat}:${bet}:${bettor}`));
  const stands = (seat, bet) => {
    const stake = state?.wagers.get(`${seat}:${bet}:${bettor}`);
    return stake ? amount(stake) : "";
  };

  // Any amount in place of a chip.
  function choose(units) {
    chip = units;
    taking = false;
    paint();
  }

  // What was entered is said, or given up.
  function done() {
    draft = null;
    key = null;
    correcting = false;
  }

  // What the display kept: of another page, or of this one before it was loaded again.
  function resume(kept) {
    draft = kept;
    if (past.length === 0) key = null;
    paint();
  }

  return { paint, choose, resume, touched, done, put, digits, has, stands };
}
