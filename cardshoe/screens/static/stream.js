// The stream of a page, by its address. As a worker, this file listens once for all tabs of a
// browser. A page comes whole, with what has changed of it afterwards, by the keys of its parts.

export function listen(page, tell) {
  let whole = null;
  let changed = null;
  let source = null;
  const open = () => {
    source = new EventSource(page);
    source.addEventListener("shown", (event) => {
      whole = { kind: "shown", ...JSON.parse(event.data) };
      changed = null;
      tell(whole);
    });
    source.addEventListener("changed", (event) => {
      const now = { kind: "changed", ...JSON.parse(event.data) };
      changed = { ...now, parts: { ...changed?.parts, ...now.parts } };
      tell(now);
    });
    source.addEventListener("pulse", (event) => tell({ kind: "pulse", ...JSON.parse(event.data) }));
    // Another server, or the same again after a while, may know nobody who was signed in before.
    source.onopen = () => tell({ kind: "opened" });
    source.onerror = () => {
      // A server that answered with an error ends a stream for good; one that was away does not.
      if (source.readyState === EventSource.CLOSED) setTimeout(open, 1000);
    };
  };
  open();
  return () => [whole, changed].filter((one) => one);
}

if ("SharedWorkerGlobalScope" in globalThis) {
  const ports = new Set();
  const current = listen(self.name, (message) => ports.forEach((port) => port.postMessage(message)));
  self.onconnect = ({ ports: [port] }) => {
    ports.add(port);
    port.onmessage = ({ data }) => data === "bye" && ports.delete(port);
    for (const message of current()) port.postMessage(message);
  };
}
