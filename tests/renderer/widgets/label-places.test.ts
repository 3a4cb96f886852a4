import { expect, test } from 'vitest';
import { labelPlaces } from '../../../renderer/widgets/label-places';

test('a name goes to the right and above its mark; near the right end to the left', () => {
  const [first, second] = labelPlaces(
    [
      { x: 50, y: 100, label: 'single' },
      { x: 580, y: 40, label: 'heterogeneous' },
    ],
    600,
  );
  expect(first).toEqual({ x: 58, y: 94, anchor: 'start' });
  expect(second).toEqual({ x: 572, y: 34, anchor: 'end' });
});

test('names of marks close to each other do not lie over each other or over a mark', () => {
  // Two checkpoints of one training, some pixels apart.
  const places = labelPlaces(
    [
      { x: 308, y: 120, label: 'tA reader-000120' },
      { x: 300, y: 132, label: 'tA tracer-000120' },
    ],
    700,
  );
  expect(places.map(({ y, anchor }) => [y, anchor])).toEqual([
    [114, 'start'],
    [146, 'start'],
  ]);
});
