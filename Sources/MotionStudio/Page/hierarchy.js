// The room Hierarchy: targets and properties with their drivers, and plugins with their workers. Only the rows that are
// seen are elements.

import { byId, element, text } from "./dom.js";
import { place } from "./place.js";

/** @typedef {import("./motion.js").Motion} Motion */
/** @typedef {import("./world.js").World} World */
/**
 * A row: a target, or one of its properties.
 * @typedef {{target: string, property: string | null, cells: string[], key: string}} Row
 */

/** The height of a row, as in style.css. */
const rowHeight = 28;
/** Milliseconds between lists. */
const interval = 1000;

/**
 * @param {Motion} motion
 * @param {World} world
 * @param {(error: unknown) => void} report
 */
export function showHierarchy(motion, world, report) {
  const list = byId("rows", HTMLDivElement);
  const space = byId("rows-space", HTMLDivElement);
  const search = byId("search", HTMLInputElement);
  const plugins = byId("plugins", HTMLDivElement);
  /** @type {Row[]} */
  let all = [];
  /** @type {Row[]} */
  let shown = [];
  let isAsking = false;
  /** @type {number | null} The moment of what is listed. */
  let asked = null;

  async function ask() {
    if (place.room !== "hierarchy" || motion.connection !== "open" || document.hidden || isAsking) return;
    isAsking = true;
    const { moment } = place;
    try {
      const [targets, properties, loaded] = await Promise.all([
        motion.list("targets", null, moment), motion.list("properties", null, moment), motion.list("plugins"),
      ]);
      asked = moment;
      all = rows(targets, properties);
      filter();
      plugins.replaceChildren(...loaded.map(plugin));
      if (loaded.length === 0) plugins.replaceChildren(element("p", { class: "hint" }, "motiond has none."));
    } catch (error) { report(error); }
    isAsking = false;
    // The moment may have changed meanwhile.
    if (place.moment !== moment) void ask();
  }

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    shown = words.length === 0 ? all : all.filter((row) => words.every((word) => row.key.includes(word)));
    space.style.height = `${shown.length * rowHeight}px`;
    draw();
  }

  function draw() {
    const first = Math.max(0, Math.floor(list.scrollTop / rowHeight) - 4);
    const count = Math.ceil(list.clientHeight / rowHeight) + 8;
    list.removeAttribute("aria-activedescendant");
    space.replaceChildren(...shown.slice(first, first + count).map((row, offset) => {
      const index = first + offset;
      const node = element("div", { class: row.property ? "row property" : "row target", role: "option" },
        ...row.cells.map((cell) => element("span", {}, cell)));
      const isSelected = row.target === place.target && row.property === place.property;
      node.id = `row-${index}`;
      node.style.top = `${index * rowHeight}px`;
      node.setAttribute("aria-selected", String(isSelected));
      node.setAttribute("aria-setsize", String(shown.length));
      node.setAttribute("aria-posinset", String(index + 1));
      if (isSelected) list.setAttribute("aria-activedescendant", node.id);
      node.addEventListener("click", () => place.select(row.target, row.property));
      return node;
    }));
  }

  /** @param {number} index */
  function select(index) {
    const row = shown[Math.min(shown.length - 1, Math.max(0, index))];
    if (!row) return;
    const top = shown.indexOf(row) * rowHeight;
    if (top < list.scrollTop) list.scrollTop = top;
    if (top + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + rowHeight - list.clientHeight;
    place.select(row.target, row.property);
  }

  list.addEventListener("scroll", draw);
  list.addEventListener("keydown", (event) => {
    const at = shown.findIndex((row) => row.target === place.target && row.property === place.property);
    const page = Math.floor(list.clientHeight / rowHeight);
    const ways = /** @type {Record<string, number>} */ ({
      ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: shown.length - 1,
    });
    const next = ways[event.key];
    if (next === undefined) return;
    event.preventDefault();
    select(next);
  });
  search.addEventListener("input", () => { list.scrollTop = 0; filter(); });
  place.addEventListener("change", () => { draw(); void ask(); });
  motion.addEventListener("connection", ask);
  new ResizeObserver(draw).observe(list);
  world.addEventListener("past", () => { if (place.moment !== asked) void ask(); });
  // The past stays as it was.
  setInterval(() => { if (place.moment === null) void ask(); }, interval);
}

/**
 * @param {any[]} targets
 * @param {any[]} properties
 * @returns {Row[]}
 */
function rows(targets, properties) {
  /** @type {Map<string, any[]>} */
  const byTarget = new Map();
  for (const row of properties) {
    const group = byTarget.get(row.target);
    if (group) group.push(row); else byTarget.set(row.target, [row]);
  }
  return targets.flatMap((target) => [
    made(target.target, null, [target.target, `${target.intentions} plans`, target.active ? "moves" : "rests"]),
    ...(byTarget.get(target.target) ?? []).map((row) => made(row.target, row.property, [
      row.property, text(row.value),
      `${row.driver ?? "nothing drives it"}${row.waiting.length > 0 ? `, ${row.waiting.join(", ")} waits` : ""}`,
    ])),
  ]);
}

/**
 * @param {string} target
 * @param {string | null} property
 * @param {string[]} cells
 * @returns {Row}
 */
function made(target, property, cells) {
  return { target, property, cells, key: `${target} ${property ?? ""} ${cells[2]}`.toLowerCase() };
}

/** @param {any} row as in `motionctl list plugins --json` */
function plugin(row) {
  const node = element("div", { class: row.problem ? "plan bad" : "plan" }, element("strong", {}, row.plugin),
    ` ${row.types.join(", ")} ${row.problem ?? ""}`);
  for (const worker of row.workers) {
    const last = worker.log.at(-1);
    node.append(element("div", {}, `${worker.worker}: ${worker.state}, process ${worker.processID}, `
      + `${worker.restarts} restarts, ${worker.executors} executors`
      + `${worker.reason ? `; ${worker.reason}` : ""}${last ? `; last line: ${last}` : ""}`));
  }
  return node;
}
