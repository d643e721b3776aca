// What a second person confirms, before the PIN: each card and wager as it is on the page, and as it will be.

export function preview(box, line, form, put) {
  const list = box.querySelector("[data-preview]");
  const word = (name) => [...box.querySelector(`[data-word="${name}"]`).childNodes].map((node) => node.cloneNode(true));
  const corner = (card) => document.querySelector(`#ask-cards [data-card="${card}"]`).firstElementChild.cloneNode(true);

  function entry(...parts) {
    const item = document.createElement("li");
    item.append(...parts.flat().filter(Boolean));
    return item;
  }

  // A card of the round: its number, place and face, then what becomes of it.
  function ofCard(one) {
    const at = document.querySelector(`#round-left [data-index="${one.index ?? one.after}"] button`);
    const old = at ? [...at.childNodes].filter((node) => !node.dataset?.becomesSays).map((node) => node.cloneNode(true)) : [];
    if ("after" in one) return entry(old, word("after"), corner(one.card));
    return entry(old, " → ", one.card ? corner(one.card) : word(one.to));
  }

  function ofWager(one) {
    const label = document.querySelector(`.band.${CSS.escape(one.bet)} .label`);
    const name = label ? [...label.childNodes].map((node) => node.cloneNode(true)) : [one.bet];
    const spot = document.querySelector(`[data-seat="${one.seat}"][data-label]`);
    return entry(`${spot?.dataset.label ?? one.seat}${one.id > 1 ? `·${one.id}` : ""} `, name, ` ${one.was || "–"} → ${one.is || "–"}`);
  }

  const items = [];
  if (form === "wagers") items.push(...put.map(ofWager));
  else if (form === "round") items.push(...(line.cards ?? []).map(ofCard));
  else if (line.card || line.cards) items.push(entry([line.card ?? line.cards].flat().map(corner)));
  else if (line.event === "void" || line.action === "void") items.push(entry(word("void")));
  list.replaceChildren(...items);
  list.hidden = !items.length;
}
