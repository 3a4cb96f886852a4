import { expect, test } from 'vitest';
import { reproductionRequestSchema } from '../../../preload/contract';
import { reproducedPart } from '../../../preload/contract/plans';

const order = (part: object) =>
  reproductionRequestSchema.parse({ exhibitId: 'diversity', scale: 'pocket', ...part });

test('a reproduction of a part says of which', () => {
  expect(reproducedPart(order({}))).toBe('');
  expect(reproducedPart(order({ problems: 10, seeds: [11], only: ['a.b'] }))).toBe(
    '10 problems, 1 seed, a part of the table',
  );
});
