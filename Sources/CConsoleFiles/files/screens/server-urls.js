// Where apps' servers are notified, in each environment.

import { actionButtons } from "../action.js";
import { at } from "../connection.js";
import { h } from "../dom.js";
import { counted, duration, phrase } from "../format.js";
import { chip, empty, facts, id, keepFresh, loaded } from "../parts/basics.js";
import { ofServer } from "./notification-actions.js";

/** @typedef {{dropped?: number, duplicated?: number, reordered?: number, delayed?: number,
 *   delayMilliseconds?: number, seed?: number}} Disorder */
/** @typedef {{environment: string, url: string, version: string, waiting: number,
 *   allowsPrivateAddresses: boolean, certificateAuthority?: string,
 *   disorder?: Disorder}} Target */
/** @typedef {{app: string, targets: Target[]}} AppTargets */

const pageMax = 50;

/** @param {import("./index.js").Context} context @returns {import("./index.js").Part} */
export function serverURLs({ world, signal }) {
  let appsMax = pageMax;
  /** @type {Map<string, Target[]>} */
  const known = new Map();
  /** @type {Map<string, Element>} */
  const cards = new Map();
  /** @param {Element} [part] Not hidden if absent or replaced: it is to be asked for. */
  const isHidden = (part) => {
    if (!part?.isConnected) {
      return false;
    }
    const { top, bottom } = part.getBoundingClientRect();
    return top > innerHeight || bottom < 0;
  };
  const showMore = () => {
    appsMax += pageMax;
    void page.reload();
  };
  /** @param {AppTargets} app @param {string} environment */
  const card = ({ app, targets }, environment) => {
    const target = targets.find((target) => target.environment === environment);
    return h("section", { class: "card" }, h("h3", null, phrase(environment)),
      target === undefined ? h("p", { class: "quiet" }, "The server is not notified.") : facts([
        ["URL", id(target.url)], ["Version", target.version],
        ["Waiting", counted(target.waiting, "notification")],
        ["Private addresses", target.allowsPrivateAddresses ? "Allowed" : "Refused"],
        ["Trusts", target.certificateAuthority && "Certificates of its own"],
        ["Disorder", target.disorder && [chip("On", "bad"), " ", sentence(target.disorder)]],
      ]),
      actionButtons(world, ofServer(app, environment, target)));
  };
  /** @param {AppTargets} app */
  const of = (app) => {
    const both = h("div", { class: "columns" }, card(app, "sandbox"), card(app, "production"));
    cards.set(app.app, both);
    return [h("h2", null, app.app), both];
  };
  const page = loaded(signal, async (signal) => {
    const { apps } = await world.get("apps", {}, signal);
    const shown = await Promise.all(apps.slice(0, appsMax).map(
      async (/** @type {{bundleId: string}} */ { bundleId: app }) => {
        // Each app is asked for by itself, so that only those in the window are asked for again.
        if (!isHidden(cards.get(app))) {
          const answer = await world.get(at`apps/${app}/notification-targets`, {}, signal);
          known.set(app, answer.targets);
        }
        return { app, targets: known.get(app) ?? [] };
      }));
    return { apps: shown, hasMore: apps.length > shown.length };
  }, (/** @type {{apps: AppTargets[], hasMore: boolean}} */ { apps, hasMore }) => {
    cards.clear();
    return apps.length === 0 ? empty("No app has a server yet: the world has no app.",
      world, ["catalog", "import", "Products.storekit", "--bundle-id", "com.example.app"])
      : [...apps.flatMap(of), !hasMore ? null : h("div", { class: "more" },
        h("button", { type: "button", onclick: showMore }, "Show more"))];
  });
  keepFresh(page.refresh, signal);
  return { element: page.element };
}

/** @param {Disorder} disorder */
function sentence({ delayMilliseconds, seed, ...shares }) {
  const list = Object.entries(shares).filter(([, share]) => share > 0)
    .map(([name, share]) => `${share}% ${name}`);
  return list.join(", ") + (delayMilliseconds
    ? `; late by up to ${duration(delayMilliseconds * 1000)}` : "");
}
