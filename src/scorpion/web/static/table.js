// Shows a table, and turns drags, taps and keys on it into moves.

import { HIDDEN, arrow, drawn, nameOf } from "./cards.js";
import { fly, glide, spotOf } from "./motion.js";
import { counted } from "./words.js";

const COLUMNS = 7;
const TALL = 1.4; // height of a card, in widths
const WIDEST = 140; // pixels
const NARROWEST = 56; // where the window is low; on a narrow one the columns decide
const GAP = 0.09; // least between columns, in widths
const WIDE_GAP = 0.32; // most
const LOW = 5.8; // a table should fit in so many widths of a card
const SPARE = 16; // pixels between the longest column and what is said below
const SAYING = 50; // pixels that what is said takes as a rule
const LOOSE = 0.48; // most that is seen of a covered card, in widths
const TIGHT = 0.22; // least
const LEGIBLE = 15; // pixels, the same
const INDEX = 0.38; // height of rank and suit, in widths
const HIDDEN_STEP = 0.5; // a card face down shows so much of what others show
const DRAG = 6; // pixels that a finger may slip in a tap

const columns = document.getElementById("columns");
const felt = columns.parentElement;
const foot = document.querySelector(".foot");
const foundations = document.getElementById("foundations");
const reasons = document.getElementById("reasons");

export class TableView {
  #table;
  #reason; // the lock that is drawn
  #told = new Map(); // hidden cards that it tells of, by their place
  #spots = new Map(); // where each face-up card was shown last
  #steps = []; // pixels that a covered card shows, for each column
  #focus = { column: 0, index: 0 };
  #locked = false;

  /** `onMove(card, column)` is told what the player wants; a tap names no column. */
  constructor(onMove) {
    this.onMove = onMove;
    columns.addEventListener("keydown", (event) => this.#key(event));
    columns.addEventListener("keyup", (event) => event.key === " " && event.preventDefault());
    columns.addEventListener("pointerdown", (event) => this.#press(event));
    columns.addEventListener("click", (event) => this.#click(event));
    columns.addEventListener("focusin", (event) => this.#focused(event.target));
    addEventListener("resize", () => this.#resized());
  }

  /** While locked, cards take no moves. */
  set locked(value) {
    this.#locked = value;
  }

  show(table) {
    const before = this.#table;
    this.#table = table;
    this.#reason = undefined;
    this.#told.clear();
    const spots = this.#spots;
    this.#draw();
    for (const [card, now] of this.#spots) if (spots.has(card)) glide(this.#card(card), spots.get(card), now);
    if (before?.game === table.game && before.deal === table.deal) this.#lift(before, spots);
  }

  /** The move that the service allows for a card: to a column, or where a tap sends it. */
  moveOf(card, column) {
    const targets = this.#targets(card);
    const onto = targets.find((target) => this.#table.columns[target].length) ?? targets[0];
    const to = column === undefined ? onto : targets.find((target) => target === column);
    return to === undefined ? undefined : `${card}>${to + 1}`;
  }

  /** Bring the focus to the table. */
  focus() {
    this.#cardAt(this.#focus)?.focus({ preventScroll: true });
  }

  /** Point at the card of a move and at where it goes. */
  point(move) {
    this.#clearMarks();
    const [card, column] = move.split(">");
    if (!column) return;
    this.#card(card).classList.add("hinted");
    columns.children[column - 1].classList.add("target");
  }

  /** Draw a lock: its cards, and arrows from what covers them to where that would have to go. */
  drawReason(reason) {
    const { cards, waits, places } = reason;
    this.#reason = reason;
    const lying = Object.entries(places).map(([card, { column, index }]) => [card, { column: column - 1, index }]);
    for (const [card, place] of lying)
      if (this.#isHidden(place)) this.#told.set(`${place.column} ${place.index}`, card);
    this.#draw();
    const spots = new Map();
    for (const [card, place] of lying) {
      this.#cardAt(place).classList.toggle("locked", cards.includes(card));
      spots.set(card, this.#headOf(place));
    }
    for (const [from, to] of waits)
      if (spots.has(from) && spots.has(to)) reasons.append(arrow(spots.get(from), spots.get(to)));
  }

  /** The middle of what is seen of a card. */
  #headOf({ column, index }) {
    const seen = Math.min(this.#seenOf(column, index), this.card * LOOSE);
    return {
      x: columns.children[column].offsetLeft + this.card * 0.52,
      y: columns.offsetTop + this.#top(column, index) + seen / 2,
    };
  }

  #clearMarks() {
    for (const shown of columns.querySelectorAll(".hinted, .locked"))
      shown.classList.remove("hinted", "locked");
    for (const column of columns.children) column.classList.remove("target", "aimed");
    reasons.replaceChildren();
  }

  #resized() {
    if (this.#reason) this.drawReason(this.#reason);
    else if (this.#table) this.#draw();
  }

  #draw() {
    const active = document.activeElement;
    const had = columns.contains(active);
    const seen = had && active.matches(":focus-visible");
    const card = active.dataset.card;
    this.#measure();
    columns.replaceChildren(...this.#table.columns.map((cards, at) => this.#column(cards, at)));
    reasons.replaceChildren();
    this.#spots = new Map([...columns.querySelectorAll(".up")].map((shown) => [shown.dataset.card, spotOf(shown)]));
    if (had && this.#spots.has(card)) this.#focus = this.#placeOf(this.#card(card));
    this.#rove();
    if (had) this.focus();
    if (seen) this.#cardAt(this.#focus)?.scrollIntoView({ block: "nearest" });
  }

  /** Let the cards of runs that are finished now fly to their foundations. */
  #lift({ columns: before, foundations: had }, spots) {
    if (this.#table.foundations.length <= had.length) return;
    const gone = before.flat().filter((card) => spots.has(card) && !this.#spots.has(card));
    const goal = spotOf(foundations.children[this.#table.foundations.length - 1]);
    gone.forEach((card, order) => fly(drawn(card), spots.get(card), goal, order));
  }

  // Sizes: cards as wide as the window allows, each column as close as its length asks.

  #measure() {
    const width = felt.clientWidth;
    const above = felt.getBoundingClientRect().top + scrollY;
    const below = document.documentElement.clientHeight - above - SPARE;
    const room = below - foot.offsetHeight;
    const fitting = width / (COLUMNS + (COLUMNS - 1) * GAP);
    this.card = Math.min(WIDEST, fitting, Math.max(NARROWEST, (below - SAYING) / LOW));
    const gap = Math.min(this.card * WIDE_GAP, (width - COLUMNS * this.card) / (COLUMNS - 1));
    this.#steps = this.#table.columns.map((cards, at) => {
      const step = (room - this.card * TALL) / Math.max(1, this.#covering(at, cards.length - 1));
      return Math.max(this.card * TIGHT, LEGIBLE, Math.min(this.card * LOOSE, step));
    });
    const style = document.documentElement.style;
    style.setProperty("--card", `${this.card}px`);
    style.setProperty("--gap", `${gap}px`);
  }

  #isHidden({ column, index }) {
    return index < this.#table.face_down[column];
  }

  /** How many steps down the card with that index lies. */
  #covering(column, index) {
    let steps = 0;
    for (let below = 0; below < index; below += 1) {
      const narrow = this.#isHidden({ column, index: below }) && !this.#told.has(`${column} ${below}`);
      steps += narrow ? HIDDEN_STEP : 1;
    }
    return steps;
  }

  #top(column, index) {
    return this.#covering(column, index) * this.#steps[column];
  }

  /** How many pixels of a card are seen. */
  #seenOf(column, index) {
    const last = index === this.#table.columns[column].length - 1;
    return last ? this.card * TALL : this.#top(column, index + 1) - this.#top(column, index);
  }

  #column(cards, at) {
    const column = document.createElement("ol");
    column.className = "column";
    column.setAttribute("role", "list"); // without marks some browsers see no list
    column.setAttribute("aria-label", `Column ${at + 1}, ${cards.length ? counted(cards.length, "card") : "empty"}`);
    column.append(...cards.map((card, index) => this.#item(card, at, index)));
    const last = Math.max(0, cards.length - 1);
    column.style.height = `${this.#top(at, last) + this.card * TALL}px`;
    column.style.setProperty("--index", Math.min(1, this.#steps[at] / this.card / INDEX));
    return column;
  }

  #item(card, column, index) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    const up = !this.#isHidden({ column, index });
    const told = this.#told.get(`${column} ${index}`);
    const over = this.#table.columns[column].length - 1 - index;
    const name = up ? `${nameOf(card)}, face up` : told ? `hidden card, in truth ${nameOf(told)}` : nameOf(HIDDEN);
    button.type = "button";
    button.className = up ? "card up" : "card";
    button.tabIndex = -1;
    button.dataset.card = up ? card : HIDDEN;
    button.setAttribute("aria-label", `${name}, column ${column + 1}, ${counted(over, "card")} on it`);
    button.style.top = `${this.#top(column, index)}px`;
    button.style.setProperty("--seen", `${this.#seenOf(column, index)}px`);
    button.append(drawn(up ? card : HIDDEN, told));
    item.append(button);
    return item;
  }

  // Places and focus.

  #card(card) {
    return columns.querySelector(`[data-card="${card}"]`);
  }

  #cardAt({ column, index }) {
    return columns.children[column]?.children[index]?.firstElementChild;
  }

  #placeOf(shown) {
    const item = shown.parentElement;
    const column = [...columns.children].indexOf(item.parentElement);
    return { column, index: [...item.parentElement.children].indexOf(item) };
  }

  #focused(shown) {
    if (!shown.classList.contains("card")) return;
    this.#focus = this.#placeOf(shown);
    this.#rove();
  }

  /** One card can be reached by Tab; arrow keys lead on from it. */
  #rove() {
    for (const shown of columns.querySelectorAll('[tabindex="0"]')) shown.tabIndex = -1;
    if (!this.#cardAt(this.#focus)) this.#focus = this.#nearest(this.#focus, 0);
    const shown = this.#cardAt(this.#focus);
    if (shown) shown.tabIndex = 0;
  }

  /** The place nearest to one, in the next column that holds cards in a direction. */
  #nearest({ column, index }, direction) {
    for (let tries = 0; tries <= COLUMNS; tries += 1) {
      const cards = this.#table.columns[column];
      if (cards.length && (tries || !direction)) return { column, index: Math.min(index, cards.length - 1) };
      column = (column + (direction || 1) + COLUMNS) % COLUMNS;
    }
    return { column: 0, index: 0 };
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" && event.repeat) event.preventDefault(); // one press, one move
    const { column, index } = this.#focus;
    const to = {
      ArrowLeft: () => this.#nearest(this.#focus, -1),
      ArrowRight: () => this.#nearest(this.#focus, 1),
      ArrowUp: () => ({ column, index: Math.max(0, index - 1) }),
      ArrowDown: () => this.#nearest({ column, index: index + 1 }, 0),
    }[event.key];
    if (!to) return;
    event.preventDefault();
    this.#cardAt(to())?.focus();
  }

  // Moves.

  /** The columns that the service lets a card go to. */
  #targets(card) {
    return this.#table.legal_moves
      .map((move) => move.split(">"))
      .filter(([leads, column]) => column && leads === card)
      .map(([, column]) => Number(column) - 1);
  }

  /** A click without a pointer: Enter on the card, or a screen reader. */
  #click(event) {
    const shown = event.target.closest(".up");
    if (shown && event.detail === 0 && !this.#locked) this.onMove(shown.dataset.card);
  }

  #press(event) {
    const shown = event.target.closest(".up");
    if (!shown || event.button !== 0 || !event.isPrimary || this.#locked) return;
    const drag = this.#dragOf(shown, { x: event.clientX, y: event.clientY });
    const done = new AbortController();
    const end = (now) => {
      done.abort();
      drag.end(now.type === "pointerup");
    };
    shown.setPointerCapture(event.pointerId);
    shown.addEventListener("pointermove", drag.move, { signal: done.signal });
    shown.addEventListener("pointerup", end, { signal: done.signal });
    shown.addEventListener("pointercancel", end, { signal: done.signal });
  }

  /** What the pointer does with a card from where it was pressed: a drag, or a tap. */
  #dragOf(shown, start) {
    const { card } = shown.dataset;
    const { column, index } = this.#placeOf(shown);
    const pile = [...columns.children[column].querySelectorAll(".card")].slice(index);
    const targets = this.#targets(card);
    let dragging = false;

    const move = (now) => {
      const slip = { x: now.clientX - start.x, y: now.clientY - start.y };
      if (!dragging && Math.hypot(slip.x, slip.y) < DRAG) return;
      if (!dragging) this.#lightUp(pile, targets);
      dragging = true;
      for (const carried of pile) carried.style.transform = `translate(${slip.x}px, ${slip.y}px)`;
      const over = this.#under(shown, [column, ...targets]);
      for (const target of targets) columns.children[target].classList.toggle("aimed", target === over);
    };
    const end = (dropped) => {
      if (!dragging) {
        if (dropped) this.onMove(card);
        return;
      }
      const over = dropped ? this.#under(shown, [column, ...targets]) : column;
      for (const carried of pile) this.#spots.set(carried.dataset.card, spotOf(carried)); // to glide from
      this.#clearMarks();
      if (over === column) this.show(this.#table);
      else this.onMove(card, over); // the pile stays where it was let go until the next table
    };
    return { move, end };
  }

  #lightUp(pile, targets) {
    this.#clearMarks();
    for (const carried of pile) carried.classList.add("carried");
    for (const target of targets) columns.children[target].classList.add("target");
  }

  /** The one of some columns, the card's own first, that a dragged card covers most. */
  #under(shown, among) {
    const box = shown.getBoundingClientRect();
    const shares = among.map((at) => {
      const column = columns.children[at].getBoundingClientRect();
      return Math.max(0, Math.min(box.right, column.right) - Math.max(box.left, column.left));
    });
    return among[shares.indexOf(Math.max(...shares))];
  }
}
