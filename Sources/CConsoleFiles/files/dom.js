// Elements, made without markup: what a client sent reaches the page as text alone.

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {string | number | boolean | null | undefined | ((event: any) => void)} Value */
/** @typedef {Record<string, Value>} Attributes */

const hidden = new RegExp(
  "[\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F\\u00AD\\u061C\\u180E\\u200B-\\u200F" +
  "\\u2028-\\u202E\\u2060-\\u206F\\uFEFF\\uFFF9-\\uFFFB\\u{E0000}-\\u{E007F}\\p{Surrogate}]", "gu");

/**
 * The text with its hidden and direction-changing characters as escapes, so that a name cannot
 * pass for another one. Line breaks and tabs stay.
 * @param {string} text
 * @param {(character: string) => string} [escape]
 */
export function visible(text, escape = (character) =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`) {
  return text.replace(hidden, escape);
}

/**
 * An element. `on…` attributes are listeners; `false`, `null` and `undefined` leave one out.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes | null} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  set(element, attributes);
  element.append(...nodes(children));
  return element;
}

/**
 * An element of SVG.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes | null} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(element, attributes);
  element.append(...nodes(children));
  return element;
}

/**
 * Replaces what an element contains.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
}

/** @param {Element} element @param {Attributes | null} [attributes] */
function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) {
      continue;
    } else if (typeof value === "function") {
      element.addEventListener(name.replace(/^on/, ""), value);
    } else if (name === "value" && "value" in element) {
      /** @type {HTMLInputElement} */ (element).value = String(value);
    } else {
      element.setAttribute(name, value === true ? "" : visible(String(value)));
    }
  }
}

/** @param {(Child | Child[])[]} children @returns {(Node | string)[]} */
function nodes(children) {
  return /** @type {Child[]} */ (children.flat())
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => child instanceof Node ? child : visible(String(child)));
}

// Addresses break behind their marks, but not before a short end such as .com. Words without such
// marks, for example digests, break every 16 characters.
const breaks =
  /(?<=\w(?:[/@?&=:_>-]|\.(?=.*\.|.{5})))(?=[^/@?&=:._-])|(?<=^(?:[^\W_]{16})+)(?=[^\W_])/;

/**
 * Lets the long words of an element break where they may, so that none breaks elsewhere.
 * @param {Element} element
 */
export function allowBreaks(element) {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  /** @type {Text[]} */
  const found = [];
  while (texts.nextNode()) {
    const text = /** @type {Text} */ (texts.currentNode);
    if (/\S{14}/.test(text.data)) {
      found.push(text);
    }
  }
  for (const text of found) {
    text.replaceWith(...text.data.split(/(?<=\s)/).flatMap((word) =>
      word.split(breaks).flatMap((part, index) =>
        index === 0 ? part : [document.createElement("wbr"), part])));
  }
}

/** Tells browsers that a form with a password has no name to remember with it. */
export function noName() {
  return h("input", { type: "text", autocomplete: "username", hidden: true, readonly: true });
}

/** Resolves when the page as it is now has been painted; soon, where nothing is painted. */
export function painted() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, 200);
  });
}

let count = 0;

/**
 * An id that no other element has, for labels and descriptions.
 * @param {string} name
 */
export function uniqueID(name) {
  count += 1;
  return `${name}-${count}`;
}
