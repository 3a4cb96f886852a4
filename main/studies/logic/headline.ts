import type { Analysis, Curve, Headline } from '../../../preload/contract/index';

/** Enough for a curve in the room of a word. */
const POINTS = 24;

/** The first of the configurations with the highest Pass@N, and how many more have it; null: none has a search tree. */
export function headlineOf({ rows, curves }: Pick<Analysis, 'rows' | 'curves'>): Headline | null {
  let best: Headline | null = null;
  let level = 0;
  for (const { configuration, cells, nodesPerTree, longestTree: n = nodesPerTree } of rows) {
    const cell = cells.find(({ metric }) => metric === 'pass@n');
    if (cell === undefined || n === 0) continue;
    if (best !== null && cell.value <= best.value) {
      if (cell.value === best.value) level += 1;
      continue;
    }
    level = 0;
    const { value, low, high, problems } = cell;
    best = { configuration, value, low, high, n, problems, curve: [] };
  }
  if (best === null) return null;
  const { configuration } = best;
  const curve = curves.find(
    (curve) => curve.configuration === configuration && curve.measure === 'pass@n' && curve.axis === 'nodes',
  );
  return { ...best, ...(level > 0 && { level }), curve: evenlySpaced(curve?.points ?? []) };
}

/** From the first node to the last; four digits are less than a pixel. */
function evenlySpaced(points: Curve['points']): number[] {
  const last = points.at(-1)?.n ?? 0;
  const size = Math.min(POINTS, points.length);
  return Array.from({ length: size }, (_, at) => {
    const n = size === 1 ? last : 1 + ((last - 1) * at) / (size - 1);
    const value = points.findLast((point) => point.n <= n + 1e-9)?.value ?? 0;
    return Math.round(value * 1e4) / 1e4;
  });
}
