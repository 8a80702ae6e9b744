// Curves as files: CSV, and a picture of the canvas with its legend.

import { color } from "./plot.js";

/** @typedef {import("./curves.js").Curve} Curve */

/** The height of a line of the legend. */
const lineHeight = 20;

/**
 * Offers a file to save.
 * @param {Blob} blob
 * @param {string} name
 */
export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/**
 * The points between two times: a line for each lane of each frame.
 * @param {Map<string, Curve>} shown
 * @param {{from: number, to: number}} window
 */
export function csv(shown, { from, to }) {
  const lines = ["property,lane,frame,time,value,velocity"];
  for (const curve of shown.values()) {
    const name = `"${curve.key.replaceAll('"', '""')}"`;
    for (let index = Math.max(0, curve.after(from) - 1); index < curve.length && curve.time(index) <= to; index += 1) {
      const [value, velocity] = [curve.lanesAt(index, 0), curve.lanesAt(index, 1)];
      value.forEach((lane, number) => {
        lines.push(`${name},${number},${curve.frame(index)},${curve.time(index)},${lane},${velocity[number]}`);
      });
    }
  }
  return `${lines.join("\n")}\n`;
}

/**
 * Saves what the canvas shows, with the names of the curves below.
 * @param {HTMLCanvasElement} canvas
 * @param {string[]} keys
 * @param {boolean} isLight
 */
export function savePicture(canvas, keys, isLight) {
  const ratio = canvas.width / Math.max(1, canvas.clientWidth);
  const picture = document.createElement("canvas");
  [picture.width, picture.height] = [canvas.width, canvas.height + Math.ceil((keys.length * lineHeight + 8) * ratio)];
  const context = picture.getContext("2d");
  if (!context) return;
  const style = getComputedStyle(canvas);
  context.fillStyle = style.getPropertyValue("--ground");
  context.fillRect(0, 0, picture.width, picture.height);
  context.drawImage(canvas, 0, 0);
  context.scale(ratio, ratio);
  context.font = "13px system-ui, sans-serif";
  context.textBaseline = "middle";
  keys.forEach((key, index) => {
    const y = canvas.height / ratio + 4 + (index + 0.5) * lineHeight;
    context.fillStyle = color(index, 0, isLight);
    context.fillRect(8, y - 5, 10, 10);
    context.fillStyle = style.getPropertyValue("--text");
    context.fillText(key, 26, y);
  });
  picture.toBlob((blob) => { if (blob) save(blob, "curves.png"); });
}
