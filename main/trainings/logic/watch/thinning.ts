/**
 * Which of the points of a curve stay when there are more than `limit` of them: first and last, and of each of equally
 * wide stretches of steps the lowest and the highest. So no peak is lost, and a curve that is thinned again and again
 * stays equally dense. Steps ascend, values are finite. At most `limit` positions, at least 4 where there are as many.
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
  const stretches = Math.max(1, Math.floor((limit - 2) / 2));
  const width = (last - first) / stretches;
  const kept: number[] = [0];
  let at = 1;
  for (let stretch = 0; stretch < stretches && at < count - 1; stretch++) {
    const end = stretch === stretches - 1 ? Number.POSITIVE_INFINITY : first + (stretch + 1) * width;
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
