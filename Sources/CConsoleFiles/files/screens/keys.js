// Shared secrets and offer keys: lists of what an app or a developer account has, and new ones.

import { actionButton } from "../action.js";
import { at } from "../connection.js";
import { h } from "../dom.js";
import { milliseconds, phrase, time } from "../format.js";
import { chip, codeBlock, empty, facts, heading, id, loaded } from "../parts/basics.js";
import { plainTable } from "../parts/table.js";

/** @typedef {import("../connection.js").World} World */
/** @typedef {import("../action.js").Action} Action */
/** @typedef {{kind: "app" | "developer", name: string}} Owner */
/** @typedef {{number: number, madeAt: number, state: string, acceptedUntil?: number}} Secret */
/** @typedef {{keyId: string, madeAt: number, origin: string, revokedAt?: number}} OfferKey */

/**
 * The shared secrets of an app or a developer account, the password of verifyReceipt.
 * @param {World} world @param {AbortSignal} signal @param {Owner} owner
 */
export function sharedSecrets(world, signal, owner) {
  const path = owner.kind === "app" ? at`apps/${owner.name}/secrets`
    : at`developers/${owner.name}/secrets`;
  const last = [owner.kind === "app" ? "--bundle-id" : "--developer", owner.name];
  /** @type {(earlier: Secret[]) => Action} */
  const make = (earlier) => ({
    title: "Make a shared secret",
    confirm: ({ overlap }) => milliseconds(overlap) === 0 &&
      earlier.some(({ state }) => ["current", "ending"].includes(state)) ? owner.name : undefined,
    text: "The store shows the secret once: it keeps only a digest.",
    fields: [{ name: "overlap", label: "Accept earlier ones for", value: "24h",
      help: "By the real clock: such as 90s, 12h or 30d; 0s ends them at once" }],
    request: ({ overlap }) => ({ method: "POST", path,
      body: { overlapMilliseconds: milliseconds(overlap) ?? overlap } }),
    command: ({ overlap }) => ["secret", "make", ...last, "--overlap", overlap],
    errors: { badField: "overlap", badBody: "overlap" },
    done: ({ number }) => `Made shared secret ${number}`,
    shows: ({ secret }) => [h("p", null, "Copy it now: the store does not show it again."),
      codeBlock("Shared secret", secret)],
  });
  /** @type {(secret: Secret) => Action} */
  const revoke = ({ number }) => ({
    title: `Revoke shared secret ${number}`, label: "Revoke", confirm: String(number),
    text: "verifyReceipt refuses it at once, and for good.",
    request: () => ({ method: "DELETE", path: `${path}/${number}` }),
    command: () => ["secret", "revoke", String(number), ...last],
  });
  /** @type {{element: HTMLElement, reload: () => Promise<void>}} */
  const page = loaded(signal, (signal) => world.get(path, {}, signal), ({ secrets }) => [
    heading("Shared secrets", actionButton(world, make(secrets), page.reload)),
    plainTable({
      label: "Shared secrets", signal, rows: /** @type {Secret[]} */ (secrets),
      empty: () => empty("No shared secret yet. verifyReceipt requires one for subscriptions.",
        world, ["secret", "make", ...last]),
      columns: [
        { title: "Number", cell: ({ number }) => number },
        { title: "State", cell: ({ state }) => chip(phrase(state), tones[state]) },
        { title: "Made", isWide: true, cell: ({ madeAt }) => time(madeAt) },
        { title: "Accepted until", isWide: true, cell: ({ acceptedUntil }) => time(acceptedUntil) },
        { title: "Actions", cell: (secret) => secret.state === "revoked" ? null
          : actionButton(world, revoke(secret), page.reload) },
      ],
    }),
  ]);
  return page.element;
}

/** @type {Record<string, import("../parts/basics.js").Tone>} */
const tones = { current: "good", ending: "warn", revoked: "bad" };

/**
 * The keys with which an app's server signs promotional offers.
 * @param {World} world @param {AbortSignal} signal @param {string} bundleId
 */
export function offerKeys(world, signal, bundleId) {
  const path = at`apps/${bundleId}/offer-keys`;
  const last = ["--bundle-id", bundleId];
  /** @type {Action} */
  const make = {
    title: "Make an offer key",
    text: "The store shows the private key once: it keeps only the public half. Earlier keys " +
      "remain valid.",
    request: () => ({ method: "POST", path }),
    command: () => ["offer-key", "make", ...last],
    done: ({ keyId }) => `Made offer key ${keyId}`,
    shows: ({ keyId, issuerId, privateKey }) => [
      h("p", null, "Copy it now: the store does not show it again."),
      facts([["Key", id(keyId)], ["Issuer", id(issuerId)]]),
      codeBlock("Private key", privateKey)],
  };
  /** @type {(key: OfferKey) => Action} */
  const revoke = ({ keyId }) => ({
    title: `Revoke offer key ${keyId}`, label: "Revoke", confirm: keyId,
    text: "Offers that it signs are refused at once, and for good.",
    request: () => ({ method: "DELETE", path: `${path}${at`/${keyId}`}` }),
    command: () => ["offer-key", "revoke", keyId, ...last],
  });
  /** @type {{element: HTMLElement, reload: () => Promise<void>}} */
  const page = loaded(signal, (signal) => world.get(path, {}, signal), ({ keys, issuerId }) => [
    heading("Offer keys", actionButton(world, make, page.reload)),
    facts([["Issuer", issuerId && id(issuerId)]]),
    plainTable({
      label: "Offer keys", signal, rows: /** @type {OfferKey[]} */ (keys),
      empty: () => empty("No offer key yet. Promotional offers are signed with one.",
        world, ["offer-key", "make", ...last]),
      columns: [
        { title: "Key", cell: ({ keyId }) => id(keyId) },
        { title: "State", cell: ({ revokedAt }) => revokedAt === undefined
          ? chip("Valid", "good") : chip("Revoked", "bad") },
        { title: "Origin", isWide: true, cell: ({ origin }) => phrase(origin) },
        { title: "Made", isWide: true, cell: ({ madeAt }) => time(madeAt) },
        { title: "Actions", cell: (key) => key.revokedAt !== undefined ? null
          : actionButton(world, revoke(key), page.reload) },
      ],
    }),
  ]);
  return page.element;
}
