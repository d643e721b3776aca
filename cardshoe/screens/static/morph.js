// Makes one element like another, and touches nothing that is alike already: what did not change does not move.

const OURS = new Set(["id", "data-id", "data-may", "data-ripe", "disabled", "open", "aria-busy", "aria-pressed"]);
// What the page itself has put there, and the server does not know.

export function morph(old, wanted) {
  for (const { name } of [...old.attributes]) {
    if (!wanted.hasAttribute(name) && !OURS.has(name)) old.removeAttribute(name);
  }
  for (const { name, value } of wanted.attributes) {
    if (!OURS.has(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  const keyed = new Map([...old.children].filter((one) => one.dataset.key).map((one) => [one.dataset.key, one]));
  let at = old.firstChild;
  for (const next of [...wanted.childNodes]) {
    const key = next.dataset?.key;
    const same = key ? keyed.get(key) : alike(at, next) ? at : null;
    if (same) {
      if (same === at) at = at.nextSibling;
      else old.insertBefore(same, at);
      if (same.nodeType !== Node.ELEMENT_NODE) {
        if (same.data !== next.data) same.data = next.data;
      } else if (!("keep" in same.dataset)) {
        morph(same, next);
      }
    } else {
      const fresh = document.importNode(next, true);
      if (fresh.nodeType === Node.ELEMENT_NODE) fresh.classList.add("fresh");
      old.insertBefore(fresh, at);
    }
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

function alike(old, wanted) {
  return old && old.nodeName === wanted.nodeName && !old.dataset?.key;
}
