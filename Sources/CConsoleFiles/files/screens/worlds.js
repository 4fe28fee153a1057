// The worlds of the store: the default one and test sessions, with their snapshots.

import { actionButton } from "../action.js";
import { goTo, hrefOf } from "../address.js";
import { root } from "../command.js";
import { at, World } from "../connection.js";
import { h } from "../dom.js";
import { number, size, time } from "../format.js";
import { chip, crumbs, empty, facts, heading, id, loaded, saveButton } from "../parts/basics.js";
import { filterBar } from "../parts/filters.js";
import { plainTable, table } from "../parts/table.js";
import * as actions from "./world-actions.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {{name: string, isSession: boolean, isOpen: boolean, bytes: number,
 *   changedAt: number, snapshotCount: number, path: string}} Listed */
/** @typedef {{name: string, bytes: number, createdAt: number}} Snapshot */

/** @param {Context} context */
export function show(context) {
  const [name] = context.place.path;
  return name === undefined ? worlds(context) : oneWorld(context, name);
}

/** @param {string} world */
const open = (world) => goTo({ world, screen: "now", path: [] });

/** @param {Context} context @returns {import("./index.js").View} */
function worlds({ world, place, signal }) {
  let { filters } = place;
  /** @type {Listed[]} */
  let rows = [];
  const list = table({
    label: "Worlds", signal, key: (/** @type {Listed} */ { name }) => name,
    href: ({ name }) => hrefOf({ path: [name] }),
    empty: () => empty("No world to show.", root, ["world", "make", "checkout-test"]),
    columns: [
      { title: "World", cell: ({ name }) => name },
      { title: "Shown", cell: ({ name }) => name === world.name ? chip("Shown", "good")
        : h("button", { type: "button", "aria-label": `Open ${name}`, onclick: () => open(name) },
          "Open") },
      { title: "Kind", isWide: true, cell: ({ isSession }) =>
        isSession ? "Test session" : "Default world" },
      { title: "Database", cell: ({ isOpen }) =>
        isOpen ? chip("Open", "good") : chip("Resting") },
      { title: "Size", isNumber: true, cell: ({ bytes }) => size(bytes) },
      { title: "Snapshots", isNumber: true, isWide: true, cell: ({ snapshotCount }) =>
        number(snapshotCount) },
      { title: "Changed", isWide: true, cell: ({ changedAt }) => time(changedAt) },
    ],
  });
  const draw = () => {
    list.renew();
    list.show(rows.filter(({ name }) =>
      name.toLowerCase().includes((filters.q ?? "").toLowerCase())));
  };
  const page = loaded(signal, (signal) => root.get("worlds", {}, signal), ({ worlds }) => {
    rows = worlds;
    draw();
    return list.element;
  });
  const bar = filterBar({ search: "Search worlds", signal, actions: [
    actionButton(root, actions.seed(), ({ name }) => open(name)),
    actionButton(root, actions.make(), ({ name }) => open(name)),
  ] });
  return {
    element: h("div", null, h("h1", null, "Worlds"),
      h("p", { class: "quiet" },
        "Each world has its own catalogue, accounts, clock and history."), bar, page.element),
    holds: ({ path }) => path.length === 0,
    update: (here) => {
      filters = here.filters;
      draw();
    },
  };
}

/** @param {Context} context @param {string} name @returns {import("./index.js").View} */
function oneWorld({ world, signal }, name) {
  const gone = () => goTo({ world: world.name === name ? "default" : world.name, path: [] });
  /** @type {{element: HTMLElement, reload: () => Promise<void>}} */
  const page = loaded(signal, async (signal) => ({
    details: await root.get(at`worlds/${name}`, {}, signal),
    ...await root.get(at`worlds/${name}/snapshots`, {}, signal),
  }), ({ details, snapshots }) => [
    h("div", { class: "filters" },
      name === world.name ? chip("Shown now", "good")
        : h("button", { type: "button", class: "primary", onclick: () => open(name) }, "Open"),
      actionButton(root, actions.snapshot(name), page.reload),
      saveButton("Export as a seed", `${name}.json`, () =>
        new World(name).request("GET", "seed", { isText: true, signal })),
      actionButton(root, actions.reset(name), page.reload),
      details.isSession ? actionButton(root, actions.remove(name), gone) : null),
    facts([
      ["Kind", details.isSession ? "Test session" : "Default world"],
      ["Address", id(`${location.origin}${details.path}`)],
      ["Sandbox", details.sandboxName], ["World id", id(details.id)],
      ["Apps", number(details.apps)], ["Products", number(details.products)],
      ["Accounts", number(details.accounts)], ["Devices", number(details.devices)],
      ["Transactions", number(details.transactions)],
    ]),
    heading("Snapshots"),
    plainTable({
      label: "Snapshots", signal, rows: /** @type {Snapshot[]} */ (snapshots),
      empty: () => empty("No snapshot yet. One is taken while the world runs.",
        root, ["world", "snapshot", name, "before-sale"]),
      columns: [
        { title: "Snapshot", cell: (snapshot) => snapshot.name },
        { title: "Taken", isWide: true, cell: ({ createdAt }) => time(createdAt) },
        { title: "Size", isNumber: true, cell: ({ bytes }) => size(bytes) },
        { title: "Actions", cell: (snapshot) => [
          actionButton(root, actions.restore(name, snapshot.name), page.reload),
          actionButton(root, actions.removeSnapshot(name, snapshot.name), page.reload)] },
      ],
    }),
  ]);
  return { element: h("div", null, crumbs(["Worlds", []]), h("h1", null, name), page.element) };
}
