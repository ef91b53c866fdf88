// What the page says: sentences about tables, moves, hints and endings.

import { HIDDEN, nameOf } from "./cards.js";

export const NAMES = {
  scorpion: "Scorpion",
  wasp: "Wasp",
  "open-wasp": "Open Wasp",
  "scorpion-tail": "Scorpion Tail",
  "scorpion-ii": "Scorpion II",
  "pysol-wasp": "PySol Wasp",
};

const OUTLOOKS = {
  winnable: "can be won",
  lost: "cannot be won any more",
  undecided: "may or may not be won",
};

const NO_MOVE = "No move is left.";

export const counted = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;

export function spelledTime(seconds) {
  const whole = Math.round(seconds);
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

export function titleOf(table) {
  const board = table.date ? `board of ${table.date}` : `deal ${table.deal}`;
  return `${NAMES[table.game] ?? "House rules"}, ${board}`;
}

/** Whether the board can still be won, as far as that is known. */
export const outlookOf = (table) => OUTLOOKS[table.verdict] ?? "";

/** How the game stands where there is nothing more to hope for, else nothing. */
export function endingOf(table, moves, seconds) {
  if (table.is_won) return `Won in ${counted(moves, "move")}, ${spelledTime(seconds)}.`;
  if (table.is_stuck) return NO_MOVE;
  if (table.verdict === "lost") return "This board cannot be won any more, though moves are left.";
  return "";
}

function advice(move) {
  if (move === "deal") return "deal the stock";
  const [card, column] = move.split(">");
  return `move the ${nameOf(card)} to column ${column}`;
}

const asSentence = (words) => words[0].toUpperCase() + words.slice(1);

const percent = (share) => `${Math.round(100 * share)}%`;

/** A fair hint, and how often it keeps the win. */
export function fairHintOf({ move, share, samples, interval }) {
  if (!move) return NO_MOVE;
  const [low, high] = interval.map(percent);
  return `Try to ${advice(move)}: it keeps the win in ${percent(share)} of ${samples} samples (${low} to ${high}).`;
}

/** A hint, and how sure it is. */
export function hintOf(found) {
  if (!found.move) return NO_MOVE;
  const move = advice(found.move);
  if (found.verdict === "winnable") return `${asSentence(move)}: this still wins.`;
  if (found.verdict === "lost") return `This board is lost${found.reason ? `: ${found.reason.text}` : "."}`;
  return `Try to ${move}: this is a guess.`;
}

/** What a move changed, for those who listen: what was turned up or dealt, what left. */
export function newsOf(before, after) {
  const known = new Set([...before.columns.flat(), HIDDEN]);
  const shown = after.columns.flat().filter((card) => !known.has(card));
  const left = after.foundations.filter((king) => !before.foundations.includes(king));
  return [
    ...shown.map((card) => `${nameOf(card)} shows.`),
    ...left.map((king) => `The run of the ${nameOf(king)} is finished.`),
  ].join(" ");
}
