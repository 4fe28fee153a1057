// The screens, in the order of the navigation. A new one is a line here and a module.

/** @typedef {import("../connection.js").World} World */
/** @typedef {import("../address.js").Place} Place */

/**
 * What a screen is given. The signal aborts when the reader leaves it.
 * @typedef {object} Context
 * @property {World} world
 * @property {Place} place
 * @property {AbortSignal} signal
 */

/**
 * What a screen gives: its element, and how it follows an address that stays on the screen.
 * Without `update`, or where `holds` is false, the screen is shown anew.
 * @typedef {{element: HTMLElement, update?: (place: Place) => void,
 *   holds?: (place: Place) => boolean}} View
 */

/**
 * A tab of a screen, which may follow the filters of its address.
 * @typedef {{element: HTMLElement, update?: (filters: Record<string, string>) => void}} Part
 */

/** @typedef {{show: (context: Context) => View}} ScreenModule */
/** @typedef {{name: string, key: string, title: string,
 *   load: () => Promise<ScreenModule>}} Screen */

/** @type {Screen[]} */
export const screens = [
  { name: "now", key: "n", title: "Now", load: () => import("./now.js") },
  { name: "shop", key: "s", title: "Shop", load: () => import("./shop.js") },
  { name: "customers", key: "c", title: "Customers", load: () => import("./customers.js") },
  { name: "approvals", key: "a", title: "Approvals", load: () => import("./approvals.js") },
  { name: "subscriptions", key: "u", title: "Subscriptions",
    load: () => import("./subscriptions.js") },
  { name: "refunds", key: "r", title: "Refunds", load: () => import("./refunds.js") },
  { name: "notifications", key: "o", title: "Notifications",
    load: () => import("./notifications.js") },
  { name: "receipts", key: "e", title: "Receipts", load: () => import("./receipts.js") },
  { name: "faults", key: "f", title: "Faults", load: () => import("./faults.js") },
  { name: "worlds", key: "w", title: "Worlds", load: () => import("./worlds.js") },
  { name: "ledger", key: "l", title: "Ledger", load: () => import("./ledger.js") },
  { name: "settings", key: "t", title: "Settings", load: () => import("./settings.js") },
];
