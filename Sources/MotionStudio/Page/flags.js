// Lines with labels over the curves: hand-overs, cursors, markers and the moment. No state but the widths of labels.

/**
 * A line; a faint one is below the ruler, and the label of a low one at the bottom.
 * @typedef {{time: number, text: string, color: string, isWide?: boolean, isFaint?: boolean, isLow?: boolean}} Flag
 */

/** The most labels whose width is kept. */
const mostWidths = 500;
/** The height of a row of labels, and the rows of faint ones. */
const [rowHeight, rows] = [18, 3];

/** @type {Map<string, number>} */
const widths = new Map();

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Flag[]} flags
 * @param {(time: number) => number} place the place of a time
 * @param {{width: number, height: number}} size
 * @param {Record<string, string>} colors
 * @param {number} ruler the height of the ruler
 */
export function drawFlags(context, flags, place, { width, height }, colors, ruler) {
  context.font = "12px system-ui, sans-serif";
  // The lines of a color at once: there may be many.
  /** @type {Map<string, Path2D>} */
  const lines = new Map();
  for (const flag of flags) {
    const x = Math.round(place(flag.time)) + 0.5;
    const key = `${flag.isWide ? 2 : flag.isFaint ? 0.5 : 1} ${flag.color}`;
    const path = lines.get(key) ?? new Path2D();
    lines.set(key, path);
    path.moveTo(x, flag.isFaint ? ruler : 0);
    path.lineTo(x, height);
  }
  for (const [key, path] of lines) {
    const strength = Number.parseFloat(key);
    context.strokeStyle = key.slice(key.indexOf(" ") + 1);
    [context.lineWidth, context.globalAlpha] = [Math.max(1, strength), Math.min(1, strength + 0.2)];
    context.stroke(path);
  }
  context.globalAlpha = 1;
  // The ends of the labels in each row.
  const ends = Array.from({ length: rows }, () => -Infinity);
  for (const flag of flags) {
    const x = Math.round(place(flag.time)) + 0.5;
    if (!flag.text || x < -400 || x > width + 4) continue;
    const room = widthOf(context, flag.text);
    const row = flag.isFaint ? ends.findIndex((end) => end < x) : 0;
    if (row < 0) continue;
    const left = Math.min(x, Math.max(flag.isFaint ? x - room : 0, width - room));
    if (flag.isFaint) ends[row] = left + room;
    const y = flag.isLow ? height - 20 : flag.isFaint ? ruler + 4 + row * rowHeight : 3;
    context.fillStyle = flag.isFaint ? colors.panel : flag.color;
    context.globalAlpha = flag.isFaint ? 0.85 : 1;
    context.fillRect(left, y, room, rowHeight - 1);
    context.globalAlpha = 1;
    context.fillStyle = flag.isFaint ? flag.color : colors.ground;
    context.fillText(flag.text, left + 5, y + rowHeight / 2);
  }
}

/** @param {CanvasRenderingContext2D} context @param {string} text */
function widthOf(context, text) {
  const known = widths.get(text);
  if (known !== undefined) return known;
  if (widths.size >= mostWidths) widths.clear();
  const width = context.measureText(text).width + 10;
  widths.set(text, width);
  return width;
}
