import type { Grade, SearchOptions } from '../../preload/contract';

/** Share of the public tests passed, or 1 only when all pass; 0 where there are none. */
export function scoreOf(grade: Grade, publicTests: number, score: SearchOptions['score']): number {
  if (publicTests === 0) return 0;
  const passed = grade.results.filter((result) => result.verdict === 'passed').length;
  if (score === 'fraction') return passed / publicTests;
  return grade.verdict === 'passed' && passed === publicTests ? 1 : 0;
}
