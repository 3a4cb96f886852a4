/** A mark's name beside it, in pixels: where the text is anchored and to which side it goes. */
export type LabelPlace = { readonly x: number; readonly y: number; readonly anchor: 'start' | 'end' };

type Marked = { readonly x: number; readonly y: number; readonly label: string };
type Box = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };

/** As wide as a letter is on average, and as high as a line. */
const LETTER = 6.2;
const LINE = 12;
const RADIUS = 5;

const PLACES = [
  { dx: 8, dy: -6, anchor: 'start' },
  { dx: 8, dy: 14, anchor: 'start' },
  { dx: -8, dy: -6, anchor: 'end' },
  { dx: -8, dy: 14, anchor: 'end' },
] as const;

/**
 * Where the names of marks go, in their order: to the right and above, or the first of the other corners in which a name
 * lies over no mark and no earlier name and within `width`; where every corner is taken, the first within it.
 */
export function labelPlaces(marks: readonly Marked[], width: number): LabelPlace[] {
  const taken: Box[] = marks.map(({ x, y }) => boxOf(x - RADIUS, x + RADIUS, y + RADIUS, 2 * RADIUS));
  return marks.map(({ x, y, label }) => {
    const choices = PLACES.map(({ dx, dy, anchor }) => {
      const at = { x: x + dx, y: y + dy, anchor };
      const long = label.length * LETTER;
      const [left, right] = anchor === 'start' ? [at.x, at.x + long] : [at.x - long, at.x];
      return { at, box: boxOf(left, right, at.y, LINE) };
    });
    const inside = choices.filter(({ box }) => box.left >= 0 && box.right <= width);
    const free = inside.find(({ box }) => !taken.some((other) => overlaps(box, other)));
    const chosen = free ?? inside[0] ?? (choices[0] as (typeof choices)[number]);
    taken.push(chosen.box);
    return chosen.at;
  });
}

const boxOf = (left: number, right: number, bottom: number, height: number): Box => ({
  ...{ left, right, bottom, top: bottom - height },
});

const overlaps = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
