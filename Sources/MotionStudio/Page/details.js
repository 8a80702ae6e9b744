// What is selected: its values, why a property has its value, its plans, and numbers instead of a pointer.

import { author, byId, element, renew, table, text } from "./dom.js";
import { place } from "./place.js";

/** @typedef {import("./motion.js").Motion} Motion */
/** @typedef {import("./world.js").World} World */

/** Milliseconds between questions while something is selected. */
const interval = 1000;
/** The plans for which a pointer on the stage does something. */
const pointerTypes = new Set(["Draggable", "Tossable", "Pinchable", "Rotatable", "SetPositionOnTap"]);

/**
 * @param {Motion} motion
 * @param {World} world
 * @param {(error: unknown) => void} report
 */
export function showDetails(motion, world, report) {
  const selected = byId("selected", HTMLHeadingElement);
  const move = byId("move", HTMLFormElement);
  const destination = byId("destination", HTMLInputElement);
  const throwable = byId("throwable", HTMLButtonElement);
  const properties = byId("properties", HTMLDivElement);
  const why = byId("why", HTMLDivElement);
  const plans = byId("plans", HTMLDivElement);

  let isAsking = false;
  /** Whether something else is to be asked for than the question under way asks for. */
  let isOutdated = false;
  /**
   * The properties of a selected target that has no channels, because there are very many targets.
   * @type {{target: string | null, rows: Map<string, any> | undefined}}
   */
  let other = { target: null, rows: undefined };

  /** The properties of the selected target. */
  function rowsOfTarget() {
    if (!place.target) return undefined;
    return world.targets.get(place.target) ?? (other.target === place.target ? other.rows : undefined);
  }

  async function askForOther() {
    const { target, moment } = place;
    if (!target || world.targets.has(target)) return;
    try {
      const rows = await motion.list("properties", target, moment);
      other = { target, rows: new Map(rows.map((row) => [row.property, row])) };
    } catch { other = { target, rows: undefined }; }
    show();
  }

  /** The property that is explained: the selected one, else the position, else the first one. */
  function property() {
    const rows = rowsOfTarget();
    if (place.property && rows?.has(place.property)) return place.property;
    return rows?.has("position") ? "position" : rows?.keys().next().value ?? null;
  }

  function showValues() {
    const rows = rowsOfTarget();
    renew(properties, rows ? table([...rows].map(([name, sample]) => [
      name, sample ? `${text(sample.value)}  ·  ${text(sample.velocity)} /s` : "–",
    ])) : "");
  }

  function show() {
    const { target } = place;
    const name = property();
    selected.textContent = target ? (name ? `${target} · ${name}` : `${target} is not there`) : "Nothing is selected";
    move.hidden = !target || !name || !motion.mayChange || place.moment !== null;
    showValues();
    if (!target) {
      renew(why, element("p", { class: "hint" }, "Select a target."));
      renew(plans);
    }
  }

  /** @returns {Promise<void>} */
  async function ask() {
    if (!place.target || motion.connection !== "open" || document.hidden) return;
    if (isAsking) {
      isOutdated = true;
      return;
    }
    isAsking = true;
    await askForOther();
    isOutdated = false;
    const { target, moment } = place;
    const name = property();
    if (!target || !name) {
      isAsking = false;
      return;
    }
    const isOld = () => isOutdated || property() !== name;
    try {
      const [explanation, rows] = await Promise.all([
        motion.why(target, name, moment), motion.list("intentions", target, moment),
      ]);
      isAsking = false;
      // The selection may have changed meanwhile, or a plan committed.
      if (isOld()) return void ask();
      renew(why, explain(explanation));
      throwable.hidden = moment !== null || name !== "position" || rows.some((row) => pointerTypes.has(row.type));
      renew(plans, ...(rows.length > 0 ? rows.map(plan) : [element("p", { class: "hint" }, "It has none.")]));
    } catch (error) {
      isAsking = false;
      report(error);
      if (isOld()) void ask();
    }
  }

  move.addEventListener("submit", (event) => {
    event.preventDefault();
    const [target, name] = [place.target, property()];
    const lanes = destination.value.split(/[\s,;]+/).filter(Boolean).map(Number);
    if (!target || !name) return;
    if (lanes.length === 0 || !lanes.every(Number.isFinite)) return report("Write numbers, such as 100, 50");
    const value = lanes.length === 1 ? lanes[0] : lanes;
    motion.commit({
      transaction: [{ add: { type: "SpringTo", property: name, destination: value }, to: target }], comment: "moved in the page",
    }).then(ask, report);
  });
  throwable.addEventListener("click", () => {
    const sample = place.target ? rowsOfTarget()?.get("position") : null;
    if (!place.target || !sample) return;
    motion.commit({
      transaction: [{ add: { type: "Tossable", destination: sample.value, slop: 0 }, named: "thrown", to: place.target }],
      comment: "made throwable in the page",
    }).then(ask, report);
  });
  place.addEventListener("change", () => {
    // Until the answer says that no plan follows pointers.
    throwable.hidden = true;
    show();
    ask();
  });
  world.addEventListener("change", () => { show(); });
  world.addEventListener("sample", showValues);
  motion.addEventListener("connection", () => { show(); ask(); });
  world.addEventListener("past", () => { show(); void ask(); });
  setInterval(() => { if (place.moment === null && !isAsking) void ask(); }, interval);
  show();
}

/**
 * The explanation in sentences.
 * @param {any} found as `motionctl why --json` writes it
 */
function explain(found) {
  /** @type {[string, string][]} */
  const rows = [];
  const { plan, state } = found;
  rows.push(["moved by", plan ? title(plan) : "nothing: it stands"]);
  if (plan) rows.push(["fields", text(plan.fields)], ["committed", author(plan.committed)]);
  if (found.since !== null) rows.push(["drives since", `${text(found.since)} s`]);
  if (found.former) {
    const { end, time, stopper } = found.former;
    rows.push(["before", `${title(found.former)}: ${end}${stopper ? ` by ${stopper.name || "a client"}` : ""} at ${text(time)} s`]);
    rows.push(["committed", author(found.former.committed)]);
  }
  for (const row of found.waiting ?? []) rows.push(["waits", `${title(row)}, ${author(row.committed)}`]);
  for (const row of found.together ?? []) rows.push(["together with", title(row)]);
  if (found.worker) {
    rows.push(["worker", `${found.worker.worker}${found.worker.serving ? "" : ", does not serve"}`]);
    if (found.worker.quarantine) rows.push(["quarantine", found.worker.quarantine]);
  }
  if (found.lateness) rows.push(["late", text(found.lateness)]);
  if (found.restraints?.length > 0) rows.push(["limited by", text(found.restraints)]);
  rows.push(["value", text(state.value)], ["velocity", `${text(state.velocity)} /s`], ["frame", String(found.frame)]);
  return table(rows);
}

/** @param {any} row */
function title(row) { return `${row.type} ${row.intention}${row.name ? ` named ${row.name}` : ""}`; }

/** @param {any} row as in `motionctl list intentions --json` */
function plan(row) {
  /** @type {[string, string][]} */
  const rows = [["state", row.displaced ? `${row.state}, displaced` : row.state], ["executor", row.executor]];
  if (row.reason) rows.push(["reason", row.reason]);
  rows.push(["fields", text(row.fields)], ["committed", author(row.committed)]);
  return element("div", { class: row.reason ? "plan bad" : "plan" }, element("strong", {}, title(row)), table(rows));
}
