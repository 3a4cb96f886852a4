import type { Regrade, RegradeFacts, Study } from '../../preload/contract';

/** A complete re-grade of the sample study, as its record has it. */
export function sampleRegrade(study: Study, id: string, testsId: string): RegradeFacts {
  const [run] = study.runs;
  const isOwn = testsId === run?.benchmarkId;
  return {
    id,
    at: '2026-01-12T14:02:00.000Z',
    tests: [
      {
        benchmarkId: run?.benchmarkId ?? '',
        benchmarkDigest: run?.benchmarkDigest ?? 'd1',
        testsId,
        testsDigest: isOwn ? (run?.benchmarkDigest ?? 'd1') : '3f2a91c04be7',
      },
    ],
    python: '3.11.2',
    grading: null,
    programs: 2_204,
    changed: sampleChanges(study).length,
    faults: 0,
  };
}

/** Nodes whose verdict it changed. */
export function sampleChanges({ runs }: Study): Regrade['changed'] {
  return runs.flatMap(({ id, problemIds }, at) =>
    problemIds.slice(at, at + 3).map((problemId, index) => ({
      ...{ runId: id, problemId, part: 'search' as const, index: 4 * index + at },
      ...(index === 1
        ? { before: 'passed' as const, after: 'wrong-answer' as const }
        : { before: 'time-limit' as const, after: 'passed' as const }),
    })),
  );
}
