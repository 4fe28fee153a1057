// A list that grows at its top, with an inspector beside it: what Requests and History share.

import { goTo, hrefOf } from "../address.js";
import { follow } from "../follow.js";
import { pause, StoreError } from "../connection.js";
import { fill, h, painted } from "../dom.js";
import { bind } from "../keys.js";
import { counted } from "../format.js";
import { announce, notify } from "../notices.js";
import { failure } from "./basics.js";
import { filterBar } from "./filters.js";
import { table } from "./table.js";

/** @typedef {import("../dom.js").Child} Child */
/** @typedef {import("../address.js").Place} Place */
/** @typedef {{number: number}} Numbered */

const rowsMax = 200;
/** More than a window shows; the others wait for its first painting. */
const rowsFirst = 40;
const pageMax = 200;
const awayMilliseconds = 2000;
const gapMilliseconds = 500;

/**
 * @template {Numbered} T
 * @typedef {object} Live
 * @property {import("../screens/index.js").Context} context
 * @property {string} path Of the list below the control interface, and of the rows in the address.
 * @property {string} tab
 * @property {(answer: any) => T[]} rows
 * @property {string} label
 * @property {string} search
 * @property {import("./table.js").Column<T>[]} columns
 * @property {(filters: Record<string, string>) => import("../connection.js").Query} [query]
 *   What the store filters by, in the whole list.
 * @property {(row: T, filters: Record<string, string>) => boolean} [matches]
 * @property {(rows: T[], filters: Record<string, string>) => Element | null} [counts]
 * @property {string} [about] What the list has, and what it has not.
 * @property {import("./filters.js").Choice[]} [choices]
 * @property {() => Child} empty
 * @property {(number: string, signal: AbortSignal) => HTMLElement} inspect
 */

/**
 * Rows without a hole, and the cursor behind which there are older ones.
 * @template T
 * @typedef {{rows: T[], older?: string | number}} Shown
 */

/** @template {Numbered} T @param {Live<T>} live */
export function liveList(live) {
  const { world, signal } = live.context;
  let here = live.context.place;
  /** @type {Shown<T>} */
  let present = { rows: [] };
  /** @type {Shown<T> | null} What stands still during a pause. */
  let frozen = null;
  let roomMax = rowsMax;
  let isReading = false;
  let missed = 0;
  let waiting = 0;
  /** @type {AbortController | null} */
  let running = null;
  /** @type {AbortController | null} */
  let inspecting = null;
  let inspected = "";

  const list = table({
    label: live.label, columns: live.columns, signal, empty: live.empty,
    key: (row) => String(row.number),
    href: (row) => hrefOf({ path: [live.tab, String(row.number)], filters: here.filters }),
  });
  const note = h("p", { class: "note" });
  const counts = h("div", { class: "counts" });
  const countedAmong = h("p", { class: "quiet" });
  const about = live.about === undefined ? null : h("p", { class: "quiet" }, live.about);
  const inspector = h("section", { class: "inspector", "aria-label": "Inspector", hidden: true });
  const pauseButton = h("button", { type: "button", "aria-pressed": "false",
    onclick: () => setPaused(frozen === null) }, "Pause");
  const foot = h("div", { class: "more" });
  const element = h("div", { class: "live" },
    filterBar({ search: live.search, choices: live.choices, signal, actions: [pauseButton] }),
    about, counts, note,
    h("div", { class: "split" }, h("div", null, list.element, foot), inspector));

  /** @param {T} row */
  const matches = (row) => live.matches?.(row, here.filters) ?? true;
  const olderButton = h("button", { type: "button", onclick: () => showOlder() }, "Show older");
  const draw = () => {
    const { rows, older } = frozen ?? present;
    list.show(rows.filter(matches), older === undefined);
    const summed = live.counts?.(rows, here.filters) ?? null;
    if (counts.firstChild !== summed) {
      fill(counts, summed === null ? null : [summed, countedAmong]);
    }
    fill(countedAmong, older === undefined ? null
      : `Counted among the latest ${number(rows.length)}.`);
    if (older === undefined || foot.firstChild !== olderButton) {
      fill(foot, older === undefined ? null : olderButton);
    }
    drawNote();
  };
  const drawNote = () => fill(note,
    missed > 0 ? `Missed ${number(missed)}: the store keeps only its newest. ` : null,
    waiting > 0 ? `${number(waiting)} waiting.` : null);
  /** @param {number} count */
  const number = (count) => counted(count, "entry", "entries");
  /** @param {boolean} isPaused */
  const setPaused = (isPaused) => {
    frozen = isPaused ? { ...present } : null;
    waiting = 0;
    pauseButton.setAttribute("aria-pressed", String(isPaused));
    draw();
  };
  /** @param {any} answer @param {number} cursor */
  const take = (answer, cursor) => {
    if (answer.first > cursor + 1) {
      missed += answer.first - cursor - 1;
    }
    const fresh = live.rows(answer);
    const rows = [...[...fresh].reverse(), ...present.rows];
    present.rows = rows.slice(0, roomMax);
    if (rows.length > roomMax) {
      present.older = present.rows[roomMax - 1].number;
    }
    if (frozen !== null) {
      waiting += fresh.filter(matches).length;
      drawNote();
    } else if (fresh.length > 0 || answer.first > cursor + 1) {
      draw();
      const count = fresh.filter(matches).length;
      if (count > 0) {
        announce(`${live.label}: ${counted(count, "new entry", "new entries")}`);
      }
    }
  };
  /** @param {string | number | undefined} after @param {AbortSignal} signal */
  const page = async (after, signal) => {
    const answer = await world.get(live.path,
      { ...live.query?.(here.filters), order: "newest", limit: pageMax, after }, signal);
    return { answer, shown: { rows: live.rows(answer), older: answer.next } };
  };
  const showOlder = async () => {
    const mine = running?.signal ?? signal;
    const target = frozen ?? present;
    if (isReading) {
      return;
    }
    isReading = true;
    roomMax += target === present ? pageMax : 0;
    try {
      /** @type {Shown<T>["older"]} */
      let asked;
      /** @type {Shown<T>} */
      let more;
      // Rows may be cut off meanwhile: then what was read does not follow on the last one.
      do {
        asked = target.older;
        more = (await page(asked, mine)).shown;
      } while (target.older !== asked);
      target.rows = [...target.rows, ...more.rows];
      target.older = more.older;
      draw();
    } catch (error) {
      if (!mine.aborted) {
        fill(foot, failure(error),
          h("button", { type: "button", onclick: () => showOlder() }, "Try again"));
      }
    } finally {
      isReading = false;
    }
  };
  /** @param {AbortSignal} signal */
  const run = async (signal) => {
    const { answer, shown } = await page(undefined, signal);
    list.element.hidden = false;
    roomMax = rowsMax;
    if (present.rows.length === 0 && shown.rows.length > rowsFirst) {
      const rows = shown.rows.slice(0, rowsFirst);
      present = { rows, older: rows[rowsFirst - 1].number };
      draw();
      await painted();
      signal.throwIfAborted();
    }
    present = shown;
    draw();
    await follow({
      world, path: live.path, query: live.query?.(here.filters), signal, take,
      after: answer,
      rewound: () => {
        throw new StoreError(410, "rewound", "This is another list now.");
      },
    });
  };
  const start = () => {
    running?.abort();
    running = new AbortController();
    void keepRunning(running.signal);
  };
  /** @param {AbortSignal} signal */
  const keepRunning = async (signal) => {
    while (!signal.aborted) {
      try {
        await run(signal);
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        if (error instanceof StoreError && error.code === "rewound") {
          notify(`${live.label}: the list starts over, since another took its place.`);
          setPaused(false);
          missed = 0;
          list.renew();
          // Servers behind one address take turns.
          await pause(gapMilliseconds, signal).catch(() => {});
          continue;
        }
        if (error instanceof StoreError && error.isPassing) {
          await pause(awayMilliseconds, signal).catch(() => {});
          continue;
        }
        present = { rows: [] };
        draw();
        list.element.hidden = true;
        fill(note, failure(error), h("button", { type: "button", onclick: start },
          "Try again"));
        return;
      }
    }
  };
  const inspect = () => {
    const name = here.path[1] ?? "";
    list.mark(name);
    if (name === inspected) {
      return;
    }
    const row = list.rowOf(inspected);
    const hadFocus = inspector.contains(document.activeElement);
    inspected = name;
    inspecting?.abort();
    inspecting = new AbortController();
    inspector.hidden = name === "";
    element.classList.toggle("opened", name !== "");
    fill(inspector, name === "" ? null : [
      h("button", { type: "button", class: "plain closing", onclick: close }, "Close"),
      live.inspect(name, inspecting.signal)]);
    if (hadFocus && name === "") {
      row?.querySelector("a")?.focus();
    }
  };
  const close = () => inspected !== "" && goTo({ path: [live.tab], filters: here.filters });
  bind("Escape", "Close the inspector", close, signal);
  bind("p", "Pause, or go on", () => setPaused(frozen === null), signal);
  signal.addEventListener("abort", () => {
    running?.abort();
    inspecting?.abort();
  });
  /** @param {Place} place */
  const update = (place) => {
    const asked = JSON.stringify(live.query?.(here.filters));
    const isFiltered = JSON.stringify(place.filters) !== JSON.stringify(here.filters);
    here = place;
    if (isFiltered) {
      list.renew();
      if (JSON.stringify(live.query?.(here.filters)) !== asked) {
        setPaused(false);
        start();
      } else {
        draw();
      }
    }
    inspect();
  };
  start();
  inspect();
  return { element, update };
}
