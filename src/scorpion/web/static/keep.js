// What the browser keeps: a game in progress for each game, results, settings.

const GAME = "scorpion.game.";
const RESULTS = "scorpion.results.";
const DAYS = "scorpion.days.";
const SETTINGS = "scorpion.settings";

const DEFAULTS = { game: "scorpion", house: null, winnable: true, theme: "system", eyes: "peek", watch: false };
const NO_RESULTS = { started: 0, won: 0, streak: 0, longest: 0, fewest: null, fastest: null };

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

let keeping = true;

/** Whether all that was to be kept so far is kept. */
export const keepsAll = () => keeping;

function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    keeping = false; // no room, or storage is switched off: play goes on without
  }
}

function removeAll(...beginnings) {
  try {
    for (const key of Object.keys(localStorage))
      if (beginnings.some((start) => key.startsWith(start))) localStorage.removeItem(key);
  } catch {
    // nothing is kept where storage is switched off
  }
}

export const settings = { ...DEFAULTS, ...read(SETTINGS) };
export const keepSettings = () => write(SETTINGS, settings);

export const savedGame = (game) => read(GAME + game);
export const saveGame = (game, record) => write(GAME + game, record);
export const forgetGames = () => removeAll(GAME);

export const results = (game) => ({ ...NO_RESULTS, ...read(RESULTS + game) });
export const daysWon = (game) => read(DAYS + game) ?? [];
export const forgetResults = () => removeAll(RESULTS, DAYS);

/** Count a board as begun. */
export function countStart(game) {
  const now = results(game);
  write(RESULTS + game, { ...now, started: now.started + 1 });
}

/** Count a board that was begun as given up: the streak ends. */
export function countLoss(game) {
  write(RESULTS + game, { ...results(game), streak: 0 });
}

/** Count a win in so many moves and seconds, on a daily board if there is a day. */
export function countWin(game, moves, seconds, day) {
  const now = results(game);
  const streak = now.streak + 1;
  write(RESULTS + game, {
    started: Math.max(now.started, now.won + 1), // results may have been removed since the start
    won: now.won + 1,
    streak,
    longest: Math.max(now.longest, streak),
    fewest: Math.min(now.fewest ?? moves, moves),
    fastest: Math.min(now.fastest ?? seconds, seconds),
  });
  if (day && !daysWon(game).includes(day)) write(DAYS + game, [...daysWon(game), day]);
}
