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
// Each app is asked for by itself, again and again.
const shownMax = 200;

/** @param {import("./index.js").Context} context @returns {import("./index.js").Part} */
export function serverURLs({ world, signal }) {
  let appsMax = pageMax;
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
  const page = loaded(signal, async (signal) => {
    const { apps } = await world.get("apps", {}, signal);
    const shown = await Promise.all(apps.slice(0, appsMax).map(
      async (/** @type {{bundleId: string}} */ { bundleId }) => ({
        app: bundleId, .../** @type {{targets: Target[]}} */ (
          await world.get(at`apps/${bundleId}/notification-targets`, {}, signal)),
      })));
    return { apps: shown, leftOut: apps.length - shown.length };
  }, (/** @type {{apps: AppTargets[], leftOut: number}} */ { apps, leftOut }) => apps.length === 0
    ? empty("No app has a server yet: the world has no app.",
      world, ["catalog", "import", "Products.storekit", "--bundle-id", "com.example.app"])
    : [...apps.flatMap((app) => [h("h2", null, app.app), h("div", { class: "columns" },
      card(app, "sandbox"), card(app, "production"))]),
    leftOut === 0 ? null : appsMax < shownMax ? h("div", { class: "more" },
      h("button", { type: "button", onclick: showMore }, "Show more"))
      : empty(`${counted(leftOut, "more app")} not shown.`,
        world, ["notification", "targets", "com.example.app"])]);
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
