// The bar above a list: a search and choices, kept in the address.

import { h, uniqueID } from "../dom.js";
import { place, setFilters } from "../address.js";
import { phrase } from "../format.js";
import { bind } from "../keys.js";

/** @typedef {import("../dom.js").Child} Child */
/**
 * The first choice stands for no filter; more may come from the store.
 * @typedef {{name: string, label: string, choices: [string, string][],
 *   more?: () => Promise<[string, string][]>}} Choice
 */

const typingMilliseconds = 200;

export const environments = ["sandbox", "production"];

/**
 * Choices with what they are called.
 * @param {string[]} values
 */
export function titled(values) {
  return values.map((value) => /** @type {[string, string]} */ ([value, phrase(value)]));
}

/**
 * A choice among all, or those of one value.
 * @param {string} name @param {string} label @param {string[]} values
 * @returns {Choice}
 */
export function choice(name, label, values) {
  return { name, label, choices: [["", "All"], ...titled(values)] };
}

/**
 * @param {object} options
 * @param {string} [options.search] What the search finds; its filter is `q`.
 * @param {Choice[]} [options.choices]
 * @param {Child[]} [options.actions]
 * @param {AbortSignal} options.signal
 */
export function filterBar({ search, choices = [], actions = [], signal }) {
  const present = place().filters;
  const bar = h("div", { class: "filters", role: "search" });
  /** @type {Map<string, HTMLInputElement | HTMLSelectElement>} */
  const fields = new Map();
  if (search !== undefined) {
    const field = h("input", {
      type: "search", id: uniqueID("search"), placeholder: search, "aria-label": search,
      autocomplete: "off", spellcheck: "false", value: present.q ?? "",
    });
    let timer = 0;
    field.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => !signal.aborted && setFilters({ q: field.value }),
        typingMilliseconds);
    });
    // From there j and k walk the rows.
    field.addEventListener("keydown", ({ key }) => key === "Enter" && field.blur());
    bind("/", search, () => field.select(), signal);
    fields.set("q", field);
    bar.append(field);
  }
  for (const { name, label, choices: list, more } of choices) {
    const id = uniqueID("choice");
    /** @type {HTMLSelectElement} */
    const field = h("select", { id, onchange: () => setFilters({ [name]: field.value }) },
      list.map(([value, title]) => h("option", { value }, title)));
    fields.set(name, field);
    field.value = present[name] ?? list[0][0];
    more?.().then((names) => {
      field.append(...names.map(([value, title]) => h("option", { value }, title)));
      field.value = place().filters[name] ?? list[0][0];
    }).catch(() => {});
    bar.append(h("label", { for: id }, h("span", null, label), field));
  }
  bar.append(h("div", { class: "actions" }, actions));
  window.addEventListener("hashchange", () => {
    const { filters } = place();
    fields.forEach((field, name) => {
      if (field !== document.activeElement) {
        field.value = filters[name] ?? "";
      }
    });
  }, { signal });
  return bar;
}
