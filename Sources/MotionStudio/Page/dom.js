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
 * Shows these children. Elements stay and take over what has changed, so that a press that lasts, a selection of text and the
 * focus outlive an update. A child with `data-key` stays what it is when others come before it. A listener stays as it was
 * first: it depends on the key at most, or belongs to the parent.
 * @param {Element} parent
 * @param {...(Node | string)} children
 */
export function renew(parent, ...children) {
  const nodes = children.map((child) => typeof child === "string" ? document.createTextNode(child) : child);
  const wanted = new Set(nodes.map(key));
  /** @type {Map<string, ChildNode>} */
  const kept = new Map();
  for (const old of [...parent.childNodes]) {
    const name = key(old);
    if (!wanted.has(name)) old.remove();
    else if (name !== undefined) kept.set(name, old);
  }
  let place = parent.firstChild;
  for (const node of nodes) {
    const name = key(node);
    const old = name === undefined ? (place && key(place) === undefined ? place : null) : kept.get(name);
    if (name !== undefined) kept.delete(name);
    if (old !== place || !old) parent.insertBefore(old ?? node, place);
    place = (old ? turn(old, node) : node).nextSibling;
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

/** @param {Node} node */
function key(node) { return node instanceof HTMLElement || node instanceof SVGElement ? node.dataset.key : undefined; }

/**
 * Makes a node equal to another one, else puts that in its place.
 * @param {ChildNode} old
 * @param {Node} now
 * @returns {Node} the one that is there
 */
function turn(old, now) {
  if (old.isEqualNode(now)) return old;
  if (old instanceof Element && now instanceof Element && old.tagName === now.tagName) {
    for (const name of old.getAttributeNames()) if (!now.hasAttribute(name)) old.removeAttribute(name);
    for (const { name, value } of now.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    renew(old, ...now.childNodes);
    return old;
  }
  if (old instanceof Text && now instanceof Text) {
    old.data = now.data;
    return old;
  }
  old.replaceWith(now);
  return now;
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
