// The Timeline in words and numbers: hand-overs as a list, and the differences between two cursors.

import { seconds } from "./axis.js";
import { byId, element, renew, text } from "./dom.js";

/** @typedef {import("./curves.js").Mark} Mark */
/** @typedef {import("./curves.js").Curve} Curve */

/** The most hand-overs in the list; older ones are on the canvas. */
const mostListed = 100;

/** @param {Mark} mark */
function plan(mark) { return mark.plan ? `${mark.plan.type}${mark.plan.name ? ` "${mark.plan.name}"` : ""}` : mark.text; }

/**
 * The label of a mark on the canvas.
 * @param {Mark} mark
 * @param {boolean} isOfMany whether there are several curves
 */
export function shortly(mark, isOfMany) {
  const client = mark.client ? ` · ${mark.client}` : "";
  return `${isOfMany ? `${mark.property}: ` : ""}${mark.kind === "handover" ? "" : `${mark.kind}: `}${plan(mark)}${client}`
    + (mark.jumps ? ` · jump ${text(mark.stepOfValue)}` : "");
}

/**
 * A mark in a sentence.
 * @param {Mark} mark
 */
export function describe(mark) {
  const kinds = /** @type {Record<string, string>} */ ({
    handover: "takes over", start: "begins", end: "ends", failure: "fails", stop: "is stopped", jump: "jumps",
  });
  const who = mark.plan ? `${plan(mark)} ${kinds[mark.kind] ?? mark.kind}` : mark.text;
  return `${seconds(mark.time)} · ${mark.property} · ${who}${mark.client ? ` · by ${mark.client}` : ""}`
    + (mark.comment ? ` · ${mark.comment}` : "")
    + ` · step of value ${text(mark.stepOfValue)}, of velocity ${text(mark.stepOfVelocity)} /s`;
}

/**
 * Lists the newest marks; each leads to its moment.
 * @param {Mark[]} marks
 * @param {(mark: Mark) => void} choose
 */
export function showMarks(marks, choose) {
  const list = byId("marks", HTMLOListElement);
  const newest = marks.slice(-mostListed).reverse();
  if (newest.length === 0) return renew(list, element("li", { class: "hint" }, "None in these times."));
  renew(list, ...newest.map((mark) => {
    const button = element("button", { class: mark.jumps ? "mark bad" : "mark" }, describe(mark));
    button.addEventListener("click", () => choose(mark));
    const item = element("li", {}, button);
    item.dataset.key = `${mark.property} ${mark.frame} ${mark.kind}`;
    return item;
  }));
}

/**
 * Value and velocity at each cursor, and the differences.
 * @param {Map<string, Curve>} shown
 * @param {number | null} a
 * @param {number | null} b
 */
export function showDifferences(shown, a, b) {
  const node = byId("differences", HTMLDivElement);
  if (a === null && b === null) return renew(node);
  const heads = ["curve", "at A", "at B", "B − A"];
  const body = element("tbody", {});
  /** @param {number[]} one @param {number[]} other */
  const minus = (one, other) => one.map((lane, index) => lane - (other[index] ?? 0));
  /** @param {...string} cells */
  const row = (...cells) => {
    const [name, ...rest] = cells;
    const head = element("th", {}, name);
    head.setAttribute("scope", "row");
    body.append(element("tr", {}, head, ...rest.map((cell) => element("td", {}, cell))));
  };
  row("time", a === null ? "–" : seconds(a), b === null ? "–" : seconds(b), a === null || b === null ? "–" : seconds(b - a));
  for (const curve of shown.values()) {
    const [one, other] = [a === null ? null : curve.at(a), b === null ? null : curve.at(b)];
    row(curve.key, text(one?.value), text(other?.value), one && other ? text(minus(other.value, one.value)) : "–");
    row("velocity /s", text(one?.velocity), text(other?.velocity), one && other ? text(minus(other.velocity, one.velocity)) : "–");
  }
  const head = element("tr", {}, ...heads.map((name) => {
    const cell = element("th", {}, name);
    cell.setAttribute("scope", "col");
    return cell;
  }));
  renew(node, element("table", {}, element("thead", {}, head), body));
}
