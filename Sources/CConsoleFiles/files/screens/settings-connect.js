// How to connect an app and a backend, the addresses of the store, and this console's session.

import { addressOf, connection } from "../connection.js";
import { quoted } from "../command.js";
import { fill, h, uniqueID } from "../dom.js";
import { duration, time } from "../format.js";
import { notify } from "../notices.js";
import { chip, codeBlock, facts, heading, id, loaded } from "../parts/basics.js";
import { keepAddress, keptAddress } from "../settings.js";

/** @typedef {import("./index.js").Context} Context */

/** @param {Context} context */
export function connecting({ world, signal }) {
  const base = addressOf(world);
  return loaded(signal, (signal) => world.get("apps", {}, signal), ({ apps }) => [
    heading("Addresses"),
    facts([
      ["Sandbox", id(`${base}/sandbox`)], ["Production", id(`${base}/production`)],
      ["verifyReceipt", id(`${base}/sandbox/verifyReceipt`)],
      ["Control", id(`${base}/control/v1`)],
      ["OpenAPI", h("a", { href: "/openapi.json" }, "openapi.json")],
    ]),
    heading("An app"),
    h("p", null,
      "Set these lines where the app starts. For production, end the address in /production."),
    codeBlock("Environment of an app", [
      `export STOREKIT_URL=${quoted(`${base}/sandbox`)}`,
      `export STOREKIT_BUNDLE_ID=${quoted(apps[0]?.bundleId ?? "com.example.app")}`,
      "export STOREKIT_APP_VERSION=1.0"].join("\n")),
    heading("A backend"),
    codeBlock("Command of a backend", [
      "bodega backend --products products.json", `--production-url ${quoted(`${base}/production`)}`,
      `--sandbox-url ${quoted(`${base}/sandbox`)}`,
      "--allow-sandbox --shared-secret-file shared-secret"].join(" \\\n  ")),
    heading("Certificates to trust"),
    h("p", { class: "quiet" },
      "In the folder keys of the store's data directory, as .pem and .der."),
    facts(["sandbox", "production"].flatMap((environment) => {
      const name = `${world.isDefault ? "" : "test-"}${environment}`;
      return /** @type {[string, Node][]} */ ([
        [`Receipts, ${environment}`, id(`root-${name}.pem`)],
        [`Signed data, ${environment}`, id(`signed-data-root-${name}.pem`)]]);
    })),
    h("p", { class: "quiet" }, "For clients that reach the store under Apple's host names by TLS:"),
    codeBlock("Command", "bodega trust"),
  ]).element;
}

/** @param {Context} context */
export function thisConsole({ signal }) {
  return h("div", null,
    loaded(signal, (signal) => connection.request("GET", "/console/v1/session", { signal }),
      ({ isReadOnly, expiresAt, idleSeconds }) => [
        heading("Session", h("button", { type: "button",
          onclick: () => connection.signOut().catch(() => {}) }, "Sign out")),
        facts([
          ["May", isReadOnly ? chip("Only read", "warn") : chip("Read and change", "good")],
          ["Ends", time(expiresAt)],
          ["Without use", `After ${duration(idleSeconds * 1_000_000)}`],
        ]),
        h("p", { class: "quiet" }, "Another tab needs an address of its own:"),
        codeBlock("Command", "bodega console"),
        codeBlock("Command for showing around", "bodega console --read-only"),
      ]).element,
    heading("Console of the backend"),
    addressForm("backend", "http://127.0.0.1:8081/console/"));
}

/**
 * Where the other server's console is: the reader enters it, and neither server asks the other.
 * @param {"backend" | "store"} server
 * @param {string} example
 */
export function addressForm(server, example) {
  const link = h("p");
  const field = h("input", { type: "url", id: uniqueID(server), value: keptAddress(server),
    placeholder: example, pattern: "https?://.+" });
  const draw = () => fill(link, !/^https?:\/\//.test(keptAddress(server)) ? null
    : h("a", { href: keptAddress(server), rel: "noreferrer", target: "_blank" },
      `Open the ${server}'s console`));
  draw();
  return h("form", { onsubmit: (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    keepAddress(server, field.value);
    field.value = keptAddress(server);
    draw();
    notify("Kept in this browser");
  } },
  h("div", { class: "field" }, h("label", { for: field.id }, "Its address"), field,
    h("div", { class: "help" }, server === "store" ? "bodega console" : "bodega backend console",
      " prints it. This browser keeps it without the code.")),
  h("button", { type: "submit" }, "Keep"), link);
}
