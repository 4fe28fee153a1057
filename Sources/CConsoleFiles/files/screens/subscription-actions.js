// What can be done to a subscription.

import { option } from "../command.js";
import { at } from "../connection.js";
import { money, phrase } from "../format.js";
import { expirationReasons } from "../parts/life.js";

/** @typedef {import("../action.js").Action} Action */
/** @typedef {import("../parts/life.js").Subscription} Subscription */
/** @typedef {{productId: string, price: string}} Product Of the subscription's group. */
/** @typedef {{offerId?: string, paymentMode: string, period: string, numberOfPeriods: number,
 *   priceMilliunits: number}} Offer */

/** @type {Record<string, number>} Apple's numbers by the command's words. */
const endings = { voluntary: 1, billing: 2, price: 3, unavailable: 4, other: 5 };

/**
 * @param {Subscription} subscription
 * @param {object} options
 * @param {Product[]} options.products
 * @param {Offer[]} options.offers Win-back offers that the customer can take now.
 * @param {number} [options.question] The number of a price question without an answer.
 * @returns {Action[]}
 */
export function ofSubscription(subscription, { products, offers, question }) {
  const { originalTransactionId: original, state, autoRenews, failsBilling } = subscription;
  const isActive = state === "active";
  const isOwed = state === "gracePeriod" || state === "billingRetry";
  const isOver = !isActive && !isOwed;
  /**
   * @param {string} path @param {string} title @param {string} text
   * @param {Partial<Action>} [more]
   * @returns {Action}
   */
  const plain = (path, title, text, more) => ({
    title, text,
    request: () => ({ method: "POST", path: at`subscriptions/${original}/` + path }),
    command: () => ["subscription", path, original], ...more,
  });
  /** @param {string} path @param {unknown} body */
  const request = (path, body) =>
    ({ method: "POST", path: at`subscriptions/${original}/` + path, body });
  return /** @type {Action[]} */ ([
    isActive && plain("renew", "Renew now", "Begins the next period now.", {
      request: () => request("renew", { expectedTransactionId: subscription.transactionId }),
    }),
    !isOver && autoRenews && plain("cancel", "Turn off renewal",
      "Cancels the subscription as the customer would: it lasts until the end of its period."),
    !isOver && !autoRenews && plain("resume", "Turn on renewal",
      "Resumes the subscription as the customer would: it renews at the end of its period."),
    !isOver && !failsBilling && plain("fail-billing", "Fail billing",
      "Makes its payments fail from now on: billing retry begins at the next renewal."),
    (failsBilling || isOwed) && plain("recover", "Recover billing",
      "Lets its payments succeed again. An owed payment is tried at once."),
    isActive && plain("extend", "Extend", "Extends the period by some days.", {
      fields: [{ name: "days", label: "Days", type: "number", value: "7", help: "1 to 90" }],
      request: ({ days }) => request("extend",
        { days, expectedExpiresDate: subscription.expiresDate }),
      command: ({ days }) => ["subscription", "extend", original, String(days ?? "")],
      errors: { badField: "days", badBody: "days" },
    }),
    !isOver && products.length > 1 && plain("choose", "Choose product",
      "Chooses the product that it renews as. The present one cancels the choice.", {
        fields: [{ name: "productId", label: "Product", type: "choice",
          value: subscription.autoRenewProductId ?? subscription.productId,
          choices: products.map(({ productId, price }) =>
            [productId, `${productId} · ${price}`]) }],
        request: (values) => request("choose", values),
        command: ({ productId }) => ["subscription", "choose", [original, productId]],
        errors: { productUnknown: "productId", otherGroup: "productId",
          productNotForSale: "productId" },
      }),
    !isOver && plain("price-increase", "Increase price",
      "Raises the price from the next renewal.", {
        fields: [
          { name: "price", label: `Price in ${subscription.currency}`,
            help: `Now ${money(subscription.priceMilliunits, subscription.currency)}` },
          { name: "needsConsent", label: "Ask the customer, and end it unless they agree",
            type: "switch" },
        ],
        request: (values) => request("price-increase", values),
        command: ({ price, needsConsent }) =>
          ["subscription", "increase-price", [original, price], needsConsent && "--consent"],
        errors: { badPrice: "price", noPriceIncrease: "price", otherPricePending: "price" },
      }),
    ...(question === undefined ? [] : [answer(question, "agree"), answer(question, "decline")]),
    offers.length > 0 && plain("win-back", "Win back",
      "Takes a win-back offer as the customer would. A period begins at once.", {
        fields: [{ name: "offerId", label: "Offer", type: "choice",
          choices: offers.map((offer) =>
            [offer.offerId ?? "", offerText(offer, subscription.currency)]) }],
        request: (values) => request("win-back", values),
        command: ({ offerId }) => ["subscription", "win-back", [original, offerId]],
        errors: { offerRefused: "offerId" },
      }),
    !isOver && plain("expire", "Expire now",
      "Ends the period now, without a renewal. This cannot be undone.", {
        fields: [{ name: "reason", label: "Reason", type: "choice", value: "voluntary",
          choices: Object.entries(endings).map(([word, number]) =>
            [word, phrase(expirationReasons[number])]) }],
        request: ({ reason }) => request("expire", { expirationReason: endings[reason] }),
        command: ({ reason }) => ["subscription", "expire", original,
          ...option("--reason", reason === "voluntary" ? null : reason)],
        confirm: original,
      }),
  ].filter((action) => action !== false));
}

/** @param {number} number @param {"agree" | "decline"} word @returns {Action} */
function answer(number, word) {
  return {
    title: word === "agree" ? "Agree to the price" : "Decline the price",
    text: word === "agree" ? "Answers for the customer: it renews at the new price."
      : "Answers for the customer: it ends at the end of its period.",
    request: () => ({ method: "POST", path: at`price-consents/${number}/` + word }),
    command: () => ["price-consent", word, String(number)],
  };
}

/** @param {Offer} offer @param {string} currency */
function offerText({ offerId, numberOfPeriods, period, priceMilliunits, paymentMode }, currency) {
  const price = paymentMode === "freeTrial" ? "free" : money(priceMilliunits, currency);
  return `${offerId}: ${numberOfPeriods} × ${period}, ${price}`;
}
