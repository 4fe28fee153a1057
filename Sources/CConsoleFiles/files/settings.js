// What this browser remembers: how the console looks and speaks. Nothing of the store.

/** @typedef {"theme" | "times" | "announcements"} Name */

/** @type {Record<Name, string[]>} */
const choices = {
  theme: ["system", "light", "dark"],
  times: ["utc", "local"],
  announcements: ["on", "off"],
};

const changes = new EventTarget();

/**
 * The choice in force; the first one until another was made.
 * @param {Name} name
 */
export function setting(name) {
  const stored = localStorage.getItem(`bodega.${name}`) ?? "";
  return choices[name].includes(stored) ? stored : choices[name][0];
}

/**
 * Goes on to the next choice of a setting.
 * @param {Name} name
 */
export function switchSetting(name) {
  const list = choices[name];
  localStorage.setItem(`bodega.${name}`, list[(list.indexOf(setting(name)) + 1) % list.length]);
  changes.dispatchEvent(new Event(name));
}

/** @param {Name} name @param {() => void} changed @param {AbortSignal} [signal] */
export function whenSettingChanges(name, changed, signal) {
  changes.addEventListener(name, changed, { signal });
}

/**
 * The address of the other server's console, as the reader entered it.
 * @param {"backend" | "store"} server
 */
export function keptAddress(server) {
  return localStorage.getItem(`bodega.${server}`) ?? "";
}

/**
 * Keeps it without what stands behind the `#`: a code is good once.
 * @param {"backend" | "store"} server @param {string} address
 */
export function keepAddress(server, address) {
  localStorage.setItem(`bodega.${server}`, address.trim().split("#")[0]);
}
