// Where the reader is, in the address: #/WORLD/SCREEN/part/part?filter=value

/**
 * @typedef {object} Place
 * @property {string} world
 * @property {string} screen
 * @property {string[]} path What of the screen, such as an environment and a customer.
 * @property {Record<string, string>} filters
 */

/** @typedef {{world?: string, screen?: string, path?: string[],
 *   filters?: Record<string, string | null | undefined>}} PlaceChange */

const firstScreen = "now";

/**
 * The place of an address's fragment.
 * @param {string} [hash]
 * @returns {Place}
 */
export function place(hash = location.hash) {
  const [names, query] = split(hash.replace(/^#\/?/, ""));
  const [world, screen, ...path] = names.split("/").filter((name) => name !== "").map(decoded);
  return {
    world: world ?? "default", screen: screen ?? firstScreen, path,
    filters: Object.fromEntries(new URLSearchParams(query)),
  };
}

/**
 * The fragment of a place. What is not named stays as it is here; another screen or path begins
 * without filters.
 * @param {PlaceChange} change
 */
export function hrefOf(change) {
  const here = place();
  const screen = change.screen ?? here.screen;
  const staysOnScreen = screen === here.screen && (change.world ?? here.world) === here.world;
  const path = change.path ?? (staysOnScreen ? here.path : []);
  const filters = change.filters ?? {};
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) {
    if (value !== null && value !== undefined && value !== "") {
      query.set(name, value);
    }
  }
  const names = [change.world ?? here.world, screen, ...path].map(encodeURIComponent).join("/");
  const text = query.toString();
  return `#/${names}${text === "" ? "" : `?${text}`}`;
}

/**
 * Goes to a place; the browser's Back returns.
 * @param {PlaceChange} change
 */
export function goTo(change) {
  location.hash = hrefOf(change);
}

/**
 * Changes filters of the present place without an entry in the history.
 * @param {Record<string, string | null | undefined>} filters
 */
export function setFilters(filters) {
  const href = hrefOf({ filters: { ...place().filters, ...filters } });
  if (href !== location.hash) {
    history.replaceState(null, "", href);
    window.dispatchEvent(new Event("hashchange"));
  }
}

/** @param {string} text @returns {[string, string]} */
function split(text) {
  const index = text.indexOf("?");
  return index < 0 ? [text, ""] : [text.slice(0, index), text.slice(index + 1)];
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
