// Drawings of 16 by 16, in the colour of the text; the word beside each is its name.

import { svg } from "./dom.js";

/** @type {Record<string, string>} */
const drawings = {
  now: "M1 8h3l2-5 4 10 2-5h3",
  shop: "M2 6l1-4h10l1 4M3 6v8h10V6M2 6c0 2 3 2 3 0 0 2 3 2 3 0 0 2 3 2 3 0 0 2 3 2 3 0",
  worlds: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM2 8h12M8 2c-4 4-4 8 0 12M8 2c4 4 4 8 0 12",
  receipts: "M4 2h8v12l-2-1.5L8 14l-2-1.5L4 14zM6 5h4M6 8h4",
  settings: "M2 4h7M12 4h2M9 2v4M2 12h2M7 12h7M4 10v4M2 8h9M14 8h0M11 6v4",
  customers: "M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2 14c0-3 3-4 6-4s6 1 6 4",
  open: "M4 6l4 4 4-4",
  approvals: "M2 8l4 4 8-8",
  refunds: "M6 3L2 7l4 4M2 7h7a4 4 0 0 1 0 8H7",
  notifications: "M4 11V7a4 4 0 0 1 8 0v4l1.5 2h-11zM7 15h2",
  faults: "M8 2l7 12H1zM8 6v4M8 12v.5",
  subscriptions: "M13 6a5.5 5.5 0 0 0-10-1M3 2v3h3M3 10a5.5 5.5 0 0 0 10 1M13 14v-3h-3",
  ledger: "M8 2v12M4 14h8M2 5h12M2 5l-1 5h4L3.500 5M14 5l1 5h-4l1.500-5",
  submissions: "M2 9l2-6h8l2 6v5H2zM2 9h4l1 2h2l1-2h4",
  dot: "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
};

/** @param {string} name */
export function icon(name) {
  // The backend's users are the store's customers.
  const drawing = drawings[name === "users" ? "customers" : name] ?? drawings.dot;
  return svg("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" },
    svg("path", { d: drawing }));
}
