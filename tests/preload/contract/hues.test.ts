import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assignHues, distinctHues, HUE_COUNT, lineHues } from '../../../preload/contract/plans';
import { TRAINED_FIGURE } from '../../support/sample-trained-figure';

const none = new Map<string, number>();

test('the first study has the first colours, in its order', () => {
  expect(assignHues(none, ['a', 'b', 'c'])).toEqual([0, 1, 2]);
});

test('a name that has a colour keeps it, and no other name gets that colour', () => {
  const known = new Map([
    ['team', 1],
    ['other', 0],
  ]);
  expect(assignHues(known, ['new', 'team', 'newer'])).toEqual([2, 1, 3]);
});

test('a new name gets the colour that the fewest have', () => {
  const known = new Map(Array.from({ length: 7 }, (_, hue) => [`n${hue}`, hue] as const));
  expect(assignHues(known, ['x'])).toEqual([7]);
  expect(assignHues(new Map([...known, ['x', 7], ['y', 0]]), ['z', 'w'])).toEqual([1, 2]);
});

test('more names than colours share them evenly', () => {
  const hues = assignHues(
    none,
    Array.from({ length: 2 * HUE_COUNT }, (_, at) => `${at}`),
  );
  for (let hue = 0; hue < HUE_COUNT; hue++) expect(hues.filter((one) => one === hue)).toHaveLength(2);
});

test('for any known colours, equal names have one colour and up to eight new names differ', () => {
  const knownNames = fc.dictionary(fc.string(), fc.nat(HUE_COUNT - 1));
  const names = fc.array(fc.string(), { maxLength: HUE_COUNT });
  fc.assert(
    fc.property(knownNames, names, (record, list) => {
      const known = new Map(Object.entries(record));
      const hues = assignHues(known, list);
      const byName = new Map(list.map((name, at) => [name, hues[at]]));
      list.forEach((name, at) => {
        expect(hues[at]).toBe(known.get(name) ?? byName.get(name));
      });
      const fresh = [...byName].filter(([name]) => !known.has(name)).map(([, hue]) => hue);
      expect(new Set(fresh).size).toBe(fresh.length);
    }),
  );
});

test('a line keeps its colour while another figure of its exhibit gets lines, and other studies come', () => {
  const { exhibit } = TRAINED_FIGURE;
  const [together, alone] = exhibit.series;
  if (together === undefined || alone === undefined) throw new Error('It has two lines');
  const nodes = ['a', 'b', 'c'].map((id) => ({
    ...{ ...together, id, label: id },
    curve: { kind: 'nodes' as const, measure: 'pass@n' as const },
  }));
  const two = { ...exhibit, series: [...nodes, together, alone] };
  const others = new Map([
    ['other', 0],
    ['another', 1],
  ]);
  for (const known of [none, others]) {
    expect([...lineHues(exhibit, known)]).toEqual([
      ['together', 0],
      ['alone', 1],
    ]);
    expect([...lineHues(two, known).values()]).toEqual([0, 1, 2, 0, 1]);
  }
  // A study's own colours stay, but two lines of one figure never look alike.
  const known = new Map(exhibit.configurations.map(({ label }) => [label, 3]));
  expect([...lineHues(exhibit, known).values()]).toEqual([3, 0]);
});

test('up to eight that are shown together differ; those that differ already keep theirs', () => {
  expect(distinctHues([3, 1, 3, 0])).toEqual([3, 1, 2, 0]);
  expect(distinctHues([7, 7, 0])).toEqual([7, 1, 0]);
  const many = distinctHues([0, 0, 0, 0, 0, 0, 0, 0, 0]);
  expect(new Set(many.slice(0, 8)).size).toBe(8);
});
