import {
  type Grade,
  isFaultVerdict,
  type NodeAdded,
  type RunEvent,
  type TreePart,
} from '../../preload/contract';
import type { Stop } from './generation';

export type GradeNodesOptions = {
  readonly problemId: string;
  readonly part: TreePart;
  /** All events (with detail) of this tree so far; those of other trees are ignored. */
  readonly events: readonly RunEvent[];
  /** Runs the private tests; has its own retries for faults of the sandbox. */
  readonly grade: (program: string) => Promise<Grade>;
  readonly record: (event: RunEvent) => Promise<void>;
  readonly now: () => number;
  readonly stop: Stop;
  /** Programs graded in parallel, at least 1. */
  readonly parallel: number;
};

/** Nodes whose private tests have not been run, in the order of their indices. */
export function ungradedNodes(events: readonly RunEvent[], problemId: string, part: TreePart): NodeAdded[] {
  const nodes: NodeAdded[] = [];
  const graded = new Set<number>();
  for (const event of events) {
    if (event.kind !== 'node-added' && event.kind !== 'node-graded') continue;
    if (event.problemId !== problemId || event.part !== part) continue;
    if (event.kind === 'node-added') nodes.push(event);
    else graded.add(event.index);
  }
  return nodes.filter(({ index }) => !graded.has(index));
}

/**
 * Runs the private tests of a tree's nodes and records the grades in the order of the nodes, however long each takes.
 * Equal programs are run once. A fault of the sandbox or the grader is recorded as that verdict, never as a wrong
 * answer.
 */
export async function gradeNodes(options: GradeNodesOptions): Promise<{ kind: 'graded' | 'stopped' }> {
  const { problemId, part, events, parallel, stop, record, now } = options;
  const pending = ungradedNodes(events, problemId, part);
  const grades = earlierGrades(events, problemId, part);
  const gradeOf = (program: string | null): Promise<Grade> => {
    if (program === null) return Promise.resolve({ verdict: 'no-code', results: [] });
    let grade = grades.get(program);
    if (grade === undefined) {
      grade = options.grade(program);
      grades.set(program, grade);
    }
    return grade;
  };

  const window: Promise<Grade>[] = [];
  let started = 0;
  try {
    for (const node of pending) {
      while (started < pending.length && window.length < Math.max(1, parallel) && !stop.aborted) {
        window.push(gradeOf(pending[started++]?.detail?.program ?? null));
      }
      const next = window.shift();
      if (next === undefined) return { kind: 'stopped' };
      const grade = await next;
      if (stop.aborted && isFaultVerdict(grade.verdict)) return { kind: 'stopped' }; // our stop, not a fault
      await record({
        kind: 'node-graded',
        at: now(),
        problemId,
        part,
        index: node.index,
        privateVerdict: grade.verdict,
        privateVerdicts: grade.results.map(({ verdict }) => verdict),
        ...(grade.missingPackage === undefined ? {} : { missingPackage: grade.missingPackage }),
        ...(grade.otherVerdict === undefined ? {} : { otherVerdict: grade.otherVerdict }),
        detail: { privateGrade: grade },
      });
    }
    return { kind: 'graded' };
  } finally {
    // No grading may be running when this returns or throws, and no late rejection may be lost.
    await Promise.allSettled(window);
  }
}

/** Grades of an earlier session, by program; faults are retried. */
function earlierGrades(
  events: readonly RunEvent[],
  problemId: string,
  part: TreePart,
): Map<string, Promise<Grade>> {
  const programs = new Map<number, string>();
  const grades = new Map<string, Promise<Grade>>();
  for (const event of events) {
    if (event.kind !== 'node-added' && event.kind !== 'node-graded') continue;
    if (event.problemId !== problemId || event.part !== part) continue;
    if (event.kind === 'node-added') {
      const program = event.detail?.program ?? null;
      if (program !== null) programs.set(event.index, program);
      continue;
    }
    const program = programs.get(event.index);
    const grade = event.detail?.privateGrade;
    if (program === undefined || grade === undefined || isFaultVerdict(grade.verdict)) continue;
    grades.set(program, Promise.resolve(grade));
  }
  return grades;
}
