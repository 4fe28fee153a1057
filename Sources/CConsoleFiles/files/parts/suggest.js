// What the fields of an action suggest: names that the world has.

import { place, setFilters } from "../address.js";
import { money } from "../format.js";

/** @typedef {import("../connection.js").World} World */
/** @typedef {() => Promise<[string, string][]>} Suggest */

const suggestionsMax = 50;

/** @param {World} world @returns {Suggest} */
export function accounts(world) {
  return async () => {
    const { accounts } = await world.get("accounts", { order: "newest", limit: suggestionsMax });
    return accounts.map((/** @type {any} */ { name, environment }) => [name, environment]);
  };
}

/** @param {World} world @returns {Suggest} */
export function apps(world) {
  return async () => {
    const { apps } = await world.get("apps");
    return apps.map((/** @type {any} */ { bundleId }) => [bundleId, ""]);
  };
}

/**
 * The newest purchases.
 * @param {World} world
 * @returns {Suggest}
 */
export function transactions(world) {
  return async () => {
    const { transactions } = await world.get("transactions",
      { order: "newest", limit: suggestionsMax });
    return transactions.map((/** @type {any} */ sale) => [sale.transactionId,
      `${sale.productId}, ${money(sale.priceMilliunits, sale.currency)}, ${sale.account}`]);
  };
}

/**
 * Puts the environment of the customer that is searched for into the address: the store takes a
 * name together with one, and the sandbox if none is given.
 * @param {World} world
 * @param {AbortSignal} signal
 */
export function environmentOfSearch(world, signal) {
  let looked = "";
  /** @param {Record<string, string>} filters */
  return async ({ q = "", environment }) => {
    if (q === looked || q === "") {
      looked = q;
      return;
    }
    looked = q;
    const { accounts } = await world.get("accounts", { search: q, limit: 200 }, signal)
      .catch(() => ({ accounts: [] }));
    const found = accounts.filter((/** @type {any} */ { name }) => name === q)
      .map((/** @type {any} */ account) => account.environment);
    if (place().filters.q === q && !signal.aborted && !found.includes(environment)) {
      setFilters({ environment: found.includes("sandbox") ? "sandbox" : found[0] ?? environment });
    }
  };
}
