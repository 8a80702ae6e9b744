// The room Graph: which plan and executor drives each property, through which streams, and which plans read it; as a picture
// and as a list.

import { byId, element, renew, text } from "./dom.js";
import { layout, nodeHeight } from "./layers.js";
import { place } from "./place.js";

/** @typedef {import("./motion.js").Motion} Motion */
/** @typedef {import("./world.js").World} World */
/** @typedef {any} Row A node as `motionctl graph --json` writes it. */
/** @typedef {import("./layers.js").Edge} Edge */

/** Milliseconds between graphs. */
const interval = 1000;
/** The most nodes in a picture: more cannot be told apart. */
const mostNodes = 300;
/** Of more targets, only one is shown at a time: all would be some megabytes a second. */
const mostTargets = 2000;
const tooMany = `There are more than ${mostTargets} targets: select one, and show only this one.`;
/** The least scale of a picture. */
const leastScale = 0.66;
/** The letters of a label. */
const mostLetters = 34;
const svgNames = "http://www.w3.org/2000/svg";
/** What an edge means, from its first node to its second one. */
const words = /** @type {Record<string, string>} */ ({
  drives: "drives", waits: "waits for", writes: "writes", reads: "is read by", emits: "emits", moves: "moves",
  connects: "begins with", values: "then", argument: "is an argument of", holds: "has",
});

/**
 * @param {Motion} motion
 * @param {World} world
 * @param {(error: unknown) => void} report
 */
export function showGraph(motion, world, report) {
  const picture = byId("graph-picture", HTMLDivElement);
  const list = byId("graph-list", HTMLUListElement);
  const scope = byId("graph-scope", HTMLSelectElement);
  const remark = byId("graph-remark", HTMLParagraphElement);
  /** What is shown, so that it stays while it is the same. */
  let shown = "";
  let isAsking = false;

  async function ask() {
    if (place.room !== "graph" || motion.connection !== "open" || document.hidden || isAsking) return;
    if (place.moment !== null && !world.moment) return;
    const target = scope.value === "target" ? place.target : null;
    if (target === null && world.targetCount > mostTargets) {
      return show({ nodes: [], edges: [], remarks: [tooMany] });
    }
    isAsking = true;
    try {
      const [graph] = await motion.list("graph", target, place.moment);
      show(graph);
    } catch (error) { report(error); }
    isAsking = false;
    if (target !== (scope.value === "target" ? place.target : null)) void ask();
  }

  /** @param {{nodes: Row[], edges: Edge[], remarks: string[]}} graph */
  function show({ nodes, edges, remarks }) {
    const kept = nodes.filter((row) => row.node !== "target").slice(0, mostNodes);
    const ids = new Set(kept.map((row) => row.id));
    // A target holds everything: its name stands in the labels instead.
    const ways = edges.filter((edge) => ids.has(edge.from) && ids.has(edge.to));
    const left = nodes.length - nodes.filter((row) => row.node === "target").length - kept.length;
    remark.textContent = [
      kept.length === 0 && remarks.length === 0 ? "Nothing moves and nothing is there yet." : "", ...remarks,
      left > 0 ? `${left} further nodes are not shown: select a target, and show only this one.` : "",
    ].filter(Boolean).join(" ");
    const key = JSON.stringify([
      kept.map((row) => [row.id, label(row), row.state ?? ""]), ways, place.target, place.property,
    ]);
    if (key !== shown) {
      shown = key;
      draw(kept, ways);
      tell(kept, ways);
    }
    for (const row of kept) {
      const value = document.getElementById(`graph-value-${row.id}`);
      const last = value && valueOf(row);
      if (value && value.textContent !== last) value.textContent = last;
    }
  }

  /** @param {Row[]} rows @param {Edge[]} edges */
  function draw(rows, edges) {
    const { spots, width, height } = layout(rows.map((row) => ({ id: row.id, text: widest(row) })), edges);
    // It fits, unless letters become too small.
    const scale = Math.max(leastScale, Math.min(1, (picture.clientWidth - 4) / width));
    const svg = svgElement("svg", {
      viewBox: `0 0 ${width} ${height}`, width: width * scale, height: height * scale, role: "img", "aria-label": "Graph. The list has the same in words.",
    });
    for (const edge of edges) {
      const [from, to] = [spots.get(edge.from), spots.get(edge.to)];
      if (!from || !to) continue;
      const [x1, y1, x2, y2] = [from.x + from.width, from.y + nodeHeight / 2, to.x, to.y + nodeHeight / 2];
      const bend = Math.max(24, Math.abs(x2 - x1) / 2);
      const d = edge.from === edge.to || x2 < x1
        // Back, below the nodes.
        ? `M${x1} ${y1} C${x1 + 40} ${y1 + 60} ${x2 - 40} ${y2 + 60} ${x2} ${y2}`
        : `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
      const path = svgElement("path", { d, class: `edge ${edge.kind}` });
      path.append(titled(words[edge.kind] ?? edge.kind));
      svg.append(path, svgElement("path", { d: `M${x2} ${y2} l-7 -4 v8 z`, class: `arrow ${edge.kind}` }));
    }
    for (const row of rows) {
      const spot = spots.get(row.id);
      if (spot) svg.append(node(row, spot, edges, rows));
    }
    renew(picture, svg);
  }

  /**
   * @param {Row} row
   * @param {import("./layers.js").Spot} spot
   * @param {Edge[]} edges
   * @param {Row[]} rows
   */
  function node(row, spot, edges, rows) {
    const [target, property] = selection(row, edges, rows);
    const isSelected = target === place.target && row.node === "property"
      && (place.property === null ? row.property === "position" : property === place.property);
    // The list has the same for keyboards and screen readers.
    const group = svgElement("g", {
      class: `node ${row.node}${isSelected ? " selected" : ""}${row.state === "failed" ? " failed" : ""}`,
      transform: `translate(${spot.x} ${spot.y})`,
    });
    group.append(
      svgElement("rect", { width: spot.width, height: nodeHeight, rx: row.node === "property" ? 4 : nodeHeight / 2 }),
      textElement(short(label(row)), 10, valueOf(row) === "" ? 22 : 15, "name"), titled(`${row.node} ${label(row)}`),
    );
    if (valueOf(row) !== "") {
      const value = textElement(valueOf(row), 10, 29, "value");
      value.id = `graph-value-${row.id}`;
      group.append(value);
    }
    group.dataset.key = `${row.node} ${label(row)}`;
    if (target) group.dataset.target = target;
    if (property) group.dataset.property = property;
    return group;
  }

  /** @param {Row[]} rows @param {Edge[]} edges The graph in sentences: a button for each property, with what leads to it and from it. */
  function tell(rows, edges) {
    const byNumber = new Map(rows.map((row) => [row.id, row]));
    renew(list, ...rows.filter((row) => row.node === "property").map((row) => {
      const key = `${row.target}/${row.property}`;
      const to = edges.filter((edge) => edge.to === row.id && edge.kind !== "holds");
      const from = edges.filter((edge) => edge.from === row.id && edge.kind === "reads");
      const lines = [
        ...to.map((edge) => `${words[edge.kind]}: ${label(byNumber.get(edge.from))}${chain(edge.from, byNumber, edges)}`),
        ...from.map((edge) => `is read by: ${label(byNumber.get(edge.to))}`),
      ];
      if (!row.driver) lines.unshift("nothing drives it");
      const button = element("button", { class: "mark" }, element("strong", {}, key), `: ${driver(row, rows)}`);
      [button.dataset.target, button.dataset.property] = [row.target, row.property];
      button.setAttribute("aria-pressed", String(row.target === place.target && row.property === place.property));
      const item = element("li", {}, button, element("div", { class: "hint" }, lines.join("; ")));
      item.dataset.key = key;
      return item;
    }));
  }

  for (const part of [picture, list]) {
    part.addEventListener("click", (event) => {
      const chosen = event.target instanceof Element ? event.target.closest("[data-target]") : null;
      if (!(chosen instanceof HTMLElement || chosen instanceof SVGElement)) return;
      const { target, property } = chosen.dataset;
      if (target) place.select(target, property ?? null);
    });
  }
  scope.addEventListener("change", ask);
  place.addEventListener("change", () => { shown = ""; void ask(); });
  world.addEventListener("past", ask);
  motion.addEventListener("connection", ask);
  setInterval(() => { if (place.moment === null) void ask(); }, interval);
}

/** @param {number} id @param {Map<number, Row>} rows @param {Edge[]} edges @returns {string} The calls of a stream before this one. */
function chain(id, rows, edges) {
  /** @type {string[]} */
  const found = [];
  const seen = new Set([id]);
  for (let at = id; ;) {
    const edge = edges.find((one) => one.to === at && (one.kind === "values" || one.kind === "connects"));
    if (!edge || seen.has(edge.from)) break;
    seen.add(edge.from);
    found.push(label(rows.get(edge.from)));
    at = edge.from;
  }
  return found.length > 0 ? ` after ${found.join(", after ")}` : "";
}

/**
 * The selection of a node: a property, else the property that a plan, an executor or a stream leads to.
 * @param {Row} row
 * @param {Edge[]} edges
 * @param {Row[]} rows
 * @returns {[string | null, string | null]}
 */
function selection(row, edges, rows) {
  const byNumber = new Map(rows.map((one) => [one.id, one]));
  const seen = new Set([row.id]);
  const queue = [row.id];
  for (const id of queue) {
    const found = byNumber.get(id);
    if (found?.node === "property") return [found.target, found.property];
    for (const edge of edges) {
      if (edge.from !== id || seen.has(edge.to)) continue;
      seen.add(edge.to);
      queue.push(edge.to);
    }
  }
  return [row.target ?? null, null];
}

/**
 * The plans that drive a property, with those that emitted them, and the executor.
 * @param {Row} property
 * @param {Row[]} rows
 */
function driver(property, rows) {
  if (!property.driver) return "rests";
  /** @param {string} identity @returns {string} */
  const title = (identity) => {
    const plan = rows.find((row) => row.node === "intention" && row.intention === identity);
    if (!plan) return identity;
    return `${label(plan)}${plan.parent ? ` of ${title(plan.parent)}` : ""}`;
  };
  const plans = property.because.map(title).join(" and ");
  return plans ? `driven by ${plans}, in ${property.driver}` : `driven by ${property.driver}`;
}

/** @param {Row} row */
function label(row) {
  switch (row?.node) {
    case "property": return `${row.target}/${row.property}`;
    case "executor": return `${row.executor} of ${row.target} in ${row.worker ?? "motiond"}`;
    case "intention": return `${row.type} ${row.intention}${row.name ? ` "${row.name}"` : ""}`;
    case "token": return `token ${row.token}`;
    default: return row?.call ?? "?";
  }
}

/** @param {Row} row @returns {string} The second line of a node: a value, or who committed a plan. */
function valueOf(row) {
  if (row.node === "property") return `${text(row.value)} · ${text(row.velocity)} /s`;
  if (row.node === "intention") return short(`${row.state}${row.committed ? `, by ${row.committed.client.name}` : ""}`);
  return row.value === undefined || row.value === null ? "" : text(row.value);
}

/** @param {Row} row The longer line of a node; the second one has smaller letters. */
function widest(row) {
  const [first, second] = [short(label(row)), valueOf(row)];
  return second.length * 0.85 > first.length ? "x".repeat(Math.ceil(second.length * 0.85)) : first;
}

/** @param {string} label */
function short(label) { return label.length > mostLetters ? `${label.slice(0, mostLetters - 1)}…` : label; }

/** @param {string} tag @param {Record<string, string | number>} attributes */
function svgElement(tag, attributes) {
  const node = document.createElementNS(svgNames, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  return node;
}

/** @param {string} content @param {number} x @param {number} y @param {string} name */
function textElement(content, x, y, name) {
  const node = svgElement("text", { x, y, class: name });
  node.textContent = content;
  return node;
}

/** @param {string} content */
function titled(content) {
  const node = svgElement("title", {});
  node.textContent = content;
  return node;
}
