// Which rules a game is played by: a preset by its name, or house rules, each in a word.

import * as keep from "./keep.js";
import { NAMES } from "./words.js";

const FIELDS = ["build", "fill", "face_down", "runs", "stock"];
const $ = (id) => document.getElementById(id);

const wordsOf = (rules) => ({ ...rules, face_down: rules.face_down.join("") });

/** The game of a table as the service is asked for it. */
export function askedOf({ game, rules }) {
  return Object.hasOwn(NAMES, game) ? { game } : { game: "scorpion", ...wordsOf(rules) };
}

/** The game of that name as the service is asked for it; house rules are those played last. */
export function askedBy(name) {
  if (Object.hasOwn(NAMES, name)) return { game: name };
  return keep.settings.house?.asked ?? { game: "scorpion" };
}

/** The game that a link names, or null. */
export function askedIn(query) {
  if (!Object.hasOwn(NAMES, query.get("game") ?? "")) return null;
  return { game: query.get("game"), ...Object.fromEntries([...query].filter(([name]) => FIELDS.includes(name))) };
}

/** Remember by which rules a table is played, house rules so that they can be asked for again. */
export function remember(table) {
  keep.settings.game = table.game;
  if (!Object.hasOwn(NAMES, table.game)) keep.settings.house = { game: table.game, asked: askedOf(table) };
  keep.keepSettings();
}

/** The games to choose from by their names: the presets, and the house rules played last. */
export function gamesToChoose() {
  const { house } = keep.settings;
  return house ? { ...NAMES, [house.game]: "House rules" } : NAMES;
}

/** Show the rules of a table in the form. */
export function fillForm({ rules }) {
  for (const [field, word] of Object.entries(wordsOf(rules))) $("house-form").elements[field].value = word;
}

/** Call `onRules` with what the form asks for, once it is sent. */
export function bindForm(onRules) {
  $("house-form").addEventListener("submit", (event) => {
    event.preventDefault();
    onRules({ game: "scorpion", ...Object.fromEntries(new FormData($("house-form"))) });
  });
}
