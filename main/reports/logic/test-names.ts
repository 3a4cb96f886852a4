import type { Analysis, Pair } from '../../../preload/contract/index';

export type TestKind = Pair['test']['kind'];

export const TEST_NAMES: Readonly<Record<TestKind, string>> = {
  mcnemar: "McNemar's exact test",
  bootstrap: 'paired bootstrap over the problems',
  'two-level': 'paired bootstrap over problems and seeds',
  seeds: 'paired t test over the seeds',
};

export function testKinds(pairs: readonly Pick<Pair, 'test'>[]): readonly TestKind[] {
  return [...new Set(pairs.map(({ test }) => test.kind))];
}

/** Tests over the seeds gave p where theirs was the larger. */
const OVER_SEEDS: readonly TestKind[] = ['two-level', 'seeds'];

/** How pairs of configurations were tested, e.g. "McNemar's exact test, 10 pairs a metric"; "": there are none. */
export function testsOf({ pairs }: Pick<Analysis, 'pairs'>): string {
  const [first] = pairs;
  if (first === undefined) return '';
  const kinds = testKinds(pairs);
  const named = (some: readonly TestKind[]): string => some.map((kind) => TEST_NAMES[kind]).join(' or ');
  const over = named(kinds.filter((kind) => OVER_SEEDS.includes(kind)));
  const base = named(kinds.filter((kind) => !OVER_SEEDS.includes(kind)));
  const tests =
    over === '' ? base : `the larger p of ${base === '' ? 'a test over the problems' : base} and ${over}`;
  const ofOne = pairs.filter(({ metric }) => metric === first.metric).length;
  return `${tests}, ${ofOne === 1 ? '1 pair' : `${ofOne} pairs`} a metric: table "pairs"`;
}
