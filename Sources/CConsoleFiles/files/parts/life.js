// The life of a subscription: its periods, what happened between them, and what comes next.

import { constant, money, phrase } from "../format.js";

/** @typedef {import("../connection.js").World} World */
/** @typedef {import("./basics.js").Tone} Tone */
/** @typedef {"active" | "gracePeriod" | "billingRetry" | "expired" | "revoked"} State */

/** @typedef {{originalTransactionId: string, transactionId: string, account: string,
 *   environment: string, bundleId: string, group: string, productId: string, state: State,
 *   autoRenews: boolean, failsBilling: boolean, startDate: number, expiresDate: number,
 *   renewals: number, priceMilliunits: number, currency: string, autoRenewProductId?: string,
 *   renewalPriceMilliunits?: number, renewalCurrency?: string, gracePeriodExpiresDate?: number,
 *   nextPaymentDate?: number, expirationReason?: number, paymentId?: string,
 *   offer?: {kind: string, offerId?: string, paymentMode: string, periodsLeft: number},
 *   priceIncrease?: {priceMilliunits: number, consent: string}, next?: Step}} Subscription `next`
 *   is the first step that its timeline has. */

/** @typedef {{transactionId: string, productId: string, purchasedAt: number, expiresAt: number,
 *   offer?: string, priceMilliunits: number, currency: string, revokedAt?: number,
 *   replacedAt?: number}} Period */
/** @typedef {{number: number, at: number, kind: string, productId?: string, subject?: string,
 *   transactionId?: string}} Event */
/** @typedef {{kind: "renewal" | "paymentFailure" | "gracePeriodEnd" | "expiry", at: number,
 *   productId?: string, priceMilliunits?: number, currency?: string,
 *   expirationReason?: number}} Step Something that will happen by itself. */
/** @typedef {{subscription: Subscription, periods: Period[], events: Event[], next: Step[],
 *   older?: string}} Life As the store answers it; `older` begins the page before. */

/**
 * Something of a life, for the picture and for the table. `cutAt` is where an upgrade or a refund
 * ended a period early, `mark` a letter for the picture.
 * @typedef {{kind: "period" | "payment" | "event" | "next", key: string, title: string,
 *   detail?: string, from: number, until?: number, cutAt?: number, productId?: string,
 *   price?: string, transactionId?: string, tone: Tone, mark?: string}} Item
 */

const pagesMax = 5;

const stepTitles = {
  renewal: "Renews", paymentFailure: "Payment fails", gracePeriodEnd: "Grace period ends",
  expiry: "Expires",
};

const stepMarks = { renewal: "→", paymentFailure: "!", gracePeriodEnd: "G", expiry: "X" };

/** @type {Record<number, string>} Apple's numbers in words. */
export const expirationReasons = {
  1: "renewal is off", 2: "not paid", 3: "price not agreed to", 4: "product not for sale",
  5: "unknown reason",
};

/** @type {Record<string, [string, Tone]>} The letter and the tone of what happened. */
const marks = {
  renewalFailed: ["!", "bad"], gracePeriodEnded: ["G", "warn"], expired: ["X", "bad"],
  revoked: ["R", "bad"], refundRequested: ["R", "warn"], refundDeclined: ["R", "quiet"],
  refundReversed: ["R", "good"], priceConsent: ["P", "warn"], priceIncreased: ["P", "warn"],
  renewalChanged: ["C", "quiet"], extended: ["E", "good"], extensionFailed: ["E", "bad"],
  periodMoved: ["E", "quiet"], replaced: ["U", "quiet"],
};

/** What the letters of the picture stand for. */
export const markTitles = {
  "!": "payment failed", G: "grace period ended", X: "expired", R: "refund", P: "price",
  C: "renewal changed", E: "extended or moved", U: "other product",
};

/**
 * Pages of a list until it ends, and whether it did; a limit keeps a huge world from being read as
 * a whole.
 * @param {World} world
 * @param {string} path
 * @param {import("../connection.js").Query} query
 * @param {string} name
 * @param {AbortSignal} [signal]
 * @returns {Promise<{rows: any[], isWhole: boolean}>}
 */
export async function pagesOf(world, path, query, name, signal) {
  const rows = [];
  /** @type {string | number | undefined} */
  let after;
  for (let page = 0; page < pagesMax; page += 1) {
    /** @type {any} */
    const answer = await world.get(path, { ...query, after }, signal);
    rows.push(...answer[name]);
    after = answer.next;
    if (after === undefined) {
      break;
    }
  }
  return { rows, isWhole: after === undefined };
}

/**
 * The newest pages of a life as one.
 * @param {World} world @param {string} path The subscription's. @param {number} pageCount
 * @param {AbortSignal} signal
 * @returns {Promise<Life>}
 */
export async function lifeOf(world, path, pageCount, signal) {
  /** @type {Life} */
  const life = await world.get(`${path}/timeline`, {}, signal);
  for (let page = 1; page < pageCount && life.older !== undefined; page += 1) {
    /** @type {Life} */
    const before = await world.get(`${path}/timeline`, { after: life.older }, signal);
    life.periods.unshift(...before.periods);
    life.events.unshift(...before.events);
    life.older = before.older;
  }
  return life;
}

/** @param {Step} step */
export function stepTitle({ kind, expirationReason }) {
  const reason = expirationReasons[expirationReason ?? 0];
  return stepTitles[kind] + (reason === undefined ? "" : `: ${reason}`);
}

/**
 * Everything of a life, in its order.
 * @param {Life} life
 * @param {number} now
 * @returns {Item[]}
 */
export function itemsOf(life, now) {
  const events = life.events.filter(({ kind }) => kind in marks).map(eventItem);
  return [...life.periods.map(periodItem), ...paymentItems(life, now), ...events,
    ...life.next.map(stepItem)].sort((a, b) => a.from - b.from);
}

/** @param {Step} step @param {number} index @param {Step[]} steps @returns {Item} */
function stepItem(step, index, steps) {
  const { at, kind, productId, priceMilliunits, currency } = step;
  return {
    kind: "next", key: `next/${index}`, title: stepTitle(step), from: at, productId, tone: "quiet",
    until: kind === "renewal" ? steps[index + 1]?.at : undefined,
    mark: stepMarks[kind],
    price: priceMilliunits === undefined ? undefined : money(priceMilliunits, currency ?? ""),
  };
}

/** @param {Period} period @returns {Item} */
function periodItem(period) {
  const { transactionId, productId, purchasedAt, expiresAt, revokedAt, replacedAt } = period;
  const offer = offerTitle(period);
  return {
    kind: "period", key: transactionId, from: purchasedAt, until: expiresAt, productId,
    cutAt: [revokedAt, replacedAt].find((date) => date !== undefined && date < expiresAt),
    transactionId, price: money(period.priceMilliunits, period.currency),
    title: revokedAt !== undefined ? "Period, revoked"
      : replacedAt !== undefined ? "Period, replaced" : offer ?? "Period",
    tone: revokedAt !== undefined ? "bad" : offer === undefined ? "good" : "warn",
  };
}

/** @param {Period} period */
function offerTitle({ offer, priceMilliunits }) {
  return offer === undefined ? undefined
    : offer === "introductory" && priceMilliunits === 0 ? "Free trial" : `${phrase(offer)} offer`;
}

/** @param {Event} event @returns {Item} */
function eventItem({ number, at, kind, productId, subject, transactionId }) {
  const [mark, tone] = marks[kind];
  const detail = kind === "renewalChanged"
    ? subject === undefined ? "no longer renews" : `renews as ${subject}`
    : kind === "expired" ? expirationReasons[Number(subject)]
      : kind === "refundRequested" && subject !== undefined
        ? constant(subject).toLowerCase() : undefined;
  return {
    kind: "event", key: `event/${number}`, from: at, productId, transactionId, mark, tone,
    title: phrase(kind), detail,
  };
}

/**
 * The grace periods and the times of billing retry.
 * @param {Life} life @param {number} now
 * @returns {Item[]}
 */
function paymentItems({ subscription, events }, now) {
  /** @type {Item[]} */
  const list = [];
  let until = 0;
  for (const [index, { kind, at, subject }] of events.entries()) {
    if (kind === "gracePeriodEnded" || kind === "renewalFailed" && at >= until) {
      const end = events.slice(index + 1).find((event) => closing.has(event.kind));
      // Events of earlier versions do not say when grace ends.
      const isGrace = kind === "renewalFailed" && (subject !== undefined ||
        (end === undefined ? subscription.state === "gracePeriod"
          : end.kind === "gracePeriodEnded"));
      until = end?.at ?? (isGrace ? subscription.gracePeriodExpiresDate : undefined) ?? now;
      list.push({ kind: "payment", key: `payment/${at}`, from: at, until,
        title: isGrace ? "Grace period" : "Billing retry", tone: isGrace ? "warn" : "bad" });
    }
  }
  return list;
}

const closing = new Set(["renewed", "purchased", "expired", "gracePeriodEnded", "revoked"]);
