// A game being played: the tables it went through, so that undo asks nobody.
//
// The page knows no rules. Every table comes from the service, with its legal moves.

import { askedOf } from "./house.js";
import * as keep from "./keep.js";
import * as service from "./service.js";

const VERSION = 1;

export class Game {
  /** `tables` as the service gave them, `moves` between them, `at` the one on show. */
  constructor({ tables, moves = [], at = 0, seconds = 0, started = false, finished = false }) {
    Object.assign(this, { tables, moves, at, seconds, started, finished });
  }

  /** The game of that name that was saved last, or null. */
  static saved(name) {
    const record = keep.savedGame(name);
    return record?.version === VERSION && record.tables?.length ? new Game(record) : null;
  }

  get table() {
    return this.tables[this.at];
  }

  get name() {
    return this.tables[0].game;
  }

  get canUndo() {
    return this.at > 0;
  }

  get canRedo() {
    return this.at < this.moves.length;
  }

  /** Whether the last move on record has won, undone since or not. */
  get canReplay() {
    return this.tables.at(-1).is_won;
  }

  /** Whether it was dealt as that table was. */
  isOn({ game, deal, dealer, date }) {
    const first = this.tables[0];
    const number = String(deal); // older pages have kept numbers that were no text
    return first.game === game && String(first.deal) === number && first.dealer === dealer && first.date === date;
  }

  save() {
    const { tables, moves, at, seconds, started, finished } = this;
    keep.saveGame(this.name, { version: VERSION, tables, moves, at, seconds, started, finished });
  }

  /** Keep the time on the clock, unless the saved game was removed. */
  saveClock() {
    if (keep.savedGame(this.name)) this.save();
  }

  /** Play a move; the game is unchanged if that fails. */
  async play(move) {
    const table = await this.#played(move);
    if (this.table.verdict === "lost") table.verdict = "lost"; // and stays so
    this.tables = [...this.tables.slice(0, this.at + 1), table];
    this.moves = [...this.moves.slice(0, this.at), move];
    this.at += 1;
    this.#count();
    this.save();
  }

  async #played(move) {
    try {
      return await service.play(this.table, [move]);
    } catch (error) {
      if (error.kind !== "TokenError") throw error;
      await this.#renew();
      return service.play(this.table, [move]);
    }
  }

  /** Get new tokens, one a table, by playing the same moves on the same deal again. */
  async #renew() {
    const { moves } = this;
    const { deal, dealer, date } = this.tables[0];
    const asked = askedOf(this.tables[0]);
    let table = date ? await service.daily(asked, date) : await service.numbered(asked, deal, dealer);
    const tables = [table];
    for (const move of moves) tables.push((table = await service.play(table, [move])));
    if (moves === this.moves) this.tables = tables; // else there was a move meanwhile
  }

  /** Ask about the table on show, with new tokens if the old ones are no longer known. */
  async ask(question, ...more) {
    try {
      return await question(this.table, ...more);
    } catch (error) {
      if (error.kind !== "TokenError") throw error;
      await this.#renew();
      this.save();
      return question(this.table, ...more);
    }
  }

  /** Note what is known of the table on show. */
  judge(verdict) {
    this.table.verdict = verdict;
  }

  undo() {
    this.at -= 1;
    this.save();
  }

  redo() {
    this.at += 1;
    this.save();
  }

  restart() {
    this.at = 0;
    this.save();
  }

  /** Note that this board is left for another. */
  leave() {
    if (this.started && !this.finished) keep.countLoss(this.name);
    this.finished = true;
  }

  /** Results count once a board, however often it is undone and played again. */
  #count() {
    if (!this.started) {
      this.started = true;
      keep.countStart(this.name);
    }
    if (this.table.is_won && !this.finished) {
      this.finished = true;
      keep.countWin(this.name, this.at, Math.round(this.seconds), this.tables[0].date);
    }
  }
}
