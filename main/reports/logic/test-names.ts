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

/** How pairs of configurations were tested, e.g. "McNemar's exact test, 10 pairs a metric"; "": there are none. */
export function testsOf({ pairs }: Pick<Analysis, 'pairs'>): string {
  const [first] = pairs;
  if (first === undefined) return '';
  const tests = testKinds(pairs).map((kind) => TEST_NAMES[kind]);
  const ofOne = pairs.filter(({ metric }) => metric === first.metric).length;
  return `${tests.join(' or ')}, ${ofOne === 1 ? '1 pair' : `${ofOne} pairs`} a metric`;
}
