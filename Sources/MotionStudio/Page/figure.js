// How a target is drawn: from its values to a shape, and whether a point is in it. No state, no events.

/** @typedef {import("./protocol.js").Sample} Sample */
/**
 * @typedef {object} Figure
 * @property {string} target
 * @property {number} x in the units of the position
 * @property {number} y
 * @property {number} scaleX
 * @property {number} scaleY
 * @property {number} rotation radians
 * @property {number} opacity
 * @property {string | null} color
 * @property {[string, number[]][]} bars properties without a meaning of their own
 * @property {boolean} hasRotation
 * @property {boolean} isPlaced whether it has a position
 */

/** Half of a shape's width, in the units of the position. */
export const radius = 24;

const known = new Set(["position", "translation", "scale", "rotation", "opacity", "color"]);

/**
 * The figure of a target. Targets without a position stand in a row, by their number.
 * @param {string} target
 * @param {Map<string, Sample | null>} properties
 * @param {number} index among those without a position
 * @returns {Figure}
 */
export function figure(target, properties, index) {
  /** @param {string} name */
  const lanes = (name) => properties.get(name)?.value;
  const position = lanes("position");
  const isPlaced = position !== undefined && position.length >= 2;
  const translation = lanes("translation") ?? [0, 0];
  const scale = lanes("scale") ?? [1];
  const color = lanes("color");
  /** @type {[string, number[]][]} */
  const bars = [];
  for (const [name, sample] of properties) {
    if (sample && (!known.has(name) || (name === "position" && !isPlaced))) bars.push([name, sample.value]);
  }
  return {
    target, isPlaced, bars, hasRotation: lanes("rotation") !== undefined,
    x: (isPlaced ? position[0] : index * radius * 4) + (translation[0] ?? 0),
    y: (isPlaced ? position[1] : 0) + (translation[1] ?? 0),
    scaleX: scale[0] ?? 1, scaleY: scale[1] ?? scale[0] ?? 1,
    rotation: lanes("rotation")?.[0] ?? 0,
    opacity: Math.min(1, Math.max(0, lanes("opacity")?.[0] ?? 1)),
    color: color && color.length >= 3 ? css(color) : null,
  };
}

/**
 * Whether a point is in the figure; a small figure has room for a finger.
 * @param {Figure} figure
 * @param {number} x
 * @param {number} y
 * @param {number} least the least distance that counts as in it
 */
export function contains(figure, x, y, least) {
  const size = radius * Math.max(Math.abs(figure.scaleX), Math.abs(figure.scaleY));
  return Math.hypot(x - figure.x, y - figure.y) <= Math.max(size, least);
}

/** @param {number[]} lanes red, green, blue from 0 to 1, opacity */
function css([red, green, blue, alpha = 1]) {
  const byte = (/** @type {number} */ lane) => Math.round(255 * Math.min(1, Math.max(0, lane)));
  return `rgb(${byte(red)} ${byte(green)} ${byte(blue)} / ${Math.min(1, Math.max(0, alpha))})`;
}
