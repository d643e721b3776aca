// Requests to the interface. What was sent and not answered is sent again with its key: the table takes it once.

const AGAIN_MS = [200, 400, 800, 1600, 3000];

export function api(csrf, waits) {
  return async function call(method, path, body, key) {
    const headers = {};
    if (csrf()) headers["Cardshoe-Csrf"] = csrf();
    if (body !== undefined || method === "DELETE") headers["Content-Type"] = "application/json";
    if (key) headers["Idempotency-Key"] = key;
    const request = { method, headers, cache: "no-store", credentials: "same-origin" };
    if (body !== undefined) request.body = JSON.stringify(body);
    waits(true);
    try {
      for (let turn = 0; ; turn += 1) {
        const answer = await once(path, request);
        const may = key || method === "GET";
        if (answer.status !== 503 || !may || turn >= AGAIN_MS.length) return answer;
        await new Promise((resolve) => { setTimeout(resolve, AGAIN_MS[turn]); });
      }
    } finally {
      waits(false);
    }
  };
}

async function once(path, request) {
  try {
    const answer = await fetch(`/api/v1${path}`, request);
    const text = await answer.text();
    const again = Number(answer.headers.get("Retry-After") ?? 0);
    return { status: answer.status, body: text ? JSON.parse(text) : null, again };
  } catch {
    return { status: 503, body: null, again: 0 };
  }
}
