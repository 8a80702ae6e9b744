// Elements and numbers for people.

/**
 * The element of this id, which index.html has.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {{new(): T}} type
 * @returns {T}
 */
export function byId(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`index.html has no ${type.name} #${id}`);
  return found;
}

/**
 * A new element. Text is never read as HTML.
 * @param {string} tag
 * @param {{class?: string, role?: string}} attributes
 * @param {...(Node | string)} children
 */
export function element(tag, attributes, ...children) {
  const node = document.createElement(tag);
  if (attributes.class) node.className = attributes.class;
  if (attributes.role) node.setAttribute("role", attributes.role);
  node.append(...children);
  return node;
}

/**
 * A table of names and values.
 * @param {[string, Node | string][]} rows
 */
export function table(rows) {
  const body = element("tbody", {});
  for (const [name, value] of rows) {
    const head = element("th", {}, name);
    head.setAttribute("scope", "row");
    body.append(element("tr", {}, head, element("td", {}, value)));
  }
  return element("table", {}, body);
}

/**
 * A value for people: numbers with at most three decimals, lists in parentheses.
 * @param {any} value
 * @returns {string}
 */
export function text(value) {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "number") return String(Math.round(value * 1000) / 1000);
  if (Array.isArray(value)) {
    if (value.length === 1) return text(value[0]);
    return value.length === 0 ? "–" : `(${value.map(text).join(", ")})`;
  }
  if (typeof value === "object") {
    return Object.entries(value).map(([key, part]) => `${key} ${text(part)}`).join(", ");
  }
  return String(value);
}

/**
 * Who committed a plan, for people.
 * @param {any} committed as in `motionctl list intentions --json`
 */
export function author(committed) {
  if (!committed) return "–";
  const { client, onBehalfOf, time, comment } = committed;
  const process = client.process === null ? "" : `, process ${client.process}`;
  return `${client.name}${process}${onBehalfOf ? ` on behalf of ${onBehalfOf.name}` : ""}, ${time}`
    + (comment ? `: ${comment}` : "");
}
