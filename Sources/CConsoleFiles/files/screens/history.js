// The history of the world: purchases, renewals, refunds and more.

import { at } from "../connection.js";
import { h } from "../dom.js";
import { money, phrase, time } from "../format.js";
import { codeBlock, empty, facts, id, loaded } from "../parts/basics.js";
import { choice, environments } from "../parts/filters.js";
import { liveList } from "../parts/live.js";
import { apps, environmentOfSearch } from "../parts/suggest.js";

const kinds = ["purchased", "finished", "restored", "renewed", "renewalFailed", "renewalChanged",
  "gracePeriodEnded", "expired", "replaced", "extended", "extensionFailed", "periodMoved",
  "priceIncreased", "priceConsent", "refundRequested", "refundDeclined", "refundReversed",
  "revoked", "deleted", "declined", "shared", "storefrontChanged", "appAccountTokenSet"];

/** @typedef {{number: number, at: number, kind: string, account: string, environment: string,
 *   bundleId: string, productId?: string, transactionId?: string, subject?: string}} Event */

/** @param {import("./index.js").Context} context */
export function history(context) {
  const { world } = context;
  const chooseEnvironment = environmentOfSearch(world, context.signal);
  const list = liveList({
    context, path: "events", tab: "history", label: "History", search: "A customer's whole name",
    choices: [
      choice("kind", "Kind", kinds),
      choice("environment", "Environment", environments),
      { name: "app", label: "App", choices: [["", "All"]], more: async () =>
        (await apps(world)()).map(([bundleId]) => [bundleId, bundleId]) },
    ],
    query: ({ q, kind, environment, app }) => ({ account: q, kind, environment, app }),
    rows: (answer) => /** @type {Event[]} */ (answer.events),
    columns: [
      { title: "Time", cell: (event) => time(event.at) },
      { title: "Kind", isLink: true, cell: (event) => phrase(event.kind) },
      { title: "Customer", cell: (event) => event.account },
      { title: "Product", isWide: true, cell: (event) => id(event.productId ?? "–") },
      { title: "Environment", isWide: true, cell: (event) => phrase(event.environment) },
    ],
    empty: () => empty("Nothing has happened here yet.",
      world, ["buy", "PRODUCT", "--account", "buyer@example.com"]),
    inspect: (number, signal) => loaded(signal,
      (signal) => world.get(at`events/${number}`, {}, signal),
      ({ event, transaction }) => [
        h("h2", null, phrase(event.kind)),
        facts([
          ["Number", event.number], ["Time", time(event.at)], ["Customer", event.account],
          ["Environment", phrase(event.environment)], ["App", id(event.bundleId)],
          ["Product", event.productId && id(event.productId)],
          ["Transaction", event.transactionId && id(event.transactionId)],
          ["About", event.subject],
          ["Price", transaction && money(transaction.priceMilliunits, transaction.currency)],
          ["State", transaction && phrase(transaction.state)],
        ]),
        codeBlock("Event as JSON", JSON.stringify({ event, transaction }, null, 2)),
      ]).element,
  });
  void chooseEnvironment(context.place.filters);
  return { element: list.element,
    /** @param {import("../address.js").Place} place */
    update: (place) => {
      list.update(place);
      void chooseEnvironment(place.filters);
    } };
}
