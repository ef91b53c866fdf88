// Ties the parts of the page together: buttons, keys, dialogs, and what is said.

import { Calendar } from "./calendar.js";
import { drawn, nameOf } from "./cards.js";
import { Game } from "./game.js";
import * as keep from "./keep.js";
import * as service from "./service.js";
import { TableView } from "./table.js";

const REPLAY = 700; // milliseconds a move
const NAMES = {
  scorpion: "Scorpion",
  wasp: "Wasp",
  "open-wasp": "Open Wasp",
  "scorpion-tail": "Scorpion Tail",
};
const $ = (id) => document.getElementById(id);

let game = null;
let busy = false;
let replay = null; // the step on show and its timer, while a finished game is replayed
const view = new TableView((move) => act(() => game.play(move)));
const calendar = new Calendar((day) => {
  $("daily-dialog").close();
  begin(() => service.daily(keep.settings.game, day));
});

// What is said.

function say(text) {
  $("message").textContent = text;
}

function complaint(error) {
  if (error instanceof service.Unreachable)
    return "The service cannot be reached. Nothing is lost: try again.";
  if (error instanceof service.Refused) return error.message;
  throw error;
}

// Showing the game.

function show() {
  const table = replay ? game.tables[replay.at] : game.table;
  view.locked = replay !== null;
  view.show(table);
  $("deal").textContent = table.date
    ? `${NAMES[game.name]}, board of ${table.date}`
    : `${NAMES[game.name]}, deal ${table.deal}`;
  showTops(table);
  $("undo").disabled = replay !== null || !game.canUndo;
  $("redo").disabled = replay !== null || !game.canRedo;
  $("hint").disabled = replay !== null || table.is_won || table.is_stuck;
  $("replay").disabled = !game.tables.at(-1).is_won;
  $("restart").disabled = !game.canUndo;
  showEnding(table);
  showReplay();
  showClock();
}

function showTops(table) {
  const left = table.stock.length;
  $("stock").textContent = left ? `Deal ${left}` : "dealt";
  $("stock").classList.toggle("full", left > 0);
  $("stock").classList.remove("hinted");
  $("stock").disabled = !left || replay !== null || !table.legal_moves.includes("deal");
  $("foundations").replaceChildren(
    ...[0, 1, 2, 3].map((place) => {
      const slot = document.createElement("li");
      const king = table.foundations[place];
      if (king) {
        slot.className = "full";
        slot.append(drawn(king));
      }
      slot.setAttribute("aria-label", king ? `run of the ${nameOf(king)}` : "no run yet");
      return slot;
    }),
  );
}

function showEnding(table) {
  const ended = replay === null && (table.is_won || table.is_stuck);
  $("ending").hidden = !ended;
  if (!ended) return;
  $("ending-text").textContent = table.is_won
    ? `Won in ${game.at} moves, ${spelledTime(game.seconds)}.`
    : "No move is left.";
  $("ending-replay").hidden = !table.is_won;
}

function showReplay() {
  $("replaying").hidden = replay === null;
  if (!replay) return;
  const played = replay.at ? `: ${game.moves[replay.at - 1]}` : "";
  $("replay-text").textContent = `Move ${replay.at} of ${game.moves.length}${played}`;
  $("replay-pause").textContent = replay.timer ? "Pause" : "Go on";
  $("replay-back").disabled = replay.at === 0;
  $("replay-on").disabled = replay.at === game.moves.length;
}

function spelledTime(seconds) {
  const whole = Math.round(seconds);
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

function showClock() {
  if (game) $("clock").textContent = `${game.at} moves, ${spelledTime(game.seconds)}`;
}

setInterval(() => {
  if (!game || document.hidden || replay || game.finished || !game.started) return;
  game.seconds += 1;
  showClock();
}, 1000);

// Whether the board can still be won, where the player wants to know.

async function watch() {
  const outlook = $("outlook");
  outlook.hidden = true;
  if (!keep.settings.watch || !game || game.table.is_won) return;
  const asked = game.table;
  try {
    const { verdict } = await game.ask(service.solve);
    if (asked !== game.table) return;
    outlook.textContent = {
      winnable: "can be won",
      lost: "cannot be won any more",
      undecided: "may or may not be won",
    }[verdict];
    outlook.hidden = false;
    if (verdict === "lost" && !game.table.is_stuck) offerWayBack();
  } catch (error) {
    say(complaint(error));
  }
}

/** Moves are left, but none that helps: offer the same as when none is left. */
function offerWayBack() {
  $("ending").hidden = false;
  $("ending-text").textContent = "This board cannot be won any more, though moves are left.";
  $("ending-replay").hidden = true;
}

// Doing one thing at a time.

async function act(what) {
  if (busy || replay) return;
  busy = true;
  say("");
  try {
    await what();
    show();
    watch();
  } catch (error) {
    say(complaint(error));
    if (game) show();
  } finally {
    busy = false;
  }
}

function begin(deal) {
  return act(async () => {
    const table = await deal();
    game?.leave();
    game?.save();
    game = new Game({ tables: [table] });
    game.save();
    keep.settings.game = table.game;
    keep.keepSettings();
    $("game").value = table.game;
  });
}

const fresh = () => begin(() => service.random(keep.settings.game, keep.settings.winnable));

const deal = () =>
  game?.table.legal_moves.includes("deal") ? act(() => game.play("deal")) : say("There is no stock to deal.");

const undo = () => game?.canUndo && act(() => game.undo());
const redo = () => game?.canRedo && act(() => game.redo());
const restart = () => game?.canUndo && act(() => game.restart());

async function hint() {
  if (busy || replay || !game || game.table.is_won) return;
  busy = true;
  say("Looking for a hint.");
  const peek = keep.settings.eyes === "peek";
  try {
    tell(await game.ask(service.hint, peek), peek);
  } catch (error) {
    say(complaint(error));
  } finally {
    busy = false;
  }
}

function advice(move) {
  if (move === "deal") return "deal the stock";
  const [card, column] = move.split(">");
  return `move the ${nameOf(card)} to column ${column}`;
}

const asSentence = (words) => words[0].toUpperCase() + words.slice(1);

function tell(found, peek) {
  if (!found.move) {
    say(game.table.is_won ? "The game is won." : "No move is left.");
    return;
  }
  const move = advice(found.move);
  if (found.move === "deal") $("stock").classList.add("hinted");
  else view.point(found.move);
  if (!peek) {
    const percent = (share) => `${Math.round(100 * share)}%`;
    const [low, high] = found.interval;
    say(`Try to ${move}: it keeps the win in ${percent(found.share)} of ${found.samples} samples (${percent(low)} to ${percent(high)}).`);
  } else if (found.verdict === "winnable") {
    say(`${asSentence(move)}: this still wins.`);
  } else if (found.verdict === "lost") {
    if (found.reason) view.drawReason(found.reason);
    say(`This board is lost${found.reason ? `: ${found.reason.text}` : "."}`);
  } else {
    say(`Try to ${move}: this is a guess.`);
  }
}

// Replaying a finished game.

function startReplay() {
  if (!game?.tables.at(-1).is_won) return;
  say("");
  replay = { at: 0, timer: null };
  toggleReplay();
}

function toggleReplay() {
  if (replay.timer) pauseReplay();
  else replay.timer = setInterval(() => stepReplay(1), REPLAY);
  show();
}

function pauseReplay() {
  clearInterval(replay.timer);
  replay.timer = null;
}

function stepReplay(steps) {
  replay.at = Math.max(0, Math.min(game.moves.length, replay.at + steps));
  if (replay.at === game.moves.length) pauseReplay();
  show();
}

function endReplay() {
  pauseReplay();
  replay = null;
  show();
}

// Dialogs.

function open(id) {
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  $(id).showModal();
}

const FIGURES = {
  started: "Started",
  won: "Won",
  streak: "Streak",
  longest: "Longest streak",
  fewest: "Fewest moves",
  fastest: "Best time",
};

function cell(kind, text, scope) {
  const made = document.createElement(kind);
  if (scope) made.scope = scope;
  made.textContent = text;
  return made;
}

function showStatistics() {
  const results = Object.keys(NAMES).map(keep.results);
  const told = (figure, value) => (value === null ? "–" : figure === "fastest" ? spelledTime(value) : value);
  $("figures-games").replaceChildren(cell("td", ""), ...Object.values(NAMES).map((name) => cell("th", name, "col")));
  $("figures").replaceChildren(
    ...Object.entries(FIGURES).map(([figure, name]) => {
      const row = document.createElement("tr");
      row.append(cell("th", name, "row"), ...results.map((found) => cell("td", told(figure, found[figure]))));
      return row;
    }),
  );
  open("statistics-dialog");
}

function shareLink() {
  const { game: name, deal, dealer, date } = game.tables[0];
  const query = new URLSearchParams(date ? { game: name, date } : { game: name, deal, dealer });
  return `${location.origin}${location.pathname}?${query}`;
}

function share() {
  $("link").value = shareLink();
  open("share-dialog");
  $("link").select();
}

function dress() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const { theme } = keep.settings;
  document.documentElement.dataset.theme = theme === "system" ? (dark ? "dark" : "light") : theme;
}

function bindSettings() {
  for (const name of ["theme", "eyes"]) {
    $(name).value = keep.settings[name];
    $(name).addEventListener("change", () => setting(name, $(name).value));
  }
  for (const name of ["winnable", "watch"]) {
    $(name).checked = keep.settings[name];
    $(name).addEventListener("change", () => setting(name, $(name).checked));
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", dress);
  $("forget-games").addEventListener("click", () => {
    keep.forgetGames();
    $("forgotten").textContent = "Saved games are removed.";
  });
  $("forget-results").addEventListener("click", () => {
    keep.forgetResults();
    $("forgotten").textContent = "Results are removed.";
  });
}

function setting(name, value) {
  keep.settings[name] = value;
  keep.keepSettings();
  dress();
  if (name === "watch") watch();
}

function bindButtons() {
  const pressed = {
    new: fresh, undo, redo, hint, restart, share,
    menu: () => open("menu-dialog"),
    stock: deal,
    replay: () => { $("menu-dialog").close(); startReplay(); },
    "open-daily": () => { calendar.show(keep.settings.game); open("daily-dialog"); },
    "open-statistics": showStatistics,
    "open-settings": () => { $("forgotten").textContent = ""; open("settings-dialog"); },
    "open-keys": () => open("keys-dialog"),
    "ending-undo": undo, "ending-restart": restart, "ending-replay": startReplay, "ending-new": fresh,
    "replay-back": () => { pauseReplay(); stepReplay(-1); },
    "replay-on": () => { pauseReplay(); stepReplay(1); },
    "replay-pause": toggleReplay, "replay-end": endReplay,
  };
  for (const [id, action] of Object.entries(pressed)) $(id).addEventListener("click", action);
  $("restart").addEventListener("click", () => $("menu-dialog").close());
  $("copy").addEventListener("click", async () => {
    await navigator.clipboard.writeText($("link").value);
    $("copy").textContent = "Copied";
    setTimeout(() => ($("copy").textContent = "Copy"), 2000);
  });
  $("deal-form").addEventListener("submit", (event) => {
    event.preventDefault();
    $("menu-dialog").close();
    begin(() => service.numbered(keep.settings.game, $("number").value, "pysolfc"));
  });
  $("game").addEventListener("change", () => enter($("game").value));
}

function bindKeys() {
  const keys = { d: deal, " ": deal, u: undo, y: redo, h: hint, n: fresh, "?": () => open("keys-dialog") };
  addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]") || event.target.closest("input, select")) return;
    const key = event.key.toLowerCase();
    let action = keys[key];
    if (event.ctrlKey || event.metaKey) action = key === "z" ? (event.shiftKey ? redo : undo) : undefined;
    // Space presses the button that has the focus, unless that is a card.
    if (key === " " && event.target.closest("button:not(.card)")) return;
    if (!action || event.altKey || event.repeat) return;
    event.preventDefault();
    action();
  });
}

/** Go on with the saved game of that name, or begin one. */
function enter(name) {
  if (replay) endReplay();
  keep.settings.game = name;
  keep.keepSettings();
  $("game").value = name;
  const saved = Game.saved(name);
  if (!saved) return fresh();
  return act(() => { game?.save(); game = saved; });
}

async function listGames() {
  const known = await service.games();
  $("game").replaceChildren(
    ...known.map(({ game: name }) => {
      const choice = document.createElement("option");
      choice.value = name;
      choice.textContent = NAMES[name];
      return choice;
    }),
  );
}

/** A shared link names a board; else the game that was played last goes on. */
async function start() {
  dress();
  bindSettings();
  bindButtons();
  bindKeys();
  addEventListener("pagehide", () => game?.save());
  try {
    await listGames();
  } catch (error) {
    say(complaint(error));
    return;
  }
  const asked = new URLSearchParams(location.search);
  const name = NAMES[asked.get("game")] ? asked.get("game") : keep.settings.game;
  keep.settings.game = name;
  history.replaceState(null, "", location.pathname);
  if (asked.get("date")) await begin(() => service.daily(name, asked.get("date")));
  else if (asked.get("deal")) await begin(() => service.numbered(name, asked.get("deal"), asked.get("dealer") ?? "pysolfc"));
  if (game) return;
  const why = $("message").textContent; // a link that names no board
  await enter(name);
  say(why);
}

start();
