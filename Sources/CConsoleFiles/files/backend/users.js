// The backend's users, and one user's submissions and subscriptions.

import { hrefOf } from "../address.js";
import { hiddenSecret } from "../command.js";
import { h } from "../dom.js";
import { time } from "../format.js";
import { crumbs, heading, id } from "../parts/basics.js";
import { filterBar } from "../parts/filters.js";
import { backendTable, emptyUntil } from "./parts.js";
import { submissionTable } from "./submissions.js";
import { subscriptionTable } from "./subscriptions.js";

/** @typedef {import("../screens/index.js").Context} Context */
/** @typedef {{userId: string, userName: string, createdAt: number}} User */

/** @param {Context} context @returns {import("../screens/index.js").View} */
export function show({ world, place, signal }) {
  const [user] = place.path;
  if (user !== undefined) {
    return { element: h("div", null, crumbs(["Users", []]), h("h1", null, user),
      heading("Subscriptions"), subscriptionTable(world, () => ({ user }), signal).element,
      heading("Submissions"), submissionTable(world, () => ({ user }), signal).element) };
  }
  let search = place.filters.q;
  const list = backendTable({
    world, path: "users", query: () => ({ search }), label: "Users", signal,
    key: (/** @type {User} */ { userId }) => userId,
    href: ({ userName }) => hrefOf({ path: [userName] }),
    empty: () => emptyUntil("No user to show. Apps sign them up:", "/v1/users",
      JSON.stringify({ name: "driver", password: hiddenSecret })),
    columns: [
      { title: "User", cell: ({ userName }) => userName },
      { title: "Identifier", isWide: true, cell: ({ userId }) => id(userId) },
      { title: "Signed up", cell: ({ createdAt }) => time(createdAt) },
    ],
  });
  return {
    element: h("div", null, h("h1", null, "Users"),
      filterBar({ search: "Search by the beginning of the name", signal }), list.element),
    holds: (here) => here.path.length === 0,
    update: (here) => {
      search = here.filters.q;
      void list.reload();
    },
  };
}
