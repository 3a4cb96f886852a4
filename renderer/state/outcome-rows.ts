import type { Outcome } from '../../preload/contract/folds/index';
import type { RunOutcomes, StudyOutcomes } from '../../preload/contract/outcomes';
import { counted } from '../../preload/contract/plans/index';
import type { RunConfig } from '../../preload/contract/run';
import type { JournalProblem, Study } from '../../preload/contract/study';
import { outcomeText, runLabel } from '../text/metrics';
import { configurationsOf } from './results';

/** A row of the grid: one run. `position` is that of its configuration, which decides its colour. */
export type RunRow = {
  readonly id: string;
  readonly label: string;
  readonly position: number;
  readonly cells: readonly ProblemCell[];
  readonly damage: JournalProblem | null;
};
export type ProblemCell = {
  readonly kind: Outcome;
  /** How far its search is, in [0, 1]. */
  readonly fill: number;
  readonly label: string;
  /** What changes several times a second: shown under the pointer, and no part of the name. */
  readonly detail?: string;
};

/** The cells of one run, one per problem; null: no outcomes yet. */
export function cellsOf(
  config: RunConfig,
  label: string,
  outcomes: RunOutcomes | null,
): readonly ProblemCell[] {
  const total = config.search.nodes;
  const damaged = outcomes !== null && outcomes.problem !== null;
  return config.problemIds.map((problemId, at) => {
    const kind = outcomes?.outcomes[at] ?? 'waiting';
    const nodes = outcomes?.nodes[at] ?? 0;
    const state = kind === 'waiting' && damaged ? 'nothing in the journal' : outcomeText(kind);
    return {
      ...{ kind, fill: Math.min(1, nodes / total), label: `${label}, ${problemId}: ${state}` },
      ...(kind === 'searching' ? { detail: `${nodes} of ${counted(total, 'node')}` } : {}),
    };
  });
}

function sameOutcomes(a: RunOutcomes, b: RunOutcomes): boolean {
  const equal = (first: readonly unknown[], second: readonly unknown[]): boolean =>
    first.length === second.length && first.every((item, at) => item === second[at]);
  return (
    equal(a.outcomes, b.outcomes) &&
    equal(a.nodes, b.nodes) &&
    a.problem?.message === b.problem?.message &&
    a.problem?.repairable === b.problem?.repairable
  );
}

/**
 * The rows of a study's grid, recomputed while it runs. Main sends new lists each time; a run in which nothing has
 * changed keeps its row object, so that it is not rendered again.
 */
export function createRunRows(study: Study): (outcomes: StudyOutcomes | null) => readonly RunRow[] {
  const configurations = configurationsOf(study);
  const cached = new Map<string, { readonly outcomes: RunOutcomes | null; readonly row: RunRow }>();
  return (outcomes) => {
    const byRun = new Map(outcomes?.runs.map((run) => [run.runId, run]));
    return study.runs.map((run) => {
      const now = byRun.get(run.id) ?? null;
      const before = cached.get(run.id);
      if (before !== undefined && sameOrBothNull(before.outcomes, now)) return before.row;
      const label = runLabel(study, run);
      const row: RunRow = {
        id: run.id,
        label,
        position: configurations.indexOf(run.configuration),
        cells: cellsOf(run, label, now),
        damage: now?.problem ?? null,
      };
      cached.set(run.id, { outcomes: now, row });
      return row;
    });
  };
}

function sameOrBothNull(a: RunOutcomes | null, b: RunOutcomes | null): boolean {
  return a === b || (a !== null && b !== null && sameOutcomes(a, b));
}

/** How many cells there are of each outcome. */
export function countOutcomes(rows: readonly RunRow[]): ReadonlyMap<Outcome, number> {
  const counts = new Map<Outcome, number>();
  for (const { cells } of rows) for (const { kind } of cells) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** The damaged journals of a study; empty if there are none or nothing is known. */
export function damagedRuns(
  study: Study,
  outcomes: StudyOutcomes | null,
): readonly { readonly run: RunConfig; readonly label: string; readonly damage: JournalProblem }[] {
  return study.runs.flatMap((run) => {
    const damage = outcomes?.runs.find(({ runId }) => runId === run.id)?.problem ?? null;
    return damage === null ? [] : [{ run, label: runLabel(study, run), damage }];
  });
}
