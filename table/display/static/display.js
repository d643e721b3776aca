// The pages' only script; the same file is the worker through which all tabs of a browser share one stream.
// The server renders: what arrives is the inside of <main>, and only what differs is touched.

const SILENCE_MS = 2000;
const LOOK_MS = 250;

// --- the stream: in the worker, or in the page where there are no shared workers ------------------------------------

function listen(page, tell) {
  let last = null;
  let source = null;
  const open = () => {
    source = new EventSource(`/pages/${page}/events`);
    source.addEventListener("shown", (event) => {
      last = { kind: "shown", ...JSON.parse(event.data) };
      tell(last);
    });
    source.addEventListener("pulse", (event) => tell({ kind: "pulse", ...JSON.parse(event.data) }));
    source.onerror = () => {
      // A server that answered with an error ends a stream for good; one that was away does not.
      if (source.readyState === EventSource.CLOSED) setTimeout(open, 1000);
    };
  };
  open();
  return () => last;
}

if ("SharedWorkerGlobalScope" in globalThis) {
  const ports = new Set();
  const newest = listen(self.name, (message) => ports.forEach((port) => port.postMessage(message)));
  self.onconnect = ({ ports: [port] }) => {
    ports.add(port);
    port.onmessage = ({ data }) => data === "bye" && ports.delete(port);
    if (newest()) port.postMessage(newest());
  };
} else {
  show();
}

// --- the page ----------------------------------------------------------------------------------------------------------

function show() {
  const root = document.documentElement;
  const main = document.getElementById("shown");
  const cover = document.getElementById("cover");
  const clock = document.getElementById("clock");
  let heard = performance.now();
  let why = cover.hidden ? "" : "not heard of yet";
  let reloading = false;

  const hear = (message) => {
    if (message.kind === "shown") {
      if (message.id !== main.dataset.id) {
        morph(main, new DOMParser().parseFromString(`<main>${message.html}</main>`, "text/html").body.firstChild);
        main.dataset.id = message.id;
      }
      return;
    }
    heard = performance.now();
    why = message.why_not;
    clock.textContent = macau(message.at);
    look();
    if (message.build !== root.dataset.build) reload();
  };

  const look = () => {
    const covered = why !== "" || performance.now() - heard > SILENCE_MS;
    if (cover.hidden === covered) cover.hidden = !covered;
  };

  // A page of another build: only once the new server has a page to give, so that nobody sees a white one.
  const reload = async () => {
    if (reloading) return;
    reloading = true;
    try {
      if ((await fetch(location.href, { cache: "no-store" })).ok) location.reload();
    } finally {
      setTimeout(() => { reloading = false; }, 5000);
    }
  };

  const page = root.dataset.page;
  if ("SharedWorker" in window) {
    const connect = () => {
      const worker = new SharedWorker(`/static/display.js?${root.dataset.build}`, { type: "module", name: page });
      worker.port.onmessage = ({ data }) => hear(data);
      addEventListener("pagehide", () => worker.port.postMessage("bye"), { once: true });
    };
    connect();
    addEventListener("pageshow", (event) => event.persisted && connect());
  } else {
    listen(page, hear);
  }
  setInterval(look, LOOK_MS);
}

// Macau is eight hours before UTC the whole year.
function macau(at) {
  return new Date(Date.parse(at) + 8 * 3600 * 1000).toISOString().slice(11, 19);
}

// Makes one element like another, and touches nothing that is alike already: what did not change does not move.
function morph(old, wanted) {
  for (const { name } of [...old.attributes]) {
    if (!wanted.hasAttribute(name) && name !== "id" && name !== "data-id") old.removeAttribute(name);
  }
  for (const { name, value } of wanted.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  const keyed = new Map([...old.children].filter((one) => one.dataset.key).map((one) => [one.dataset.key, one]));
  let at = old.firstChild;
  for (const next of [...wanted.childNodes]) {
    const key = next.dataset?.key;
    const same = key ? keyed.get(key) : alike(at, next) ? at : null;
    if (same) {
      if (same === at) at = at.nextSibling;
      else old.insertBefore(same, at);
      if (same.nodeType === Node.ELEMENT_NODE) morph(same, next);
      else if (same.data !== next.data) same.data = next.data;
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
