/**
 * Positions of the points kept when a curve has more than `limit`: the first, the last, and the lowest and highest of
 * each of equally wide ranges of steps. No peak is lost, and a curve thinned repeatedly stays equally dense. Steps ascend,
 * values are finite. At most `limit` positions, but at least 4 if there are as many.
 */
export function thinned(
  steps: readonly number[],
  values: readonly number[],
  limit: number,
): readonly number[] {
  const count = steps.length;
  const all = (): readonly number[] => steps.map((_, at) => at);
  if (count <= Math.max(4, limit)) return all();
  const [first = 0, last = 0] = [steps[0], steps[count - 1]];
  const ranges = Math.max(1, Math.floor((limit - 2) / 2));
  const width = (last - first) / ranges;
  const kept: number[] = [0];
  let at = 1;
  for (let range = 0; range < ranges && at < count - 1; range++) {
    const end = range === ranges - 1 ? Number.POSITIVE_INFINITY : first + (range + 1) * width;
    let [lowest, highest] = [-1, -1];
    for (; at < count - 1 && (steps[at] ?? 0) < end; at++) {
      const value = values[at] ?? 0;
      if (lowest === -1 || value < (values[lowest] ?? 0)) lowest = at;
      if (highest === -1 || value > (values[highest] ?? 0)) highest = at;
    }
    if (lowest === -1) continue;
    kept.push(Math.min(lowest, highest));
    if (lowest !== highest) kept.push(Math.max(lowest, highest));
  }
  kept.push(count - 1);
  return kept;
}
