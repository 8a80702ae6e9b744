// Round numbers on axes, and times for people. No state.

/**
 * Round numbers between two, about so many.
 * @param {number} low
 * @param {number} high
 * @param {number} count
 * @returns {number[]}
 */
export function ticks(low, high, count) {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [];
  const step = roundStep(span / Math.max(1, count));
  /** @type {number[]} */
  const found = [];
  for (let at = Math.ceil(low / step - 1e-9) * step; at <= high && found.length < 200; at += step) {
    found.push(Math.abs(at) < step / 1e6 ? 0 : at);
  }
  return found;
}

/**
 * The next of 1, 2, 5, 10, 20, 50 … above a number.
 * @param {number} least
 */
export function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  const part = least / power;
  return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

/**
 * A number beside ticks of this distance.
 * @param {number} value
 * @param {number} step
 */
export function label(value, step) {
  if (Math.abs(value) >= 1e6 || (value !== 0 && Math.abs(value) < 1e-4)) return value.toExponential(1);
  return value.toFixed(Math.min(6, Math.max(0, -Math.floor(Math.log10(step) + 1e-9))));
}

/**
 * Bounds that hold all of an extent, with a margin.
 * @param {[number, number]} extent
 * @returns {[number, number]}
 */
export function bounds([low, high]) {
  if (!(low <= high)) return [-1, 1];
  const margin = Math.max((high - low) * 0.06, Math.abs(high) * 1e-6, 1e-9);
  if (high - low < 1e-9) return [low - Math.max(1, Math.abs(low) * 0.1), high + Math.max(1, Math.abs(high) * 0.1)];
  return [low - margin, high + margin];
}

/**
 * Seconds for people.
 * @param {number} time
 */
export function seconds(time) { return `${time.toFixed(3)} s`; }
