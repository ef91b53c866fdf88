// The dialogs: statistics, settings, a link to share. The calendar has its own module.

import { askedOf, gamesToChoose } from "./house.js";
import * as keep from "./keep.js";
import { spelledTime } from "./words.js";

const COPIED = 2000; // milliseconds that the button says so
const FIGURES = {
  started: "Started",
  won: "Won",
  streak: "Streak",
  longest: "Longest streak",
  fewest: "Fewest moves",
  fastest: "Best time",
};
const $ = (id) => document.getElementById(id);
const dark = matchMedia("(prefers-color-scheme: dark)");

/** Open a dialog, in place of one that is open. */
export function open(id) {
  close();
  $(id).showModal();
}

export function close() {
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
}

// Statistics.

function cell(kind, text, scope) {
  const made = document.createElement(kind);
  if (scope) made.scope = scope;
  made.textContent = text;
  return made;
}

function figureOf(results, figure) {
  const value = results[figure];
  if (value === null) return "-";
  return figure === "fastest" ? spelledTime(value) : value;
}

export function openStatistics() {
  const games = Object.entries(gamesToChoose()).filter(
    ([game]) => keep.results(game).started > 0 || game === keep.settings.game,
  );
  const results = games.map(([game]) => keep.results(game));
  $("figures-games").replaceChildren(cell("td", ""), ...games.map(([, name]) => cell("th", name, "col")));
  $("figures").replaceChildren(
    ...Object.entries(FIGURES).map(([figure, name]) => {
      const row = document.createElement("tr");
      row.append(cell("th", name, "row"), ...results.map((found) => cell("td", figureOf(found, figure))));
      return row;
    }),
  );
  open("statistics-dialog");
}

// A link to share.

function linkTo(table) {
  const { deal, dealer, date } = table;
  const query = new URLSearchParams({ ...askedOf(table), ...(date ? { date } : { deal, dealer }) });
  return `${location.origin}${location.pathname}?${query}`;
}

export function openShare(table) {
  $("link").value = linkTo(table);
  open("share-dialog");
  $("link").select();
}

async function copy() {
  $("link").select();
  try {
    await navigator.clipboard.writeText($("link").value);
    $("copy").textContent = "Copied";
  } catch {
    $("copy").textContent = "Copy it by hand"; // the browser does not let pages do it
  }
  setTimeout(() => ($("copy").textContent = "Copy"), COPIED);
}

// Settings.

function dress() {
  const { theme } = keep.settings;
  const system = dark.matches ? "dark" : "light";
  document.documentElement.dataset.theme = theme === "system" ? system : theme;
}

function forget(what, told) {
  what();
  $("forgotten").textContent = told;
}

export function openSettings() {
  $("forgotten").textContent = "";
  open("settings-dialog");
}

/** Put the settings to work; `onWatch()` hears when the outlook is switched on or off. */
export function bindDialogs(onWatch) {
  for (const [id, property] of [["theme", "value"], ["eyes", "value"], ["winnable", "checked"], ["watch", "checked"]]) {
    $(id)[property] = keep.settings[id];
    $(id).addEventListener("change", () => {
      keep.settings[id] = $(id)[property];
      keep.keepSettings();
    });
  }
  dress();
  $("theme").addEventListener("change", dress);
  dark.addEventListener("change", dress);
  $("watch").addEventListener("change", onWatch);
  $("forget-games").addEventListener("click", () => forget(keep.forgetGames, "Saved games are removed."));
  $("forget-results").addEventListener("click", () => forget(keep.forgetResults, "Results are removed."));
  $("copy").addEventListener("click", copy);
}
