// Settings of the world as a shop, secrets and keys, certificates, and how to connect an app.

import { actionButton } from "../action.js";
import { hrefOf } from "../address.js";
import { h } from "../dom.js";
import { duration, number, phrase, time } from "../format.js";
import { chip, crumbs, empty, facts, heading, id, loaded, tabs } from "../parts/basics.js";
import { plainTable } from "../parts/table.js";
import { setLimits } from "./fault-actions.js";
import { offerKeys, sharedSecrets } from "./keys.js";
import { connecting, thisConsole } from "./settings-connect.js";
import * as actions from "./settings-actions.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {{certificate: string, environment: string, role: string, serial: string,
 *   isInUse: boolean, madeAt: number, notAfter: number, replacedAt?: number, revokedAt?: number,
 *   reason?: string}} Certificate */

/** @type {[string, string, (context: Context) => Element][]} */
const parts = [
  ["shop", "Shop policy", shop], ["secrets", "Secrets and keys", secrets],
  ["certificates", "Certificates", certificates], ["connect", "Connect an app", connecting],
  ["console", "This console", thisConsole],
];

/** @param {Context} context @returns {import("./index.js").View} */
export function show(context) {
  const [part = "shop", kind, name] = context.place.path;
  if (part === "secrets" && name !== undefined) {
    return { element: owner(context, kind, name) };
  }
  const [tab, , show] = parts.find(([name]) => name === part) ?? parts[0];
  return { element: h("div", null, h("h1", null, "Settings"),
    tabs("Settings", parts.map(([name, title]) => ({ title, path: [name] })), tab),
    show(context)) };
}

/** @param {Context} context */
function shop({ world, signal }) {
  /** @type {{element: HTMLElement, reload: () => Promise<void>}} */
  const page = loaded(signal, async (signal) => ({
    shop: await world.get("shop", {}, signal), policy: await world.get("policy", {}, signal),
    limits: await world.get("server-api/limits", {}, signal),
  }), ({ shop, policy, limits }) => [
    heading("Shop", actionButton(world, actions.setShop(shop), page.reload)),
    facts([
      ["New products", shop.newProducts === "waitForReview"
        ? chip("Wait for review", "warn") : chip("Cleared for sale", "good")],
      ["Delay of changes", shop.delayMilliseconds === 0 ? "None"
        : duration(shop.delayMilliseconds * 1000)],
    ]),
    heading("App Store Server API", actionButton(world, setLimits(limits), page.reload)),
    facts([
      ["Limits", limits.isOn ? chip("As Apple's", "good") : chip("Off")],
      ["Hourly", limits.hourlyMax && `At most ${number(limits.hourlyMax)} requests`],
    ]),
    heading("Policy on products"),
    facts(policy.clauses.map((/** @type {{reason: string, text: string}} */ { reason, text }) =>
      [phrase(reason), text])),
    heading("Apps"),
    h("p", null, "Each app has a delay, a grace period and a developer of its own: ",
      h("a", { href: hrefOf({ screen: "shop", path: [] }) }, "see the apps"), ". ",
      "Servers are notified at the addresses of ",
      h("a", { href: hrefOf({ screen: "notifications", path: [] }) }, "Notifications"), "."),
  ]);
  return page.element;
}

/** @param {Context} context */
function secrets({ world, signal }) {
  /** @type {{element: HTMLElement, reload: () => Promise<void>}} */
  const page = loaded(signal, async (signal) => ({
    ...await world.get("developers", {}, signal), ...await world.get("apps", {}, signal),
  }), ({ developers, apps }) => [
    heading("Developer accounts", actionButton(world, actions.addDeveloper(), page.reload)),
    plainTable({
      label: "Developer accounts", signal, rows: /** @type {{name: string}[]} */ (developers),
      href: ({ name }) => hrefOf({ path: ["secrets", "developer", name] }), empty: () => null,
      columns: [
        { title: "Developer", cell: ({ name }) => name },
        { title: "Apps", isNumber: true, cell: ({ name }) => number(apps.filter(
          (/** @type {{developer: string}} */ { developer }) => developer === name).length) },
      ],
    }),
    heading("Apps"),
    plainTable({
      label: "Apps", signal,
      rows: /** @type {{bundleId: string, developer: string}[]} */ (apps),
      href: ({ bundleId }) => hrefOf({ path: ["secrets", "app", bundleId] }),
      empty: () => empty("No app yet.",
        world, ["catalog", "import", "Products.storekit", "--bundle-id", "com.example.app"]),
      columns: [
        { title: "App", cell: ({ bundleId }) => id(bundleId) },
        { title: "Developer", cell: ({ developer }) => developer },
      ],
    }),
  ]);
  return page.element;
}

/** @param {Context} context @param {string} kind @param {string} name */
function owner({ world, signal }, kind, name) {
  return h("div", null, crumbs(["Secrets and keys", ["secrets"]]), h("h1", null, name),
    sharedSecrets(world, signal, { kind: kind === "app" ? "app" : "developer", name }),
    kind === "app" ? offerKeys(world, signal, name) : null);
}

/** @param {Context} context */
function certificates({ world, signal }) {
  /** @type {{element: HTMLElement, reload: () => Promise<void>}} */
  const page = loaded(signal, (signal) => world.get("certificates", {}, signal), (answer) => [
    h("p", { class: "quiet" }, "Signed data (JWS) have a leaf and an intermediate of this world, " +
      "below a root that verifiers have beforehand. What is done here concerns this world alone."),
    ...["sandbox", "production"].flatMap((environment) => [
      heading(phrase(environment), ...["leaf", "intermediate"].flatMap((role) =>
        [actions.rotate, actions.expire].map((make) =>
          actionButton(world, make(environment, role), page.reload)))),
      facts([["Root", id(`${world.isDefault ? "" : "test-"}${environment}`.replace(/^/,
        "keys/signed-data-root-") + ".pem")]]),
      certificateTable(world, signal, environment, answer.certificates.filter(
        (/** @type {Certificate} */ one) => one.environment === environment), page.reload),
    ]),
  ]);
  return page.element;
}

/**
 * @param {import("../connection.js").World} world @param {AbortSignal} signal
 * @param {string} environment @param {Certificate[]} rows @param {() => void} reload
 */
function certificateTable(world, signal, environment, rows, reload) {
  return plainTable({
    label: "Certificates", signal, rows,
    empty: () => empty("Made when the world first signs data.",
      world, ["certificate", "rotate", "leaf", "--environment", environment]),
    columns: [
      { title: "Role", cell: ({ role }) => phrase(role) },
      { title: "State", cell: (one) => one.revokedAt !== undefined
        ? chip(`Revoked: ${phrase(one.reason ?? "unspecified").toLowerCase()}`, "bad")
        : one.isInUse ? chip("In use", "good") : chip("Replaced") },
      { title: "Serial number", isWide: true, cell: ({ serial }) => id(serial) },
      { title: "Made", isWide: true, cell: ({ madeAt }) => time(madeAt) },
      { title: "Ends", isWide: true, cell: ({ notAfter }) => time(notAfter) },
      { title: "Actions", cell: (one) => one.revokedAt !== undefined ? null
        : actionButton(world, actions.revoke(one), reload) },
    ],
  });
}
