// Asks the service; whatever goes wrong comes back as one of two errors.

const PATIENCE = 20_000; // milliseconds
const TRIES_WHEN_BUSY = 4;

/** The service has answered that it will not: `kind` is its name for why. */
export class Refused extends Error {
  constructor(problem) {
    super(problem.message ?? "the service refused this");
    this.kind = problem.error ?? "Refused";
  }
}

/** No answer came; nothing has changed. */
export class Unreachable extends Error {}

async function ask(path, { signal, ...options } = {}) {
  for (let tries = 1; ; tries += 1) {
    let answer;
    let told;
    try {
      const until = AbortSignal.any([AbortSignal.timeout(PATIENCE), ...(signal ? [signal] : [])]);
      answer = await fetch(path, { cache: "no-store", ...options, signal: until });
      told = await answer.json();
    } catch {
      throw new Unreachable();
    }
    if (answer.ok) return told;
    if (answer.status !== 503 || tries === TRIES_WHEN_BUSY) throw new Refused(told);
    await new Promise((go) => setTimeout(go, 1000 * Number(answer.headers.get("Retry-After") ?? 1)));
  }
}

const post = (path, body, signal) =>
  ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });

const of = (table) => ({ position: { token: table.token } });

// Boards are asked for by a preset's name and what differs from its rules.
export const numbered = ({ game, ...house }, number, dealer) =>
  ask(`api/deals/${game}/${encodeURIComponent(number)}?${new URLSearchParams({ ...house, dealer })}`);
export const random = ({ game, ...house }, winnable) =>
  ask(`api/deals/${game}?${new URLSearchParams({ ...house, winnable })}`);
export const daily = ({ game, ...house }, day) =>
  ask(`api/daily/${game}/${encodeURIComponent(day)}?${new URLSearchParams(house)}`);
export const play = (table, moves) => post("api/play", { ...of(table), moves });
// Searches: the service ends one when its `signal` goes off.
export const hint = (table, signal) => post("api/hint", of(table), signal);
export const fairHint = (table, signal) => post("api/fair-hint", of(table), signal);
export const solve = (table, signal) => post("api/solve", of(table), signal);
