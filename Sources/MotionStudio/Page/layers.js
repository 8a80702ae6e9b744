// Places the nodes of a graph in layers, so that values flow from left to right. No elements, no state.

/** @typedef {{id: number, text: string}} Node */
/** @typedef {{from: number, to: number, kind: string}} Edge */
/** @typedef {{x: number, y: number, width: number}} Spot */
/** @typedef {{spots: Map<number, Spot>, width: number, height: number}} Layout */

/** The height of a node, and the distances between nodes and between layers. */
export const nodeHeight = 34;
const [rowDistance, layerDistance, margin] = [14, 38, 12];
/** The widest node, and the width of a letter. */
const [mostWidth, letter] = [260, 7.2];
/** How often the layers are put in order. */
const sweeps = 6;

/**
 * @param {Node[]} nodes
 * @param {Edge[]} edges
 * @returns {Layout}
 */
export function layout(nodes, edges) {
  const ways = acyclic(nodes, edges);
  const layers = ordered(layered(nodes, ways), ways);
  /** @type {Map<number, Spot>} */
  const spots = new Map();
  const texts = new Map(nodes.map((node) => [node.id, node.text]));
  let x = margin;
  let height = 0;
  const tallest = Math.max(...layers.map((layer) => layer.length), 1);
  for (const layer of layers) {
    const width = Math.min(mostWidth, Math.max(60, ...layer.map((id) => (texts.get(id) ?? "").length * letter + 20)));
    // Shorter layers stand in the middle.
    let y = margin + (tallest - layer.length) * (nodeHeight + rowDistance) / 2;
    for (const id of layer) {
      spots.set(id, { x, y, width });
      y += nodeHeight + rowDistance;
      height = Math.max(height, y);
    }
    x += width + layerDistance;
  }
  return { spots, width: x - layerDistance + margin, height: height + margin };
}

/**
 * The edges without those that close a circle, such as those of a plan that reads what it writes.
 * @param {Node[]} nodes
 * @param {Edge[]} edges
 * @returns {Map<number, number[]>} the next nodes of each
 */
function acyclic(nodes, edges) {
  /** @type {Map<number, number[]>} */
  const all = new Map(nodes.map((node) => [node.id, []]));
  for (const { from, to } of edges) all.get(from)?.push(to);
  /** @type {Map<number, number[]>} */
  const kept = new Map(nodes.map((node) => [node.id, []]));
  /** @type {Map<number, "open" | "done">} */
  const seen = new Map();
  for (const { id } of nodes) {
    if (seen.has(id)) continue;
    // Not recursive: a chain may be long.
    const path = [{ id, next: 0 }];
    seen.set(id, "open");
    while (path.length > 0) {
      const top = path[path.length - 1];
      const to = all.get(top.id)?.[top.next];
      top.next += 1;
      if (to === undefined) {
        seen.set(top.id, "done");
        path.pop();
      } else if (seen.get(to) !== "open") {
        kept.get(top.id)?.push(to);
        if (!seen.has(to)) {
          seen.set(to, "open");
          path.push({ id: to, next: 0 });
        }
      }
    }
  }
  return kept;
}

/**
 * Each node one layer after the last that leads to it.
 * @param {Node[]} nodes
 * @param {Map<number, number[]>} ways
 */
function layered(nodes, ways) {
  /** @type {Map<number, number>} */
  const open = new Map(nodes.map((node) => [node.id, 0]));
  for (const next of ways.values()) for (const to of next) open.set(to, (open.get(to) ?? 0) + 1);
  const ready = nodes.filter((node) => open.get(node.id) === 0).map((node) => node.id);
  /** @type {Map<number, number>} */
  const layer = new Map(ready.map((id) => [id, 0]));
  for (let at = 0; at < ready.length; at += 1) {
    for (const to of ways.get(ready[at]) ?? []) {
      layer.set(to, Math.max(layer.get(to) ?? 0, (layer.get(ready[at]) ?? 0) + 1));
      open.set(to, (open.get(to) ?? 0) - 1);
      if (open.get(to) === 0) ready.push(to);
    }
  }
  /** @type {number[][]} */
  const layers = [];
  // What is alone stands at the end, where properties are.
  const last = Math.max(0, ...layer.values());
  const isAlone = (/** @type {number} */ id) => ways.get(id)?.length === 0 && layer.get(id) === 0;
  for (const id of ready) (layers[isAlone(id) ? last : layer.get(id) ?? 0] ??= []).push(id);
  return layers;
}

/**
 * Each node beside the middle of its neighbours, so that few edges cross.
 * @param {number[][]} layers
 * @param {Map<number, number[]>} ways
 */
function ordered(layers, ways) {
  /** @type {Map<number, number[]>} */
  const back = new Map();
  for (const [from, next] of ways) for (const to of next) back.set(to, [...back.get(to) ?? [], from]);
  const found = layers.map((layer) => [...layer]);
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const isForward = sweep % 2 === 0;
    /** @type {Map<number, number>} */
    const place = new Map(found.flatMap((layer) => layer.map((id, row) => [id, (row + 0.5) / layer.length])));
    for (let step = 0; step < found.length; step += 1) {
      const at = isForward ? step : found.length - 1 - step;
      const middle = new Map(found[at].map((id) => {
        const beside = ((isForward ? back : ways).get(id) ?? []).map((other) => place.get(other) ?? 0);
        return [id, beside.length > 0 ? beside.reduce((sum, one) => sum + one, 0) / beside.length : place.get(id) ?? 0];
      }));
      found[at].sort((one, other) => (middle.get(one) ?? 0) - (middle.get(other) ?? 0));
      found[at].forEach((id, row) => place.set(id, (row + 0.5) / found[at].length));
    }
  }
  return found;
}
