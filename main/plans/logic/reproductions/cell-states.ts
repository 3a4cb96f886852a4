import type { CellState, ReproductionStep } from '../../../../preload/contract';
import { cellKey } from '../../../../preload/contract/plans';
import { transitiveNeeds } from '../costs';
import type { Reproduction } from './record';
import { shareOf } from './view';

/** The state of each cell and series of the exhibit, by key. Cells that were not requested are empty. */
export function cellStates(
  reproduction: Reproduction,
  steps: readonly ReproductionStep[],
): ReadonlyMap<string, CellState> {
  const { exhibit } = reproduction.record;
  const byId = new Map(steps.map((step) => [step.id, step]));
  const stepOf = new Map<string, ReproductionStep>();
  for (const [stepId, work] of reproduction.work) {
    const step = byId.get(stepId);
    if (work.kind === 'cell' && step !== undefined) stepOf.set(work.key, step);
  }
  const keys = [...exhibit.cells.map(cellKey), ...exhibit.series.map(({ id }) => id)];
  return new Map(
    keys.map((key): [string, CellState] => {
      const step = stepOf.get(key);
      if (step !== undefined) return [key, stateOfCell(step, byId)];
      const why = reproduction.unmeasured.get(key);
      return [key, why === undefined ? { kind: 'empty' } : { kind: 'missing', message: why }];
    }),
  );
}

function stateOfCell(cell: ReproductionStep, byId: ReadonlyMap<string, ReproductionStep>): CellState {
  const under = [...transitiveNeeds(cell.id, byId)].flatMap((id) => byId.get(id) ?? []);
  // Progress counts only trainings and searches: servers start and stop, and other steps take a moment.
  const work = under.filter(({ kind }) => kind === 'train' || kind === 'search');
  if (cell.state.kind === 'done') {
    return { kind: 'done', reused: work.length > 0 && work.every(isReused) };
  }
  const failed = under.find(({ state }) => state.kind === 'failed');
  if (failed?.state.kind === 'failed') {
    return { kind: 'failed', message: `${failed.title}: ${failed.state.message}` };
  }
  const hasBegun = under.some(
    ({ state, reuse }) => state.kind === 'running' || (state.kind === 'done' && reuse === null),
  );
  if (!hasBegun) return { kind: 'planned' };
  const own = work.filter(({ reuse }) => reuse === null);
  const done = own.reduce((sum, { state }) => sum + shareOf(state), 0);
  return { kind: 'running', share01: own.length === 0 ? 0 : Math.min(1, done / own.length) };
}

function isReused({ state }: ReproductionStep): boolean {
  return state.kind === 'done' && state.reused;
}
