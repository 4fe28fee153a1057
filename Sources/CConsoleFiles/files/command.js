// What was clicked, as a line for a shell: nothing typed in it can end a word.

import { queryText, World } from "./connection.js";
import { visible } from "./dom.js";

/** Stands for a secret in a request that is shown. */
export const hiddenSecret = "\u0001secret\u0001";

/** The default world: it has the list of worlds, and commands that take no world are its own. */
export const root = new World("default");

/**
 * The words of a command. Those in a list of their own are somebody's, and stand for no option: a
 * name may begin as one does. From the first such list on, every word that is no option is in it.
 * @typedef {(string | null | undefined | false | string[])[]} Words
 */
/** @typedef {{method: string, path: string, query?: import("./connection.js").Query,
 *   body?: unknown}} StoreRequest */

/**
 * A text as one word of a shell. Characters that nobody sees are written as their bytes, so that
 * the word that is shown is the word that is meant.
 * @param {string} text
 */
export function quoted(text) {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(text)) {
    return text;
  }
  return text.split(hiddenSecret).map(quotedPart).join('"$PASSWORD"') || "''";
}

/** @param {string} text */
function quotedPart(text) {
  const shown = visible(text.replace(/[\\']/g, "\\$&"), octal);
  return text === "" ? "" : visible(text) === text ? `'${text.replaceAll("'", "'\\''")}'`
    : `$'${shown}'`;
}

/** @param {string} character */
function octal(character) {
  return [...new TextEncoder().encode(character)]
    .map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}

/**
 * A value as JSON whose hidden characters are escaped.
 * @param {unknown} value
 */
function json(value) {
  return visible(JSON.stringify(value), (character) => Array.from({ length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`).join(""));
}

/**
 * An option and its value, or nothing if it has none.
 * @param {string} name
 * @param {string | number | null | undefined | false} value
 */
export function option(name, value) {
  return value === "" || value === null || value === undefined || value === false ? []
    : [name, String(value)];
}

/** What `bodega` understands wherever it stands, also as the value of an option. */
const understood = ["-h", "--help", "--json", "--"];

/**
 * `bodega …` in a world; words that begin as options do come last, after `--`.
 * @param {World} world
 * @param {Words} words
 */
export function bodegaCommand(world, words) {
  const free = words.filter(Array.isArray).flat();
  const isPlain = !free.some((word) => String(word).startsWith("-"));
  const others = isPlain ? words.flat() : words.filter((word) => !Array.isArray(word));
  /** @type {string[]} */
  const list = [...world.program];
  for (const word of others) {
    if (typeof word === "string" && understood.includes(word)) {
      list.push(`${list.pop()}=${word}`);
    } else if (word !== null && word !== undefined && word !== false) {
      list.push(String(word));
    }
  }
  list.push(...(world.isDefault ? [] : ["--world", world.name]),
    ...(isPlain ? [] : ["--", ...free.map(String)]));
  return list.map(quoted).join(" ");
}

/** @param {World} world @param {StoreRequest} request */
export function curlCommand(world, { method, path, query, body }) {
  return curl(method, location.origin + world.base + path + queryText(query),
    body === undefined || body instanceof File ? body : json(body), true,
    world.tokenVariable);
}

/**
 * @param {string} method @param {string} url @param {string | File | undefined} body
 * @param {boolean} hasToken
 * @param {string} [tokenVariable] The variable of the shell that has the token.
 */
export function curl(method, url, body, hasToken, tokenVariable = "BODEGA_TOKEN") {
  // Its own patterns, such as [1-3], are no part of an address.
  const literal = /[[\]{}]/.test(url) ? "-g " : "";
  const lines = [`curl ${literal}${method === "GET" ? "" : `-X ${method} `}${quoted(url)}`];
  if (hasToken) {
    lines.push(`-H "Authorization: Bearer $${tokenVariable}"`);
  }
  if (body !== undefined) {
    const hidden = JSON.stringify(hiddenSecret).slice(1, -1);
    lines.push("-H 'Content-Type: application/json'");
    lines.push(body instanceof File ? `--data-binary ${quoted(`@${body.name}`)}`
      : `-d ${quoted(body.replaceAll(hidden, hiddenSecret))}`);
  }
  return lines.join(" \\\n  ");
}
