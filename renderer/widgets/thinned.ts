/** At most `most` of the items, evenly over their positions, the first and the last among them. */
export function thinned<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most || most < 2) return items;
  const chosen: T[] = [];
  let previous = -1;
  for (let i = 0; i < most; i++) {
    const position = Math.round((i * (items.length - 1)) / (most - 1));
    if (position === previous) continue;
    previous = position;
    const item = items[position];
    if (item !== undefined) chosen.push(item);
  }
  return chosen;
}
