import type { Problem } from '../../../preload/contract';

const DEFINED = /\b(?:def|class)[ \t]{1,20}([A-Za-z_]\w{0,99})/g;

/**
 * Do its tests use no function that its statement or starter code defines? Then no program that answers the statement can
 * pass. HumanEval's tests get the function as `candidate`; where nothing is defined, nothing is concluded.
 */
export function testsOtherFunction({
  statement,
  starterCode,
  publicTests,
  privateTests,
}: Pick<Problem, 'statement' | 'starterCode' | 'publicTests' | 'privateTests'>): boolean {
  const sources = [...publicTests, ...privateTests].flatMap((test) =>
    test.kind === 'check' ? [test.source] : [],
  );
  const names = Array.from(`${starterCode}\n${statement}`.matchAll(DEFINED), ([, name = '']) => name);
  if (sources.length === 0 || names.length === 0) return false;
  return !sources.some((source) => ['candidate', ...names].some((name) => source.includes(name)));
}
