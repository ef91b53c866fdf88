// Shows a table, and turns drags, taps and keys on it into moves.

import { HIDDEN, arrow, drawn, nameOf } from "./cards.js";

const COLUMNS = 7;
const TALL = 1.4; // height of a card, in widths
const WIDEST = 112; // pixels
const GAP = 0.09; // between columns, in widths
const LOOSE = 0.44; // most that is seen of a covered card, in widths
const TIGHT = 0.28;
const HIDDEN_STEP = 0.5; // a card face down shows so much of that
const DRAG = 6; // pixels that a finger may slip in a tap
const GLIDE = 180; // milliseconds

const still = matchMedia("(prefers-reduced-motion: reduce)");
const columns = document.getElementById("columns");
const felt = columns.parentElement;
const reasons = document.getElementById("reasons");

export class TableView {
  #table;
  #places = new Map(); // where each face-up card was shown last
  #focus = { column: 0, index: 0 };
  #locked = false;

  /** `onMove(move)` is told what the player wants, as the service spells it. */
  constructor(onMove) {
    this.onMove = onMove;
    columns.addEventListener("keydown", (event) => this.#key(event));
    columns.addEventListener("pointerdown", (event) => this.#press(event));
    columns.addEventListener("click", (event) => this.#click(event));
    columns.addEventListener("focusin", (event) => this.#focused(event.target));
    addEventListener("resize", () => this.#table && this.show(this.#table));
  }

  /** While locked, cards take no moves. */
  set locked(value) {
    this.#locked = value;
  }

  show(table) {
    const had = columns.contains(document.activeElement);
    this.#table = table;
    this.#measure();
    columns.replaceChildren(...table.columns.map((cards, at) => this.#column(cards, at)));
    reasons.replaceChildren();
    this.#glide();
    this.#rove();
    if (had) this.#cardAt(this.#focus)?.focus({ preventScroll: true });
  }

  /** Point at the card of a move and at where it goes. */
  point(move) {
    this.#clearMarks();
    const [card, column] = move.split(">");
    if (!column) return;
    this.#card(card)?.classList.add("hinted");
    columns.children[column - 1].classList.add("target");
  }

  /** Draw a lock: its cards, and arrows from what covers them to where that would have to go. */
  drawReason({ cards, waits, places }) {
    this.#clearMarks();
    const middles = new Map();
    for (const [card, { column, index }] of Object.entries(places)) {
      const shown = this.#cardAt({ column: column - 1, index });
      shown.classList.toggle("locked", cards.includes(card));
      if (shown.dataset.card === HIDDEN) {
        shown.replaceChildren(drawn(HIDDEN, card));
        shown.setAttribute("aria-label", `hidden, in truth ${nameOf(card)}, column ${column}`);
      }
      middles.set(card, this.#middle(shown));
    }
    for (const [from, to] of waits)
      if (middles.has(from) && middles.has(to)) reasons.append(...arrow(middles.get(from), middles.get(to)));
  }

  #middle(shown) {
    const box = shown.getBoundingClientRect();
    const ground = felt.getBoundingClientRect();
    const seen = parseFloat(getComputedStyle(columns).getPropertyValue("--step"));
    return { x: box.left - ground.left + box.width * 0.5, y: box.top - ground.top + seen * 0.5 };
  }

  #clearMarks() {
    for (const shown of columns.querySelectorAll(".hinted, .locked"))
      shown.classList.remove("hinted", "locked");
    for (const column of columns.children) column.classList.remove("target", "aimed");
    reasons.replaceChildren();
  }

  // Sizes: cards as wide as the columns allow, and as close as the longest column asks.

  #measure() {
    const width = felt.clientWidth;
    const card = Math.min(WIDEST, width / (COLUMNS + (COLUMNS - 1) * GAP));
    const room = innerHeight - felt.getBoundingClientRect().top - scrollY - 70;
    const steps = this.#table.columns.map((cards, at) => this.#steps(cards.length - 1, at));
    const fitting = (room - card * TALL) / Math.max(1, ...steps);
    this.step = Math.max(card * TIGHT, Math.min(card * LOOSE, fitting));
    this.card = card;
    const style = document.documentElement.style;
    style.setProperty("--card", `${card}px`);
    style.setProperty("--step", `${this.step}px`);
  }

  /** How many steps down the card with that index lies. */
  #steps(index, column) {
    const down = Math.min(index, this.#table.face_down[column]);
    return down * HIDDEN_STEP + (index - down);
  }

  #column(cards, at) {
    const column = document.createElement("li");
    column.className = "column";
    column.setAttribute("aria-label", `Column ${at + 1}${cards.length ? "" : ", empty"}`);
    column.append(...cards.map((card, index) => this.#button(card, at, index)));
    const last = Math.max(0, cards.length - 1);
    column.style.height = `${this.#steps(last, at) * this.step + this.card * TALL}px`;
    return column;
  }

  #button(card, column, index) {
    const button = document.createElement("button");
    const over = this.#table.columns[column].length - 1 - index;
    const up = card !== HIDDEN && index >= this.#table.face_down[column];
    button.type = "button";
    button.className = up ? "card up" : "card";
    button.tabIndex = -1;
    button.dataset.card = up ? card : HIDDEN;
    button.setAttribute("aria-label", `${nameOf(up ? card : HIDDEN)}, column ${column + 1}, ${over} on it`);
    button.style.top = `${this.#steps(index, column) * this.step}px`;
    button.append(drawn(up ? card : HIDDEN));
    return button;
  }

  /** Let cards that changed place glide there, unless the system asks for less motion. */
  #glide() {
    const before = this.#places;
    this.#places = new Map();
    const ground = felt.getBoundingClientRect();
    for (const shown of columns.querySelectorAll(".up")) {
      const box = shown.getBoundingClientRect();
      const now = { x: box.left - ground.left, y: box.top - ground.top };
      const was = before.get(shown.dataset.card);
      this.#places.set(shown.dataset.card, now);
      if (!was || still.matches || (was.x === now.x && was.y === now.y)) continue;
      shown.animate(
        [{ transform: `translate(${was.x - now.x}px, ${was.y - now.y}px)`, zIndex: 60 }, { transform: "none", zIndex: 60 }],
        { duration: GLIDE, easing: "ease-out" },
      );
    }
  }

  // Places and focus.

  #card(card) {
    return columns.querySelector(`[data-card="${card}"]`);
  }

  #cardAt({ column, index }) {
    return columns.children[column]?.children[index];
  }

  #placeOf(shown) {
    const column = [...columns.children].indexOf(shown.parentElement);
    return { column, index: [...shown.parentElement.children].indexOf(shown) };
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

  /** Send a card to the first column that it builds on, else to the first empty one. */
  #send(card) {
    const targets = this.#targets(card);
    const onto = targets.find((column) => this.#table.columns[column].length) ?? targets[0];
    if (onto !== undefined) this.onMove(`${card}>${onto + 1}`);
  }

  /** A click without a pointer: Enter on the card, or a screen reader. */
  #click(event) {
    const shown = event.target.closest(".up");
    if (shown && event.detail === 0 && !this.#locked) this.#send(shown.dataset.card);
  }

  #press(event) {
    const shown = event.target.closest(".up");
    if (!shown || event.button !== 0 || this.#locked) return;
    const { column, index } = this.#placeOf(shown);
    const pile = [...columns.children[column].children].slice(index);
    const start = { x: event.clientX, y: event.clientY };
    const targets = this.#targets(shown.dataset.card);
    let dragging = false;

    const move = (now) => {
      const slip = { x: now.clientX - start.x, y: now.clientY - start.y };
      if (!dragging && Math.hypot(slip.x, slip.y) < DRAG) return;
      if (!dragging) {
        dragging = true;
        this.#clearMarks();
        for (const carried of pile) carried.classList.add("carried");
        for (const target of targets) columns.children[target].classList.add("target");
      }
      for (const carried of pile) carried.style.transform = `translate(${slip.x}px, ${slip.y}px)`;
      const over = this.#under(shown, targets);
      for (const target of targets) columns.children[target].classList.toggle("aimed", target === over);
    };
    const end = (now) => {
      shown.removeEventListener("pointermove", move);
      shown.removeEventListener("pointerup", end);
      shown.removeEventListener("pointercancel", end);
      if (!dragging) {
        if (now.type === "pointerup") this.#send(shown.dataset.card);
        return;
      }
      const over = now.type === "pointerup" ? this.#under(shown, targets) : undefined;
      this.#remember(pile);
      for (const carried of pile) {
        carried.classList.remove("carried");
        carried.style.transform = "";
      }
      this.#clearMarks();
      if (over === undefined) this.show(this.#table);
      else this.onMove(`${shown.dataset.card}>${over + 1}`);
    };
    shown.setPointerCapture(event.pointerId);
    shown.addEventListener("pointermove", move);
    shown.addEventListener("pointerup", end);
    shown.addEventListener("pointercancel", end);
  }

  /** Where a pile was let go is where it glides from. */
  #remember(pile) {
    const ground = felt.getBoundingClientRect();
    for (const carried of pile) {
      const box = carried.getBoundingClientRect();
      this.#places.set(carried.dataset.card, { x: box.left - ground.left, y: box.top - ground.top });
    }
  }

  /** The target column that a dragged card covers most, if it covers one at all. */
  #under(shown, targets) {
    const box = shown.getBoundingClientRect();
    const shares = targets.map((target) => {
      const column = columns.children[target].getBoundingClientRect();
      return Math.min(box.right, column.right) - Math.max(box.left, column.left);
    });
    const most = Math.max(0, ...shares);
    return most > 0 ? targets[shares.indexOf(most)] : undefined;
  }
}
