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
    const start = middle(from === document.body ? main : from);
    let best = null;
    let least = Infinity;
    for (const one of (document.querySelector("dialog[open]") ?? main).querySelectorAll("button, summary")) {
      if (one === from || one.disabled || !one.checkVisibility()) continue;
      const at = middle(one);
      const along = (at.x - start.x) * x + (at.y - start.y) * y;
      const aside = Math.abs((at.x - start.x) * y) + Math.abs((at.y - start.y) * x);
      // Up and down lead to the next row, also where its buttons lie far aside.
      const far = along + (y ? Math.min(3 * aside, ROW) : 3 * aside);
      if (along > 4 && far < least) [best, least] = [one, far];
    }
    return best;
  }

  function middle(one) {
    const box = one.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  // Around a change of the page: who had come to a button by keys stands at the next one afterwards.
  return function around(change) {
    const at = document.activeElement;
    const byKeys = at !== document.body && main.contains(at) && at.matches(":focus-visible");
    change();
    if (byKeys && !(at.isConnected && at.checkVisibility())) main.querySelector(NEXT)?.focus();
  };
}
