// Shows a finished game again, move by move.

const PACE = 700; // milliseconds a move

export class Replay {
  #timer = null;

  /** A replay of so many moves, from the first table on; `onStep()` is told when to show one. */
  constructor(moves, onStep) {
    this.moves = moves;
    this.onStep = onStep;
    this.at = 0;
  }

  get runs() {
    return this.#timer !== null;
  }

  get isOver() {
    return this.at === this.moves;
  }

  run() {
    this.#timer = setInterval(() => this.#go(1), PACE);
    this.onStep();
  }

  stop() {
    clearInterval(this.#timer);
    this.#timer = null;
  }

  toggle() {
    if (!this.runs) return this.run();
    this.stop();
    this.onStep();
  }

  /** Go on or back by hand. */
  step(moves) {
    this.stop();
    this.#go(moves);
  }

  #go(moves) {
    this.at = Math.max(0, Math.min(this.moves, this.at + moves));
    if (this.isOver) this.stop();
    this.onStep();
  }
}
