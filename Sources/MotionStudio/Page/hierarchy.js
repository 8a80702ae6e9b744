// The room Hierarchy: targets and properties with their drivers, and plugins with their workers. Only the rows that are seen
// are elements, and only these and their neighbours are asked for.

import { byId, element, renew, text } from "./dom.js";
import { place } from "./place.js";

/** @typedef {import("./motion.js").Motion} Motion */
/** @typedef {import("./world.js").World} World */
/** @typedef {import("./motion.js").Page} Page */

/** The height of a row, as in style.css. */
const rowHeight = 28;
/** Milliseconds between lists. */
const interval = 1000;
/** The most rows in an answer. */
const mostRows = 500;

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
  /** @type {Page} */
  let page = { total: 0, first: 0, rows: [], selected: null };
  let isAsking = false;
  /** @type {string | null} What was asked for last: something else is asked for at once. */
  let asked = null;
  /** @type {number | null} The number of a row that is selected as soon as it is there. */
  let wanted = null;

  /** What is to be shown. */
  function request() {
    const seen = Math.ceil(list.clientHeight / rowHeight) + 1;
    const top = wanted === null ? Math.floor(list.scrollTop / rowHeight) : Math.max(0, wanted - seen);
    // In steps, so that not each pixel asks for others.
    const first = Math.max(0, Math.floor(top / seen) - 1) * seen;
    return {
      search: search.value, first, count: Math.min(mostRows, 4 * seen), target: place.target, property: place.property,
      moment: place.moment,
    };
  }

  async function ask() {
    if (place.room !== "hierarchy" || motion.connection !== "open" || document.hidden || isAsking) return;
    isAsking = true;
    const now = request();
    asked = JSON.stringify(now);
    try {
      const [found, loaded] = await Promise.all([motion.rows(now), motion.list("plugins")]);
      show(found);
      renew(plugins, ...(loaded.length > 0 ? loaded.map(plugin) : [element("p", { class: "hint" }, "motiond has none.")]));
    } catch (error) { report(error); }
    isAsking = false;
    askIfOther();
  }

  /** Asks if another part is to be shown than was asked for. */
  function askIfOther() { if (JSON.stringify(request()) !== asked) void ask(); }

  /** @param {Page} found */
  function show(found) {
    page = found;
    space.style.height = `${page.total * rowHeight}px`;
    if (wanted !== null) select(wanted);
    draw();
  }

  /** @param {number} index */
  function row(index) { return page.rows[index - page.first]; }

  function draw() {
    const first = Math.max(0, Math.floor(list.scrollTop / rowHeight) - 4);
    const end = Math.min(page.total, first + Math.ceil(list.clientHeight / rowHeight) + 8);
    list.removeAttribute("aria-activedescendant");
    /** @type {HTMLElement[]} */
    const nodes = [];
    for (let index = first; index < end; index++) {
      const shown = row(index);
      if (!shown) continue;
      const property = shown.property ?? null;
      const node = element("div", { class: property ? "row property" : "row target", role: "option" },
        ...cells(shown).map((cell) => element("span", {}, cell)));
      const isSelected = shown.target === place.target && property === place.property;
      node.id = `row-${index}`;
      node.dataset.key = JSON.stringify([shown.target, property]);
      node.style.top = `${index * rowHeight}px`;
      node.setAttribute("aria-selected", String(isSelected));
      node.setAttribute("aria-setsize", String(page.total));
      node.setAttribute("aria-posinset", String(index + 1));
      if (isSelected) list.setAttribute("aria-activedescendant", node.id);
      nodes.push(node);
    }
    renew(space, ...nodes);
  }

  /**
   * Selects a row, now or as soon as it is there.
   * @param {number} index
   */
  function select(index) {
    const number = Math.min(page.total - 1, Math.max(0, index));
    if (number < 0) return;
    const top = number * rowHeight;
    if (top < list.scrollTop) list.scrollTop = top;
    if (top + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + rowHeight - list.clientHeight;
    page.selected = number;
    const found = row(number);
    wanted = found ? null : number;
    if (found) place.select(found.target, found.property ?? null);
    else askIfOther();
  }

  space.addEventListener("click", (event) => {
    const node = event.target instanceof Element ? event.target.closest(".row") : null;
    if (node) select(Number(node.getAttribute("aria-posinset")) - 1);
  });
  list.addEventListener("scroll", () => {
    draw();
    askIfOther();
  });
  list.addEventListener("keydown", (event) => {
    const at = page.selected ?? -1;
    const step = Math.floor(list.clientHeight / rowHeight);
    const ways = /** @type {Record<string, number>} */ ({
      ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + step, PageUp: at - step, Home: 0, End: page.total - 1,
    });
    const next = ways[event.key];
    if (next === undefined) return;
    event.preventDefault();
    select(next);
  });
  search.addEventListener("input", () => {
    list.scrollTop = 0;
    wanted = null;
    askIfOther();
  });
  place.addEventListener("change", () => {
    draw();
    askIfOther();
  });
  motion.addEventListener("connection", ask);
  new ResizeObserver(draw).observe(list);
  world.addEventListener("past", askIfOther);
  // The past stays as it was.
  setInterval(() => { if (place.moment === null) void ask(); }, interval);
}

/** @param {any} row as in `motionctl list targets --json` or `motionctl list properties --json` */
function cells(row) {
  if (row.property === undefined) return [row.target, `${row.intentions} plans`, row.active ? "moves" : "rests"];
  return [
    row.property, text(row.value),
    `${row.driver ?? "nothing drives it"}${row.waiting.length > 0 ? `, ${row.waiting.join(", ")} waits` : ""}`,
  ];
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
