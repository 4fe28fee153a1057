// Lists that grow: a long poll with a cursor, which outlives a restart of the store.

import { pause, StoreError } from "./connection.js";

/** @typedef {import("./connection.js").World} World */
/** @typedef {import("./connection.js").Query} Query */

const waitSeconds = 20;
const delayMin = 500;
const delayMax = 5000;
/** Polls that are answered at once still leave the store some air. */
const gapMilliseconds = 50;
const changeMilliseconds = 300;

/**
 * A function that runs one at a time: whoever calls it meanwhile gets a run that begins then, and
 * shares it with others who do.
 * @param {() => Promise<void>} run
 */
export function oneAtATime(run) {
  /** @type {Promise<void> | null} */
  let running = null;
  /** @type {Promise<void> | null} */
  let next = null;
  const start = () => {
    next = null;
    running = run().finally(() => {
      running = next === null ? null : running;
    });
    return running;
  };
  return () => {
    if (running === null) {
      return start();
    }
    next ??= running.then(start, start);
    return next;
  };
}

/**
 * @typedef {object} Followed
 * @property {World} world
 * @property {string} path
 * @property {Query} [query]
 * @property {{position: number, list: string}} [after] A page to begin behind; what is newest if
 *   absent.
 * @property {AbortSignal} signal
 * @property {(answer: any, cursor: number) => void} take Gets each answer, and its cursor.
 * @property {() => void} rewound It is another list: its world was restored or made again, or the
 *   store keeps it anew.
 */

/**
 * Follows a list until the signal aborts. A store that is away or busy is asked again, ever more
 * slowly; any other refusal, such as `worldUnknown`, ends it with that error.
 * @param {Followed} followed
 */
export async function follow({ world, path, query, after, signal, take, rewound }) {
  let place = after;
  let delay = delayMin;
  while (!signal.aborted) {
    try {
      await untilShown(signal);
      const { position, list } = place ??=
        await world.get(path, { ...query, order: "newest", limit: 1 }, signal);
      const answer = await world.get(path,
        { ...query, after: position, list, wait: waitSeconds }, signal);
      signal.throwIfAborted();
      place = { position: answer.next ?? answer.position, list: answer.list };
      delay = delayMin;
      if (answer.list === list) {
        take(answer, position);
      } else {
        rewound();
      }
      await pause(gapMilliseconds, signal);
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      if (!(error instanceof StoreError) || !error.isPassing) {
        throw error;
      }
      await pause(Math.max(delay, (error.retryAfterSeconds ?? 0) * 1000), signal).catch(() => {});
      delay = Math.min(delay * 2, delayMax);
    }
  }
}

/** @type {Map<string, {listeners: Set<() => void>, stop: AbortController}>} */
const watched = new Map();

/**
 * Calls after each change of the world's history, soon and not too often, until the signal aborts;
 * once more when the history cannot be followed. All that watch a world share one poll.
 * @param {World} world
 * @param {AbortSignal} signal
 * @param {() => void} changed
 */
export function whenWorldChanges(world, signal, changed) {
  const watch = watched.get(world.name) ?? { listeners: new Set(), stop: new AbortController() };
  const forget = () => watched.get(world.name) === watch && watched.delete(world.name);
  watch.listeners.add(changed);
  signal.addEventListener("abort", () => {
    watch.listeners.delete(changed);
    if (watch.listeners.size === 0) {
      watch.stop.abort();
      forget();
    }
  });
  if (watched.get(world.name) !== watch) {
    watched.set(world.name, watch);
    void watchHistory(world, watch.stop.signal, () => watch.listeners.forEach((call) => call()))
      .finally(forget);
  }
}

/** @param {World} world @param {AbortSignal} signal @param {() => void} changed */
async function watchHistory(world, signal, changed) {
  let timer = 0;
  const call = () => {
    timer ||= setTimeout(() => {
      timer = 0;
      changed();
    }, changeMilliseconds);
  };
  signal.addEventListener("abort", () => clearTimeout(timer));
  try {
    await follow({
      world, path: "events", signal, rewound: call,
      take: ({ events }) => events.length > 0 && call(),
    });
  } catch {
    // Whoever watches asks the store itself, and shows why it refuses.
    if (!signal.aborted) {
      changed();
    }
  }
}

/**
 * Waits while the tab is hidden: a browser has few connections to one store.
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function untilShown(signal) {
  return new Promise((resolve) => {
    if (!document.hidden) {
      resolve();
      return;
    }
    const look = () => {
      if (!document.hidden || signal.aborted) {
        document.removeEventListener("visibilitychange", look);
        signal.removeEventListener("abort", look);
        resolve();
      }
    };
    document.addEventListener("visibilitychange", look);
    signal.addEventListener("abort", look);
  });
}
