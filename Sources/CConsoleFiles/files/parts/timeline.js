// The picture of a subscription's life: a lane for each product with its periods as bars, a lane
// for payments that failed, what happened as letters, and the clock's hand. The table beside it
// says the same; by keys the picture is walked with the arrows.

import { fill, h, svg, uniqueID } from "../dom.js";
import { timeText } from "../format.js";
import { whenSettingChanges } from "../settings.js";
import { markTitles } from "./life.js";

/** @typedef {import("./life.js").Item} Item */
/** @typedef {{x: (time: number) => number, from: number, until: number}} Scale */

const axisHeight = 22;
const laneHeight = 42;
const barTop = 17;
const barHeight = 20;
const markRadius = 9;
const markGap = 20;
const rowsMax = 3;
const tickPixels = 92;
const labelCharacterPixels = 6.6;
const shownMax = 12;
const minute = 60_000;
const day = 86_400_000;
const steps = [minute, 5 * minute, 15 * minute, 60 * minute, 180 * minute, 720 * minute,
  day, 2 * day, 7 * day];
const monthSteps = [1, 2, 3, 6, 12, 24, 60, 120];

/**
 * The picture, which follows its width.
 * @param {AbortSignal} signal
 */
export function timeline(signal) {
  const picture = h("div", { class: "picture" });
  const caption = h("p", { class: "caption" });
  const whole = h("button", { type: "button", class: "plain", "aria-pressed": "false",
    onclick: () => {
      isWhole = !isWhole;
      whole.setAttribute("aria-pressed", String(isWhole));
      draw();
    } }, "Whole life");
  const element = h("div", { class: "lifeline", hidden: true }, picture,
    h("div", { class: "under" }, caption, whole));
  /** @type {Item[]} */
  let items = [];
  let now = 0;
  let isWhole = false;
  let chosen = "";
  let width = 0;

  const draw = () => {
    if (width === 0) {
      return;
    }
    const hadFocus = picture.contains(document.activeElement);
    const periods = items.filter(({ kind }) => kind === "period");
    const first = isWhole ? undefined : periods[periods.length - shownMax];
    const shown = first === undefined ? items
      : items.filter(({ from, until }) => (until ?? from) >= first.from);
    whole.hidden = periods.length <= shownMax;
    const drawn = drawing(shown, now, width, (item) => {
      chosen = item.key;
      fill(caption, sentence(item));
    });
    fill(picture, drawn.element);
    rove(drawn.element, drawn.targets, chosen);
    if (hadFocus) {
      drawn.targets.get(chosen)?.focus();
    } else {
      fill(caption, legend(shown));
    }
  };
  const observer = new ResizeObserver(([entry]) => {
    if (Math.round(entry.contentRect.width) !== width) {
      width = Math.round(entry.contentRect.width);
      draw();
    }
  });
  observer.observe(picture);
  picture.addEventListener("pointerleave", () => {
    if (!picture.contains(document.activeElement)) {
      draw();
    }
  });
  signal.addEventListener("abort", () => observer.disconnect());
  whenSettingChanges("times", draw, signal);
  return {
    element,
    /** @param {Item[]} list @param {number} time The world's. */
    show: (list, time) => {
      items = list;
      now = time;
      element.hidden = list.length === 0;
      draw();
    },
  };
}

/**
 * What an item says, in a line.
 * @param {Item} item
 */
export function sentence(item) {
  const day = (/** @type {number} */ time) => timeText(new Date(time));
  return [item.title, item.detail, item.productId, item.price,
    item.until === undefined ? day(item.from) : `${day(item.from)} to ${day(item.until)}`,
    item.cutAt === undefined ? undefined : `ended ${day(item.cutAt)}`]
    .filter((part) => part !== undefined).join(" · ");
}

/** @param {Item[]} items */
function legend(items) {
  const used = Object.entries(markTitles).filter(([mark]) =>
    items.some((item) => item.kind === "event" && item.mark === mark));
  return [h("span", null, "Arrow keys walk through the picture. "), ...used.map(([mark, title]) =>
    h("span", { class: "key" }, h("b", null, mark), ` ${title}`))];
}

/**
 * One stop for Tab; the arrows go from there.
 * @param {SVGElement} element
 * @param {Map<string, SVGElement>} targets In the order of time.
 * @param {string} chosen
 */
function rove(element, targets, chosen) {
  const list = [...targets.values()];
  const current = targets.get(chosen) ?? list[list.length - 1];
  current?.setAttribute("tabindex", "0");
  element.addEventListener("keydown", (event) => {
    const index = list.findIndex((target) => target === document.activeElement);
    const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0,
      End: list.length - 1 }[event.key];
    if (index < 0 || to === undefined || list[to] === undefined) {
      return;
    }
    event.preventDefault();
    list.forEach((target) => target.setAttribute("tabindex", "-1"));
    list[to].setAttribute("tabindex", "0");
    list[to].focus();
  });
}

/**
 * @param {Item[]} items @param {number} now @param {number} width
 * @param {(item: Item) => void} chose
 */
function drawing(items, now, width, chose) {
  const scale = scaleOf(items, now, width);
  const products = [...new Set(items.filter(isBar).map(({ productId }) => productId ?? ""))];
  const hasPayments = items.some(({ kind }) => kind === "payment");
  const lanes = [...products, ...(hasPayments ? ["Payment"] : [])];
  const points = stacked(items.filter((item) => !isBar(item) && item.kind !== "payment"), scale);
  const marksTop = axisHeight + lanes.length * laneHeight + 8;
  const rows = Math.max(0, ...points.map(({ row }) => row + 1));
  const height = marksTop + rows * markGap + 4;
  const stripes = uniqueID("stripes");
  /** @type {Map<string, SVGElement>} */
  const targets = new Map();
  /** @param {Item} item @param {string} name @param {...(SVGElement | null)} shapes */
  const target = (item, name, ...shapes) => {
    const group = svg("g", {
      class: `item ${name} ${item.tone}`, role: "img", "aria-label": sentence(item),
      tabindex: "-1", onfocus: () => chose(item), onpointerenter: () => chose(item),
    }, shapes);
    targets.set(item.key, group);
    return group;
  };
  const drawn = items.map((item) => {
    const lane = item.kind === "payment" ? products.length
      : products.indexOf(item.productId ?? "");
    const top = axisHeight + lane * laneHeight + barTop;
    if (isBar(item)) {
      return target(item, item.kind === "next" ? "bar next" : `bar lane${lane % 4}`,
        ...bar(item, scale, top, stripes));
    } else if (item.kind === "payment") {
      return target(item, "span", ...bar(item, scale, top, stripes));
    }
    const point = points.find((point) => point.item === item);
    const y = marksTop + markRadius + (point?.row ?? 0) * markGap;
    return target(item, item.kind === "next" ? "mark next" : "mark",
      svg("line", { x1: scale.x(item.from), x2: point?.x, y1: axisHeight, y2: y - markRadius }),
      svg("circle", { cx: point?.x, cy: y, r: markRadius }),
      svg("text", { x: point?.x, y: y + 4, "text-anchor": "middle" }, item.mark));
  });
  const element = svg("svg", {
    width, height, viewBox: `0 0 ${width} ${height}`, role: "group",
    "aria-label": "Time line of the subscription; the table below has the same",
  },
  svg("defs", null, svg("pattern", { id: stripes, width: 6, height: 6,
    patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
  svg("rect", { class: "stripe", width: 2, height: 6 }))),
  axis(now, scale, width, height), hand(now, scale, width, height),
  lanes.map((name, index) => svg("text", { class: "lane", x: 2,
    y: axisHeight + index * laneHeight + barTop - 4 }, shortened(name, width))),
  drawn);
  return { element, targets };
}

/**
 * Whether an item is a period, past or to come, in the lane of its product.
 * @param {Item} item
 */
function isBar({ kind, until }) {
  return kind === "period" || kind === "next" && until !== undefined;
}

/** @param {Item[]} items @param {number} now @param {number} width @returns {Scale} */
function scaleOf(items, now, width) {
  const from = Math.min(now, ...items.map((item) => item.from));
  const end = Math.max(from + minute, ...items.map((item) => item.until ?? item.from));
  // A clock that went far beyond the life stands at the edge, so that the life stays readable.
  const reach = end + (end - from) * 0.25;
  const until = Math.max(end, Math.min(now, reach));
  const [left, right] = [12, width - 14];
  const range = until - from;
  return { from, until,
    x: (time) => left + (Math.min(Math.max(time, from), until) - from) / range * (right - left) };
}

/** @param {Item} item @param {Scale} scale @param {number} y @param {string} stripes */
function bar(item, scale, y, stripes) {
  const x = scale.x(item.from);
  const width = Math.max(3, scale.x(item.until ?? item.from) - x - 1.5);
  const used = item.cutAt === undefined ? width : Math.max(2, scale.x(item.cutAt) - x);
  const isPlain = item.title === "Period" || item.kind === "next";
  const label = isPlain ? item.price ?? "" : item.title;
  const isStriped = item.kind === "payment" || item.tone === "warn";
  return [
    used < width ? svg("rect", { class: "rest", x, y, width, height: barHeight, rx: 4 }) : null,
    svg("rect", { class: "body", x, y, width: used, height: barHeight, rx: 4 }),
    isStriped ? svg("rect", { x, y, width: used, height: barHeight, rx: 4,
      fill: `url(#${stripes})` }) : null,
    label.length * labelCharacterPixels + 8 < used
      ? svg("text", { x: x + 6, y: y + 14 }, label) : null,
  ];
}

/**
 * Places of letters: those that would overlap go a row down, and then to the right.
 * @param {Item[]} items @param {Scale} scale
 */
function stacked(items, scale) {
  /** @type {number[]} */
  const ends = [];
  return items.map((item) => {
    const wanted = scale.x(item.from);
    const free = ends.findIndex((end) => end <= wanted - markRadius);
    const row = free >= 0 ? free : ends.length < rowsMax ? ends.length
      : ends.indexOf(Math.min(...ends));
    const x = Math.max(wanted, (ends[row] ?? 0) + markRadius);
    ends[row] = x + markRadius + 2;
    return { item, x, row };
  });
}

/**
 * The times at the top, but for those that would be below the word at the hand or another one.
 * @param {number} now @param {Scale} scale @param {number} width @param {number} height
 */
function axis(now, scale, width, height) {
  let edge = 0;
  const word = scale.x(now);
  return svg("g", { class: "axis", "aria-hidden": "true" }, ticks(scale, width).map((time) => {
    const x = scale.x(time);
    const text = timeText(new Date(time), scale.until - scale.from < 3 * day ? "clock" : "date");
    const half = text.length * labelCharacterPixels / 2;
    const isFree = x - half >= edge && x + half <= width
      && Math.abs(x - word) > half + 3 * labelCharacterPixels;
    edge = isFree ? x + half + 6 : edge;
    return svg("g", null, svg("line", { x1: x, x2: x, y1: 16, y2: height }), isFree
      ? svg("text", { x, y: 11, "text-anchor": "middle" }, text) : null);
  }));
}

/** @param {Scale} scale @param {number} width */
function ticks({ from, until }, width) {
  const wanted = (until - from) / Math.max(2, Math.floor(width / tickPixels));
  const step = steps.find((step) => step >= wanted);
  const list = [];
  if (step !== undefined) {
    for (let time = Math.ceil(from / step) * step; time <= until; time += step) {
      list.push(time);
    }
    return list;
  }
  const months = monthSteps.find((months) => months * 30 * day >= wanted) ?? 120;
  const first = new Date(from);
  const begin = first.getUTCFullYear() * 12 + first.getUTCMonth();
  for (let month = Math.ceil(begin / months) * months; ; month += months) {
    const time = Date.UTC(Math.floor(month / 12), month % 12);
    if (time > until) {
      return list;
    }
    if (time >= from) {
      list.push(time);
    }
  }
}

/** @param {number} now @param {Scale} scale @param {number} width @param {number} height */
function hand(now, scale, width, height) {
  const x = scale.x(now);
  const text = now > scale.until ? "now →" : "now";
  const half = text.length * labelCharacterPixels / 2 + 4;
  const middle = Math.min(Math.max(x, half), width - half);
  return svg("g", { class: "hand", role: "img",
    "aria-label": `The clock: ${timeText(new Date(now))}` },
  svg("line", { x1: x, x2: x, y1: 16, y2: height }),
  svg("rect", { x: middle - half, y: 0, width: 2 * half, height: 16, rx: 4 }),
  svg("text", { x: middle, y: 12, "text-anchor": "middle" }, text));
}

/** @param {string} text @param {number} width */
function shortened(text, width) {
  const countMax = Math.floor((width - 8) / labelCharacterPixels);
  return text.length <= countMax ? text : `…${text.slice(1 - countMax)}`;
}
