// The clock of a world, as the store last gave it; the header and the clock's panel share it.

import { oneAtATime } from "./follow.js";

/** @typedef {import("./connection.js").World} World */
/** @typedef {{number: number, state: "running" | "done" | "cancelled" | "failed", from: number,
 *   to: number, renewals: number, failedPayments: number, endings: number, leftOut: number,
 *   leftOutSubscriptions: string[], failure?: string}} Advance */
/** @typedef {{now: number, mode: "held" | "real", advance?: Advance,
 *   paces?: {production?: string, sandbox?: string}}} Clock */

/** Reports every change by the event `change`. */
class WorldClock extends EventTarget {
  /** @type {Clock | null} */
  state = null;
  takenAt = 0;
  turn = 0;

  /** @param {World} world */
  constructor(world) {
    super();
    this.world = world;
  }

  /** The world's time; null before the store gave it. */
  get now() {
    return this.state === null ? null
      : this.isHeld || this.isMoving ? this.state.now : this.state.now + Date.now() - this.takenAt;
  }

  get isHeld() {
    return this.state?.mode === "held";
  }

  /** Whether an advance is under way. */
  get isMoving() {
    return this.state?.advance?.state === "running";
  }

  /** Asks the store; what an action answered meanwhile is newer. */
  load = oneAtATime(async () => {
    const mine = this.turn;
    const answer = await this.world.get("clock");
    if (mine === this.turn) {
      this.take(answer);
    }
  });

  /**
   * Takes what the store answered.
   * @param {Clock} clock
   */
  take(clock) {
    this.turn += 1;
    this.state = clock;
    this.takenAt = Date.now();
    this.dispatchEvent(new Event("change"));
  }
}

/** @type {Map<string, WorldClock>} */
const clocks = new Map();

/** @param {World} world */
export function clockOf(world) {
  const clock = clocks.get(world.name) ?? new WorldClock(world);
  clocks.set(world.name, clock);
  return clock;
}
