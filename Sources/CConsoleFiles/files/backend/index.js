// The screens of a backend, in the order of the navigation.

/** @type {import("../screens/index.js").Screen[]} */
export const screens = [
  { name: "submissions", key: "s", title: "Submissions", load: () => import("./submissions.js") },
  { name: "users", key: "u", title: "Users", load: () => import("./users.js") },
  { name: "subscriptions", key: "b", title: "Subscriptions",
    load: () => import("./subscriptions.js") },
  { name: "settings", key: "t", title: "Settings", load: () => import("./settings.js") },
];
