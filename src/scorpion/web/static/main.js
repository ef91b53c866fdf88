// Ties the parts of the page together: what is played, what is shown, buttons and keys.

import { Calendar } from "./calendar.js";
import { drawn, nameOf } from "./cards.js";
import { bindDialogs, close, open, openSettings, openShare, openStatistics } from "./dialogs.js";
import { Game } from "./game.js";
import * as house from "./house.js";
import * as keep from "./keep.js";
import { Replay } from "./replay.js";
import * as service from "./service.js";
import { TableView } from "./table.js";
import { counted, endingOf, fairHintOf, hintOf, newsOf, outlookOf, spelledTime, titleOf } from "./words.js";

const PATIENCE = 1500; // milliseconds until the page says what it waits for
const FOUNDATIONS = 4;
const $ = (id) => document.getElementById(id);

let game = null;
let replay = null; // of a finished game, while it is on show
let queue = Promise.resolve(); // what was asked for, one thing after another
let round = 0; // of the queue; what waits in an older one is dropped
let search = new AbortController(); // of the searches about the table on show
let hinting = false;
let warned = false; // that the browser keeps nothing

const view = new TableView((card, column) => act(() => send(card, column)));
const calendar = new Calendar((day) => {
  close();
  begin(() => service.daily(house.askedBy(keep.settings.game), day));
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
  if (!game) return;
  const table = replay ? game.tables[replay.at] : game.table;
  view.locked = replay !== null;
  listGames();
  $("game").value = game.name;
  $("deal").textContent = titleOf(table);
  showTops(table);
  showButtons(table);
  showClock();
  showReplay();
  showOutlook();
  view.show(table); // fits what is left between all these
}

function showTops(table) {
  const left = table.stock.length;
  $("stock").textContent = left ? `Deal ${left}` : "dealt";
  $("stock").classList.toggle("full", left > 0);
  $("stock").classList.remove("hinted");
  $("stock").disabled = replay !== null || !table.legal_moves.includes("deal");
  $("foundations").classList.toggle("won", table.is_won);
  $("foundations").replaceChildren(
    ...Array.from({ length: FOUNDATIONS }, (_, place) => foundation(table.foundations[place])),
  );
}

function foundation(king) {
  const slot = document.createElement("li");
  if (king) {
    slot.className = "full";
    slot.append(drawn(king));
  }
  const name = document.createElement("span");
  name.className = "only-read";
  name.textContent = king ? `run of the ${nameOf(king)}` : "no run yet";
  slot.append(name);
  return slot;
}

function showButtons(table) {
  $("undo").disabled = replay !== null || !game.canUndo;
  $("redo").disabled = replay !== null || !game.canRedo;
  $("hint").disabled = replay !== null || table.is_won || table.is_stuck;
  $("replay").disabled = !game.canReplay;
  $("restart").disabled = !game.canUndo;
  $("share").disabled = false;
  $("open-house").disabled = false;
}

/** What is known of the outlook, and a way back where there is none. */
function showOutlook() {
  const { table } = game;
  const ending = replay ? "" : endingOf(table, game.at, game.seconds);
  const known = keep.settings.watch && !replay && !table.is_won && !table.is_stuck;
  $("outlook").textContent = known ? outlookOf(table) : "";
  const chose = $("ending").contains(document.activeElement);
  $("ending-text").textContent = ending;
  $("ending").hidden = !ending;
  $("ending-replay").hidden = !table.is_won;
  if (chose && !ending) view.focus();
}

function showReplay() {
  $("replaying").hidden = replay === null;
  if (!replay) return;
  const played = replay.at ? `: ${game.moves[replay.at - 1]}` : "";
  $("replay-text").textContent = `Move ${replay.at} of ${game.moves.length}${played}`;
  $("replay-pause").textContent = replay.runs ? "Pause" : "Go on";
  $("replay-pause").disabled = replay.isOver;
  $("replay-back").disabled = replay.at === 0;
  $("replay-on").disabled = replay.isOver;
}

function showClock() {
  $("clock").textContent = `${counted(game.at, "move")}, ${spelledTime(game.seconds)}`;
}

function tick() {
  if (!game?.started || game.finished || replay || document.hidden) return;
  game.seconds += 1;
  showClock();
}

// Doing one thing after another.

function act(what) {
  const asked = round;
  const done = queue.then(() => (asked === round ? run(what) : show()));
  queue = done.catch(() => {});
  return done;
}

async function run(what) {
  search.abort();
  search = new AbortController();
  stopReplay();
  say("");
  const waiting = setTimeout(() => say("Waiting for the service."), PATIENCE);
  try {
    await what();
  } catch (error) {
    round += 1;
    say(complaint(error));
    return;
  } finally {
    clearTimeout(waiting);
    show();
  }
  warnOnce();
  watch();
}

function warnOnce() {
  if (warned || keep.keepsAll()) return;
  warned = true;
  say("The browser has no room to keep this game: it will not come back after closing.");
}

/** Put another board on the table; one that is on it or was saved goes on instead. */
function begin(deal) {
  return act(async () => {
    const table = await deal();
    game?.saveClock();
    const before = game?.name === table.game ? game : Game.saved(table.game);
    if (!before?.isOn(table)) before?.leave();
    game = before?.isOn(table) ? before : new Game({ tables: [table] });
    game.save();
    house.remember(table);
  });
}

const fresh = (asked = house.askedBy(keep.settings.game)) => begin(() => service.random(asked, keep.settings.winnable));

/** Go on with the saved game of that name, or begin one. */
function enter(name) {
  const saved = Game.saved(name);
  if (!saved) return fresh(house.askedBy(name));
  return act(() => {
    game?.saveClock();
    game = saved;
    house.remember(saved.table);
  });
}

// Playing.

async function play(move) {
  const before = game.table;
  await game.play(move);
  $("news").textContent = newsOf(before, game.table);
}

async function send(card, column) {
  const move = view.moveOf(card, column);
  if (move) await play(move);
  else say(`The ${nameOf(card)} fits nowhere else now.`);
}

const deal = () =>
  act(() => (game?.table.legal_moves.includes("deal") ? play("deal") : say("There is no stock to deal.")));

const undo = () => act(() => game?.canUndo && game.undo());
const redo = () => act(() => game?.canRedo && game.redo());
const restart = () => act(() => game?.canUndo && game.restart());

// What searches find.

/** Whether the board can still be won, where the player wants to know. */
async function watch() {
  const { table } = game;
  if (!keep.settings.watch || table.verdict || table.is_won || table.is_stuck) return;
  const { signal } = search;
  try {
    const { verdict } = await game.ask(service.solve, signal);
    if (signal.aborted) return;
    game.judge(verdict);
    showOutlook();
  } catch (error) {
    if (!signal.aborted) say(complaint(error));
  }
}

async function hint() {
  await queue;
  if (hinting || replay || !game || game.table.is_won) return;
  hinting = true;
  const { signal } = search;
  const fair = keep.settings.eyes === "fair";
  say("Looking for a hint.");
  try {
    const found = await game.ask(fair ? service.fairHint : service.hint, signal);
    if (signal.aborted) return;
    if (fair) tellFair(found);
    else tell(found);
  } catch (error) {
    if (!signal.aborted) say(complaint(error));
  } finally {
    hinting = false;
  }
}

function tell(found) {
  game.judge(found.verdict);
  showOutlook();
  say(hintOf(found));
  if (found.reason) view.drawReason(found.reason);
  point(found.verdict === "lost" ? null : found.move);
}

function tellFair(found) {
  say(fairHintOf(found));
  point(found.move);
}

/** Show a move on the table, or none. */
function point(move) {
  if (move) view.point(move);
  $("stock").classList.toggle("hinted", move === "deal");
}

// Replaying a finished game.

function startReplay() {
  if (!game?.canReplay) return;
  say("");
  replay = new Replay(game.moves.length, show);
  replay.run();
  $("replay-pause").focus();
}

function stopReplay() {
  replay?.stop();
  replay = null;
}

function endReplay() {
  stopReplay();
  show();
  if ($("ending").hidden) view.focus();
  else $("ending-replay").focus();
}

// Buttons and keys.

function bindButtons() {
  const pressed = {
    new: () => fresh(), undo, redo, hint, stock: deal,
    menu: () => open("menu-dialog"),
    restart: () => { close(); restart(); },
    replay: () => { close(); startReplay(); },
    share: () => openShare(game.table),
    "open-daily": () => { calendar.show(keep.settings.game); open("daily-dialog"); },
    "open-house": () => { house.fillForm(game.table); open("house-dialog"); },
    "open-statistics": openStatistics,
    "open-settings": openSettings,
    "open-keys": () => open("keys-dialog"),
    "ending-undo": undo, "ending-restart": restart, "ending-replay": startReplay, "ending-new": () => fresh(),
    "replay-back": () => replay.step(-1),
    "replay-on": () => replay.step(1),
    "replay-pause": () => replay.toggle(),
    "replay-end": endReplay,
  };
  for (const [id, action] of Object.entries(pressed)) $(id).addEventListener("click", action);
  $("deal-form").addEventListener("submit", (event) => {
    event.preventDefault();
    close();
    begin(() => service.numbered(house.askedBy(keep.settings.game), $("number").value, "pysolfc"));
  });
  house.bindForm((asked) => {
    close();
    fresh(asked);
  });
  $("game").addEventListener("change", () => enter($("game").value));
}

const KEYS = { d: deal, " ": deal, u: undo, y: redo, h: hint, n: () => fresh(), "?": () => open("keys-dialog") };
const KEYS_IN_REPLAY = ["n", "?"];

/** What a key stands for where it was pressed, if anything. */
function actionOf({ key, ctrlKey, metaKey, altKey, shiftKey, target }) {
  const letter = key.toLowerCase();
  if (altKey || document.querySelector("dialog[open]") || target.closest("input, select")) return undefined;
  if (replay && !KEYS_IN_REPLAY.includes(letter)) return undefined;
  if (ctrlKey || metaKey) return letter === "z" ? (shiftKey ? redo : undo) : undefined;
  // Space presses the button that has the focus, unless that is a card.
  if (letter === " " && target.closest("button:not(.card)")) return undefined;
  return KEYS[letter];
}

function bindKeys() {
  addEventListener("keydown", (event) => {
    const action = actionOf(event);
    if (!action) return;
    event.preventDefault();
    if (!event.repeat) action();
  });
}

// The start.

function listGames() {
  const games = Object.entries(house.gamesToChoose());
  if ($("game").length !== games.length || $("game").lastElementChild.value !== games.at(-1)[0])
    $("game").replaceChildren(...games.map(([value, name]) => new Option(name, value)));
}

/** Begin the board that a shared link names. */
function follow(asked) {
  const rules = house.askedIn(asked) ?? house.askedBy(keep.settings.game);
  if (asked.get("date")) return begin(() => service.daily(rules, asked.get("date")));
  return begin(() => service.numbered(rules, asked.get("deal"), asked.get("dealer") ?? "pysolfc"));
}

/** A shared link names a board; else the game that was played last goes on. */
async function start() {
  listGames();
  bindDialogs(() => game && (showOutlook(), watch()));
  bindButtons();
  bindKeys();
  setInterval(tick, 1000);
  addEventListener("pagehide", () => game?.saveClock());
  const asked = new URLSearchParams(location.search);
  history.replaceState(null, "", location.pathname);
  if (asked.get("date") || asked.get("deal")) await follow(asked);
  if (game) return;
  const why = $("message").textContent; // a link that names no board
  await enter(house.askedIn(asked)?.game ?? keep.settings.game);
  if (why) say(why);
}

start();
