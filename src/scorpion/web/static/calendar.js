// The month of daily boards: past days and today can be played.

import { gamesToChoose } from "./house.js";
import { daysWon } from "./keep.js";

const title = document.getElementById("daily-title");
const heading = document.getElementById("month");
const body = document.getElementById("days");
const on = document.getElementById("month-on");

/** A day as the service spells it. */
export function spelled(day) {
  const two = (number) => String(number).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

export class Calendar {
  #month = new Date();
  #game;

  constructor(onDay) {
    this.onDay = onDay;
    document.getElementById("month-back").addEventListener("click", () => this.#turn(-1));
    on.addEventListener("click", () => this.#turn(1));
  }

  show(game) {
    this.#game = game;
    title.textContent = `Daily boards of ${gamesToChoose()[game]}`;
    this.#month = new Date();
    this.#turn(0);
  }

  #turn(months) {
    this.#month = new Date(this.#month.getFullYear(), this.#month.getMonth() + months, 1);
    heading.textContent = this.#month.toLocaleDateString(undefined, { month: "long", year: "numeric" });
    body.replaceChildren(...this.#weeks());
    const now = new Date();
    on.disabled = this.#month.getFullYear() === now.getFullYear() && this.#month.getMonth() === now.getMonth();
  }

  #weeks() {
    const year = this.#month.getFullYear();
    const month = this.#month.getMonth();
    const days = new Date(year, month + 1, 0).getDate();
    const blank = (this.#month.getDay() + 6) % 7; // weeks begin on Monday
    const rows = [];
    for (let place = 0; place < blank + days; place += 1) {
      if (place % 7 === 0) rows.push(document.createElement("tr"));
      const cell = document.createElement("td");
      if (place >= blank) cell.append(this.#day(new Date(year, month, place - blank + 1)));
      rows.at(-1).append(cell);
    }
    return rows;
  }

  #day(day) {
    const button = document.createElement("button");
    const text = spelled(day);
    const won = daysWon(this.#game).includes(text);
    button.type = "button";
    button.textContent = day.getDate();
    button.setAttribute(
      "aria-label",
      day.toLocaleDateString(undefined, { dateStyle: "full" }) + (won ? ", won" : ""),
    );
    button.classList.toggle("won", won);
    button.classList.toggle("today", text === spelled(new Date()));
    button.disabled = text > spelled(new Date());
    button.addEventListener("click", () => this.onDay(text));
    return button;
  }
}
