// Small parts that every screen is made of.

import { hrefOf } from "../address.js";
import { bodegaCommand } from "../command.js";
import { fill, h } from "../dom.js";
import { connection, isPassing, StoreError } from "../connection.js";
import { oneAtATime } from "../follow.js";
import { time } from "../format.js";
import { announce } from "../notices.js";

const freshMilliseconds = 5000;

/** @typedef {import("../command.js").Words} Words */
/** @typedef {import("../dom.js").Child} Child */
/** @typedef {"good" | "bad" | "warn" | "quiet"} Tone */

/**
 * A state as a word on a coloured ground.
 * @param {string} text
 * @param {Tone} [tone]
 */
export function chip(text, tone = "quiet") {
  return h("span", { class: `chip ${tone}` }, text);
}

/** @param {number} status @param {string} [code] */
export function statusChip(status, code) {
  const tone = status >= 500 ? "bad" : status >= 400 || code !== undefined ? "warn" : "good";
  return chip(code === undefined ? String(status) : `${status} · ${code}`, tone);
}

/**
 * A monospace text such as an id.
 * @param {string | number} text
 */
export function id(text) {
  return h("code", { class: "id" }, text);
}

/**
 * Facts as a list of names and values; those without a value are left out.
 * @param {[string, Child | Child[]][]} facts
 */
export function facts(facts) {
  return h("dl", { class: "facts" }, facts
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .flatMap(([name, value]) => [h("dt", null, name), h("dd", null, value)]));
}

/**
 * A heading with its actions at the end of the line.
 * @param {string} title
 * @param {...Child} actions
 */
export function heading(title, ...actions) {
  return h("div", { class: "heading" }, h("h2", null, title), h("div", null, actions));
}

/**
 * Links to what the screen's thing is part of.
 * @param {[string, string[]][]} links Titles and paths.
 */
export function crumbs(...links) {
  return h("nav", { class: "crumbs", "aria-label": "Up" },
    links.map(([title, path]) => h("a", { href: hrefOf({ path }) }, title)));
}

/**
 * Links that look like tabs.
 * @param {string} label
 * @param {{title: string, path: string[]}[]} tabs
 * @param {string} current The last of its path.
 */
export function tabs(label, tabs, current) {
  return h("nav", { class: "tabs", "aria-label": label }, tabs.map(({ title, path }) =>
    h("a", {
      href: hrefOf({ path }), "aria-current": path.at(-1) === current ? "page" : null,
    }, title)));
}

/**
 * A text to copy, with its button.
 * @param {string} label
 * @param {() => string} text
 */
export function copyButton(label, text) {
  return h("button", {
    type: "button", class: "plain",
    onclick: async (/** @type {MouseEvent} */ event) => {
      const button = /** @type {HTMLButtonElement} */ (event.currentTarget);
      try {
        await navigator.clipboard.writeText(text());
        fill(button, "Copied");
        announce("Copied");
      } catch {
        fill(button, "Copying is not allowed");
      }
      setTimeout(() => fill(button, label), 2000);
    },
  }, label);
}

/**
 * A block of text that scrolls by keys too.
 * @param {string} label
 * @param {string} text
 */
export function codeBlock(label, text) {
  const block = h("pre", { tabindex: "0", role: "group", "aria-label": label }, text);
  return h("div", { class: "code" }, block, copyButton("Copy", () => block.textContent ?? ""));
}

/**
 * A `bodega` command to copy.
 * @param {import("../connection.js").World} world
 * @param {Words} words
 */
export function commandBlock(world, words) {
  return codeBlock("bodega command", bodegaCommand(world, words));
}

/**
 * A button that saves what it loads as a file of the reader's.
 * @param {string} label
 * @param {string} name
 * @param {() => Promise<string | Blob>} load
 */
export function saveButton(label, name, load) {
  const failed = h("span");
  const save = async () => {
    fill(failed);
    try {
      const href = URL.createObjectURL(new Blob([await load()]));
      h("a", { href, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(href), 10_000);
      announce(`Saved ${name}`);
    } catch (error) {
      fill(failed, failure(error));
    }
  };
  return h("span", null, h("button", { type: "button", onclick: save }, label), failed);
}

/**
 * Writes another text into such a block.
 * @param {HTMLElement} block @param {string} text
 */
export function write(block, text) {
  const pre = block.querySelector("pre");
  if (pre !== null && pre.textContent !== text) {
    fill(pre, text);
  }
}

/** @param {unknown} error */
export function sentenceOf(error) {
  return error instanceof StoreError ? error.message : String(error);
}

/**
 * A failure with its code and sentence.
 * @param {unknown} error
 */
export function failure(error) {
  const code = error instanceof StoreError ? error.code : "console";
  return h("p", { class: "failure", role: "alert" }, h("code", null, code), " ", sentenceOf(error),
    code !== "worldUnknown" ? null : [" ",
      h("a", { href: hrefOf({ world: "default", path: [] }) }, "Go to the default world")]);
}

/**
 * What an empty list says, with the command that fills it.
 * @param {string} text
 * @param {import("../connection.js").World} [world]
 * @param {Words} [words] The words after `bodega`.
 */
export function empty(text, world, words) {
  return h("div", { class: "empty" }, h("p", null, text),
    world === undefined || words === undefined ? null : commandBlock(world, words));
}

/**
 * Redraws an area. Open parts stay open, and the focus that was in the area goes to what took the
 * place of its element: by the row of a table, the text, and which of those with the same text it
 * is. Parts are told apart by their summaries: each must be the only one of its row, or of all that
 * is outside of tables.
 * @param {HTMLElement} area @param {() => void} draw
 */
export function keepingPlace(area, draw) {
  /** @param {Element} part */
  const nameOf = (part) => `${rowName(part)} ${part.querySelector("summary")?.textContent}`;
  const open = new Set([...area.querySelectorAll("details[open]")].map(nameOf));
  const change = () => {
    draw();
    area.querySelectorAll("details").forEach((part) => {
      part.open ||= open.has(nameOf(part));
    });
  };
  const focused = document.activeElement;
  if (focused === null || focused === area || !area.contains(focused)) {
    change();
    return;
  }
  const row = rowName(focused);
  /** @param {Element} element */
  const isLike = (element) => element.textContent === focused.textContent &&
    rowName(element) === row;
  const like = () => [...area.querySelectorAll(focused.tagName)].filter(isLike);
  const place = like().indexOf(focused);
  change();
  if (document.activeElement !== focused) {
    const twin = focused.isConnected ? focused : like()[place] ?? area;
    area.tabIndex = -1;
    /** @type {HTMLElement} */ (twin).focus({ preventScroll: true });
  }
}

/** @param {Element} element What tells its row from others; undefined outside of tables. */
function rowName(element) {
  const row = element.closest("tr");
  return row?.dataset.key ?? row?.cells[0]?.textContent;
}

/**
 * A part of the page that is loaded; a newer load wins over an older one that ends late.
 * @template T
 * @param {AbortSignal} signal
 * @param {(signal: AbortSignal) => Promise<T>} load
 * @param {(answer: T) => Child | Child[]} render
 */
export function loaded(signal, load, render) {
  const element = h("div", { class: "loaded" });
  let turn = 0;
  let drawn = "";
  /** @param {string} text What is shown, to tell whether it changed. @param {() => any} content */
  const draw = (text, content) => {
    if (text !== drawn) {
      drawn = text;
      keepingPlace(element, () => fill(element, content()));
    }
  };
  /** @param {unknown} error */
  const fail = (error) => draw(String(error), () =>
    [failure(error), h("button", { type: "button", onclick: reload }, "Try again")]);
  const reload = async () => {
    turn += 1;
    const mine = turn;
    element.setAttribute("aria-busy", "true");
    try {
      const answer = await load(signal);
      if (mine === turn && !signal.aborted) {
        drawn = "";
        draw(JSON.stringify(answer), () => render(answer));
      }
    } catch (error) {
      if (mine === turn && !signal.aborted) {
        drawn = "";
        fail(error);
      }
    } finally {
      if (mine === turn) {
        element.removeAttribute("aria-busy");
      }
    }
  };
  /** Shows the answer anew if it is another one. */
  const refresh = oneAtATime(async () => {
    const mine = turn;
    try {
      const answer = await load(signal);
      if (mine === turn && !signal.aborted) {
        draw(JSON.stringify(answer), () => render(answer));
      }
    } catch (error) {
      if (mine === turn && !signal.aborted && !isPassing(error)) {
        fail(error);
      }
    }
  });
  fill(element, h("p", { class: "quiet" }, "Loading…"));
  void reload();
  return { element, reload, refresh };
}

/**
 * A part of the page that is loaded, and follows the store.
 * @template T
 * @param {AbortSignal} signal
 * @param {(signal: AbortSignal) => Promise<T>} load
 * @param {(answer: T) => Child | Child[]} render
 */
export function fresh(signal, load, render) {
  const { element, refresh } = loaded(signal, load, render);
  keepFresh(refresh, signal);
  return element;
}

/**
 * Runs after each action, and again and again while the page is looked at.
 * @param {() => void} run
 * @param {AbortSignal} signal
 */
export function keepFresh(run, signal) {
  const timer = setInterval(() => document.hidden || run(), freshMilliseconds);
  signal.addEventListener("abort", () => clearInterval(timer));
  connection.addEventListener("changed", run, { signal });
}

/**
 * What happened to one thing, in its order; a step without a time is still to come.
 * @param {[number | undefined, Child | Child[]][]} steps
 */
export function stepList(steps) {
  return h("ol", { class: "timeline" }, steps.map(([at, text]) =>
    h("li", { class: at === undefined ? "quiet" : null },
      at === undefined ? null : time(at), h("div", null, text))));
}

/**
 * A customer's name, which leads to the customer.
 * @param {string} environment
 * @param {string} name
 */
export function customerLink(environment, name) {
  return h("a", { href: hrefOf({ screen: "customers", path: [environment, name] }) }, name);
}
