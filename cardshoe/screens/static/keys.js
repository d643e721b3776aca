// The page by keys alone: Tab as everywhere, arrows to the next button in that direction, Enter. Focus is never lost.

const AIMS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const NEXT = ".acts .first[data-may], .way:not([disabled]), .pad52 .act[data-may], .betting[data-open] .place[data-may], .acts [data-may]";
// What an act leads to, where its own button is gone.
const ROW = 180;

export function keys(main) {
  addEventListener("keydown", (event) => {
    const aim = AIMS[event.key];
    if (!aim || event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input")) return;
    const found = nearest(document.activeElement, aim);
    if (!found) return;
    event.preventDefault();
    found.focus();
  });

  function nearest(from, [x, y]) {
    const start = (from === document.body ? main : from).getBoundingClientRect();
    let best = null;
    let least = Infinity;
    for (const one of (document.querySelector("dialog[open]") ?? main).querySelectorAll("button, summary")) {
      if (one === from || one.disabled || !one.checkVisibility({ visibilityProperty: true })) continue;
      const box = one.getBoundingClientRect();
      const across = { x: middle(box.x, box.width) - middle(start.x, start.width), y: middle(box.y, box.height) - middle(start.y, start.height) };
      const along = across.x * x + across.y * y;
      // A button that is over or beside this one, however wide, is not aside.
      const aside = y ? Math.max(0, box.left - start.right, start.left - box.right) : Math.max(0, box.top - start.bottom, start.top - box.bottom);
      // Up and down lead to the next row, also where its buttons lie far aside.
      const far = along + (y ? Math.min(3 * aside, ROW) : 3 * aside) + Math.abs(across.x * y + across.y * x) / 10;
      if (along > 4 && far < least) [best, least] = [one, far];
    }
    return best;
  }

  const middle = (from, size) => from + size / 2;

  // Around a change of the page: who had come to a button by keys stands at the next one afterwards.
  return function around(change) {
    const at = document.activeElement;
    const byKeys = at !== document.body && main.contains(at) && at.matches(":focus-visible");
    change();
    if (byKeys && !(at.isConnected && at.checkVisibility())) main.querySelector(NEXT)?.focus();
  };
}
