// The way between the screens, with a mark where something waits or is made to fail.

import { hrefOf } from "./address.js";
import { connection } from "./connection.js";
import { fill, h } from "./dom.js";
import { oneAtATime } from "./follow.js";
import { icon } from "./icons.js";
import { chip } from "./parts/basics.js";

/** @typedef {import("./connection.js").World} World */
/** @typedef {import("./parts/basics.js").Tone} Tone */
/** @typedef {import("./screens/index.js").Screen} Screen */
/** @typedef {{text: string, tone: Tone, about: string}} Mark */

const refreshMilliseconds = 15_000;

/** @param {World} world @param {Screen[]} screens @param {AbortSignal} signal */
export function navigation(world, screens, signal) {
  const links = screens.map(({ name, title }) => {
    const mark = h("span", { class: "mark" });
    const href = hrefOf({ screen: name, path: [] });
    return { name, mark, link: h("a", { href }, icon(name), title, mark) };
  });
  const refresh = oneAtATime(async () => {
    try {
      const found = await marks(world, signal);
      links.forEach(({ name, mark }) => fill(mark, ...marked(found[name])));
    } catch {
      // The marks stay; the connection's state says why.
    }
  });
  const timer = setInterval(() => document.hidden || refresh(), refreshMilliseconds);
  signal.addEventListener("abort", () => clearInterval(timer));
  connection.addEventListener("changed", refresh, { signal });
  void refresh();
  return {
    element: h("nav", { class: "screens", "aria-label": "Screens" },
      links.map(({ link }) => link)),
    /** @param {string} current */
    mark: (current) => links.forEach(({ name, link }) => {
      if (name === current) {
        link.setAttribute("aria-current", "page");
      } else {
        link.removeAttribute("aria-current");
      }
    }),
  };
}

/** @param {Mark | undefined} mark */
function marked(mark) {
  return mark === undefined ? []
    : [chip(mark.text, mark.tone), h("span", { class: "unseen" }, mark.about)];
}

/**
 * What stands beside the names of screens.
 * @param {World} world
 * @param {AbortSignal} signal
 * @returns {Promise<Record<string, Mark | undefined>>}
 */
async function marks(world, signal) {
  if (connection.isBackend) {
    const [stalled, trouble] = await Promise.all([
      world.get("submissions", { state: "stalled", limit: 1 }, signal),
      world.get("subscriptions", { trouble: true, limit: 1 }, signal)]);
    return {
      submissions: stalled.submissions.length === 0 ? undefined
        : { text: "stalled", tone: "bad", about: "" },
      subscriptions: trouble.subscriptions.length === 0 ? undefined
        : { text: "trouble", tone: "bad", about: "" },
    };
  }
  const [{ environments }, faults, limits] = await Promise.all(
    ["overview", "faults", "server-api/limits"].map((path) => world.get(path, {}, signal)));
  /** @type {(tone: Tone, about: string, ...names: string[]) => Mark | undefined} */
  const count = (tone, about, ...names) => {
    const sum = environments.reduce((/** @type {number} */ sum, /** @type {any} */ environment) =>
      sum + names.reduce((sum, name) => sum + environment[name].count, 0), 0);
    return sum === 0 ? undefined : { text: String(sum), tone, about };
  };
  const isFaulty = faults.verifyReceipt !== undefined || faults.requests?.length > 0;
  return {
    approvals: count("warn", "waiting", "approvals", "interruptions"),
    refunds: count("warn", "requested", "refundRequests"),
    notifications: count("bad", "failing", "failedNotifications"),
    faults: isFaulty ? { text: "on", tone: "bad", about: "" }
      : limits.isOn ? { text: "limits", tone: "warn", about: "" } : undefined,
  };
}
