// A table whose rows open by link, click or Enter, and are walked with j and k.

import { isPassing } from "../connection.js";
import { allowBreaks, fill, h } from "../dom.js";
import { oneAtATime } from "../follow.js";
import { bind } from "../keys.js";
import { failure, keepFresh, keepingPlace } from "./basics.js";

const pagesMax = 10;
const matchesMin = 50;

/** @typedef {import("../dom.js").Child} Child */
/** @typedef {import("../address.js").PlaceChange} PlaceChange */

/**
 * @template T
 * @typedef {object} Column
 * @property {string} title
 * @property {(row: T) => Child | Child[]} cell
 * @property {boolean} [isWide] Left out where the page is narrow.
 * @property {boolean} [isNumber]
 * @property {boolean} [isLink] Carries the row's link; the first column does if none says so.
 */

/**
 * @template T
 * @typedef {object} TableOptions
 * @property {string} label
 * @property {Column<T>[]} columns
 * @property {(row: T) => string} key What tells rows apart.
 * @property {(row: T) => string} [href] Where a row leads.
 * @property {() => Child} empty
 * @property {AbortSignal} signal
 * @property {boolean} [isPlain] Its keys are places, so the first cell tells rows apart.
 */

/** @template T @param {TableOptions<T>} options */
export function table({ label, columns, key, href, empty, isPlain }) {
  const body = h("tbody");
  const head = h("tr", null, columns.map((column) =>
    h("th", { scope: "col", class: classOf(column) }, column.title)));
  const grid = h("table", { "aria-label": label }, h("thead", null, head), body);
  const element = h("div", { class: "table" });
  /** @type {Map<string, HTMLTableRowElement>} */
  let known = new Map();
  /** @type {WeakMap<HTMLTableRowElement, T>} */
  const data = new WeakMap();
  let current = "";
  let shown = "";
  let isStale = false;
  const linked = Math.max(0, columns.findIndex(({ isLink }) => isLink));

  /** @param {T} row */
  const make = (row) => {
    const name = isPlain ? null : key(row);
    const element = h("tr", { onclick: opened, "data-key": name }, columns.map((column, index) =>
      h("td", { class: classOf(column) }, index === linked && href !== undefined
        ? h("a", { href: href(row) }, column.cell(row)) : column.cell(row))));
    allowBreaks(element);
    data.set(element, row);
    return element;
  };
  /**
   * The element that shows the row as it is: one that keeps its focus if nothing changed.
   * @param {T} row
   */
  const elementOf = (row) => {
    const element = known.get(key(row));
    return element !== undefined && !isStale && isSame(data.get(element), row)
      ? element : make(row);
  };
  /** @param {T[]} rows */
  const update = (rows) => {
    const next = new Map(rows.map((row) => [key(row), elementOf(row)]));
    for (const [name, element] of known) {
      if (next.get(name) !== element) {
        element.remove();
      }
    }
    known = next;
    let before = body.firstElementChild;
    for (const element of known.values()) {
      if (element === before) {
        before = before.nextElementSibling;
      } else {
        body.insertBefore(element, before);
      }
    }
    mark(current);
    isStale = false;
  };
  /** @param {T[]} rows @param {boolean} [isWhole] Whether none is left out that may be there. */
  const show = (rows, isWhole = true) => {
    const state = rows.length > 0 ? "rows" : isWhole ? "none" : "unread";
    keepingPlace(element, () => {
      const isOld = state !== shown || isStale && state !== "rows";
      update(rows);
      if (isOld) {
        shown = state;
        fill(element, state === "rows" ? grid : isWhole ? empty()
          : h("p", { class: "quiet" }, "None among those read so far."));
      }
    });
  };
  /**
   * Marks the row that is open.
   * @param {string} name
   */
  const mark = (name) => {
    known.get(current)?.removeAttribute("aria-current");
    current = name;
    known.get(name)?.setAttribute("aria-current", "true");
  };
  return {
    element, show, mark,
    /** @param {string} name */
    rowOf: (name) => known.get(name),
    /** Makes rows anew at the next `show`, since what they say changed. */
    renew: () => {
      isStale = true;
    },
  };
}

/**
 * Walks through the rows of every table of the page.
 * @param {number} step
 */
function walk(step) {
  const rows = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("main tbody tr")]);
  const focused = rows.findIndex((row) => row.contains(document.activeElement));
  const from = focused >= 0 ? focused
    : rows.findIndex((row) => row.hasAttribute("aria-current"));
  const to = rows[from < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, from + step))];
  /** @type {HTMLElement | null | undefined} */ (to?.querySelector("a, button"))?.focus();
  to?.scrollIntoView({ block: "nearest" });
}

bind("j", "Next row", () => walk(1));
bind("k", "Previous row", () => walk(-1));

/**
 * A table of rows that are there already.
 * @template T
 * @param {Omit<TableOptions<T>, "key"> & {rows: T[]}} options
 */
export function plainTable({ rows, ...options }) {
  const keys = new Map(rows.map((row, index) => [row, String(index)]));
  const list = table({ ...options, key: (row) => keys.get(row) ?? "", isPlain: true });
  list.show(rows);
  return list.element;
}

/**
 * A table of a list that comes in pages.
 * @template T
 * @param {TableOptions<T> & {load: (after: string | number | undefined, signal: AbortSignal) =>
 *   Promise<{rows: T[], next?: string | number}>}} options
 */
export function pagedTable({ load, ...options }) {
  const { signal } = options;
  const list = table(options);
  const foot = h("div", { class: "more" });
  const element = h("div", null, list.element, foot);
  /** @type {T[]} */
  let rows = [];
  /** @type {string | number | undefined} */
  let next;
  let hasMore = false;
  let turn = 0;
  /** Whether a refresh waits for the read that is under way. */
  let isBehind = false;
  let failed = "";
  /** Whether the foot says why there is no next page, until it is asked for again. */
  let lacksMore = false;
  const draw = () => {
    list.element.hidden = false;
    list.show(rows, next === undefined);
    lacksMore &&= next !== undefined;
    if (!lacksMore) {
      failed = "";
      keepingPlace(element, () => fill(foot, next === undefined ? null
        : h("button", { type: "button", onclick: () => read(next) }, "Show more")));
    }
  };
  /** @param {unknown} error @param {string | number} [after] */
  const fail = (error, after) => {
    if (failed !== String(error)) {
      failed = String(error);
      keepingPlace(element, () => fill(foot, failure(error),
        h("button", { type: "button", onclick: () => read(after === undefined ? undefined : next) },
        "Try again")));
    }
  };
  /** @param {string | number} [after] */
  const read = async (after) => {
    turn += 1;
    const mine = turn;
    failed = "";
    lacksMore = false;
    element.setAttribute("aria-busy", "true");
    try {
      const page = await load(after, signal);
      if (mine !== turn || signal.aborted) {
        return;
      }
      hasMore = after !== undefined;
      rows = hasMore ? [...rows, ...page.rows] : page.rows;
      next = page.next;
      if (!hasMore) {
        list.renew();
      }
      draw();
    } catch (error) {
      if (mine === turn && !signal.aborted) {
        lacksMore = after !== undefined;
        // The rows may be those of another filter.
        list.element.hidden ||= !lacksMore && !isPassing(error);
        fail(error, after);
      }
    } finally {
      if (mine === turn) {
        element.removeAttribute("aria-busy");
        if (isBehind && !signal.aborted) {
          isBehind = false;
          void refresh();
        }
      }
    }
  };
  /** Takes what changed in the first page; rows that did not keep their focus. */
  const refresh = oneAtATime(async () => {
    const mine = turn;
    // What is read now follows on the rows as they are.
    if (element.hasAttribute("aria-busy")) {
      isBehind = true;
      return;
    }
    try {
      const page = await load(undefined, signal);
      if (mine !== turn) {
        void refresh();
      } else if (!signal.aborted) {
        take(page);
        draw();
      }
    } catch (error) {
      if (mine === turn && !signal.aborted && !isPassing(error)) {
        list.element.hidden = true;
        // "Try again" of a next page would not read the first one, whatever the failures say.
        if (lacksMore) {
          failed = "";
        }
        lacksMore = false;
        fail(error);
      }
    }
  });
  /**
   * The first page anew, and the rows after its last one, if more were shown and it is among them.
   * @param {{rows: T[], next?: string | number}} page
   */
  const take = (page) => {
    const names = new Set(page.rows.map(options.key));
    const end = [...names].pop();
    const last = hasMore ? rows.findIndex((row) => options.key(row) === end) : -1;
    const more = last < 0 || page.next === undefined ? []
      : rows.slice(last + 1).filter((row) => !names.has(options.key(row)));
    hasMore = more.length > 0;
    rows = [...page.rows, ...more];
    next = hasMore ? next : page.next;
  };
  fill(list.element, h("p", { class: "quiet" }, "Loading…"));
  void read();
  return { element, reload: () => read(), refresh };
}

/**
 * A table of a list of the store, which follows it. What `matches` says is filtered here.
 * @template T
 * @param {TableOptions<T> & {world: import("../connection.js").World, path: string,
 *   member?: string, query?: () => import("../connection.js").Query,
 *   matches?: (row: T) => boolean}} options `member` has the rows; the path if absent.
 */
export function storeTable({ world, path, member = path, query, matches, ...options }) {
  const list = pagedTable({
    ...options,
    load: (after, signal) => matching(async (after) => {
      const answer = await world.get(path, { ...query?.(), after }, signal);
      return { rows: /** @type {T[]} */ (answer[member]), next: answer.next };
    }, matches ?? (() => true), after),
  });
  keepFresh(list.refresh, options.signal);
  return list;
}

/**
 * A page of the rows that match, of a list that the store gives unfiltered.
 * @template T
 * @param {(after: string | number | undefined) =>
 *   Promise<{rows: T[], next?: string | number}>} load
 * @param {(row: T) => boolean} matches
 * @param {string | number} [after]
 */
export async function matching(load, matches, after) {
  /** @type {T[]} */
  const rows = [];
  let next = after;
  for (let page = 0; page < pagesMax; page += 1) {
    const answer = await load(next);
    rows.push(...answer.rows.filter(matches));
    next = answer.next;
    if (next === undefined || rows.length >= matchesMin) {
      break;
    }
  }
  return { rows, next };
}

/** @param {unknown} one @param {unknown} other */
function isSame(one, other) {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** @param {MouseEvent} event */
function opened(event) {
  const target = /** @type {Element} */ (event.target);
  const row = /** @type {HTMLElement} */ (event.currentTarget);
  const link = row.querySelector("a");
  if (link !== null && target.closest("a, button, input") === null &&
    String(getSelection()) === "") {
    location.hash = link.hash;
  }
}

/** @param {{isWide?: boolean, isNumber?: boolean}} column */
function classOf({ isWide, isNumber }) {
  return `${isWide ? "wide" : ""} ${isNumber ? "number" : ""}`.trim() || null;
}
