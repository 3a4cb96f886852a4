import { setImmediate as breathe } from 'node:timers/promises';
import {
  type Amount,
  type CellState,
  type DiversityCell,
  type Exhibit,
  type ExhibitResult,
  POCKET_FAMILIES,
  paperSettingsSchema,
  type ReproductionStep,
  type ReproductionView,
  type TrainingCurve,
} from '../../../preload/contract/index';
import { cellKey, limitedBy } from '../../../preload/contract/plans/index';
import { type ExhibitInput, fillExhibit, fillExhibitInSteps, heldOutCurves } from '../../metrics/index';
import { damageSentences } from '../../storage/index';
import { costsOfEnds } from '../logic/costs';
import { noteOf } from '../logic/plan-record';
import { cellStates } from '../logic/reproductions/cell-states';
import { demandOf } from '../logic/reproductions/demand';
import { ownChoicesNote } from '../logic/reproductions/own-training';
import type { Reproduction } from '../logic/reproductions/record';
import { knownAmount, withServersInSearches } from '../logic/reproductions/taken-over';
import { martiOutputNote, notByMartiReason } from '../logic/reproductions/training-requests';
import type { ReproductionDeps } from './deps';
import { outcomeFilesOf, readOutcome } from './metric-steps';
import type { ReproductionStore } from './reproduction-store';
import { runViews } from './run-views';

const NO_PAPER_SETTINGS = paperSettingsSchema.parse({});
/** More than any training has updates. */
const ALL_POINTS = 100_000;

/** Folds what a reproduction has measured so far into its exhibit. */
export type ReproductionResults = {
  readonly read: (reproduction: Reproduction, view: ReproductionView) => Promise<ExhibitResult>;
  readonly forget: (id: string) => void;
};

/** The result of an exhibit without measurements at this scale; cells that cannot be measured say why. */
export function emptyResult(exhibit: Exhibit, scale: 'pocket' | 'paper'): ExhibitResult {
  const { unmeasured } = demandOf(
    exhibit,
    { scale, paper: NO_PAPER_SETTINGS },
    { pocketFamilies: POCKET_FAMILIES, notTrainedReason: notByMartiReason },
  );
  const states = new Map<string, CellState>(
    [...unmeasured].map(([key, message]) => [key, { kind: 'missing', message }]),
  );
  return fillExhibit({
    exhibit,
    scale,
    reproductionId: null,
    runs: [],
    diversity: [],
    learning: [],
    states,
    notComparable: new Map(),
    costs: new Map(),
    trainingIds: new Map(),
  });
}

export function createReproductionResults(
  deps: Pick<ReproductionDeps, 'comparison' | 'registry'> & {
    readonly trainings: Pick<ReproductionDeps['trainings'], 'list' | 'curves'>;
    readonly store: ReproductionStore;
  },
): ReproductionResults {
  const { trainings, store } = deps;
  /** What was filled last of each, and by what: numbers stay as they are until another step is done. */
  const filled = new Map<string, { readonly of: string; readonly result: Promise<ExhibitResult> }>();

  const diversityOf = async (reproduction: Reproduction): Promise<DiversityCell[]> => {
    const cells: DiversityCell[] = [];
    for (const { id } of reproduction.plan.steps) {
      const work = reproduction.work.get(id);
      if (
        work?.kind !== 'metrics' ||
        !work.diversity ||
        noteOf(reproduction.record, id).state.kind !== 'done'
      )
        continue;
      const outcome = await readOutcome(store, reproduction, id);
      if (outcome.kind === 'read') cells.push(...outcome.value.diversity);
    }
    return cells;
  };
  /** What `model` did on the way, in a training that is done. */
  const curvesOf = async (
    reproduction: Reproduction,
    stepId: string,
    shown: { readonly model: string; readonly key: string },
  ): Promise<TrainingCurve[]> => {
    const work = reproduction.work.get(stepId);
    const note = noteOf(reproduction.record, stepId);
    if (work?.kind !== 'train' || note.trainingId === null || note.state.kind !== 'done') return [];
    const stored = await readOutcome(store, reproduction, stepId);
    const read = stored.kind === 'missing' ? await trainings.curves(note.trainingId, ALL_POINTS) : null;
    const curves = stored.kind === 'read' ? stored.value.curves : read?.ok ? read.value : [];
    const agents = [...new Set(curves.flatMap(({ agentId }) => agentId ?? []))];
    const training = trainings.list().find(({ id }) => id === note.trainingId);
    const position = work.models.indexOf(shown.model);
    const agentId = (training === undefined ? agents[position] : training.agents[position]?.id) ?? null;
    return heldOutCurves(curves, { key: shown.key, agentId });
  };
  const learningOf = async (reproduction: Reproduction) => {
    const learning: { seriesId: string; curves: TrainingCurve[] }[] = [];
    for (const { id, curve } of reproduction.record.exhibit.series) {
      if (curve.kind !== 'learning') continue;
      const curves: TrainingCurve[] = [];
      for (const work of reproduction.work.values()) {
        if (work.kind !== 'cell' || work.key !== id) continue;
        for (const stepId of work.trainStepIds) {
          const step = reproduction.work.get(stepId);
          if (step?.kind === 'train' && step.models.includes(curve.model)) {
            curves.push(...(await curvesOf(reproduction, stepId, curve)));
          }
        }
      }
      learning.push({ seriesId: id, curves });
    }
    return learning;
  };
  return {
    read: async (reproduction, view) => {
      const { id, exhibit, order: request } = reproduction.record;
      const states = cellStates(reproduction, view.steps);
      const costs = costsOf(reproduction, view.steps);
      // While it runs, its files are read with its cells alone.
      const whole = view.state.kind === 'running' ? null : await outcomeFilesOf(store, reproduction);
      // Cells are filled again only when a step ends or changes its state, not while it makes progress, when another grading
      // of a study counts, and when a file with results was damaged or put back.
      const of = JSON.stringify([
        view.steps.map(({ state }) => (state.kind === 'done' ? 1 : 0)),
        [...states].map(([key, state]) => [key, state.kind]),
        countedRegrades(reproduction, deps.registry),
        whole?.map(({ damage }) => damage),
      ]);
      const earlier = filled.get(id);
      const result =
        earlier?.of === of
          ? earlier.result
          : Promise.all([
              runsOf(reproduction, deps),
              diversityOf(reproduction),
              learningOf(reproduction),
              whole ?? outcomeFilesOf(store, reproduction),
            ]).then(async ([{ runs, damage }, diversity, learning, files]) => {
              const value = await fillExhibitInSteps(
                {
                  exhibit,
                  scale: request.scale,
                  reproductionId: id,
                  runs,
                  diversity,
                  learning,
                  states,
                  costs,
                  notComparable: notComparableOf(reproduction),
                  trainingIds: trainingIdsOf(reproduction),
                },
                () => breathe(),
              );
              if (damage.length > 0) filled.delete(id); // it may be repaired
              return limitedBy([...damageSentences(files), ...damage], value);
            });
      filled.set(id, { of, result });
      result.catch(() => filled.delete(id));
      return withStates(await result, states, costs);
    },
    forget: (id) => void filled.delete(id),
  };
}

/** Of its searches that are done. */
async function runsOf(
  reproduction: Reproduction,
  deps: Pick<ReproductionDeps, 'comparison' | 'registry'>,
): Promise<{ readonly runs: ExhibitInput['runs']; readonly damage: readonly string[] }> {
  const searchRuns = new Map<string, { readonly configurationId: string; readonly studyId: string }>();
  for (const { id } of reproduction.plan.steps) {
    const work = reproduction.work.get(id);
    const { state, runId, studyId } = noteOf(reproduction.record, id);
    if (work?.kind !== 'search' || state.kind !== 'done' || runId === null || studyId === null) continue;
    searchRuns.set(runId, { configurationId: work.configurationId, studyId });
  }
  const { views, damage } = await runViews(deps, [...searchRuns.keys()]);
  const runs = [...views].flatMap(([runId, view]) => {
    const searchRun = searchRuns.get(runId);
    return searchRun === undefined ? [] : [{ ...searchRun, view }];
  });
  return { runs, damage };
}

/** Which re-grades count for its studies. */
function countedRegrades({ record }: Reproduction, registry: ReproductionDeps['registry']): string[] {
  const own = new Set(Object.values(record.notes).map(({ studyId }) => studyId));
  return registry
    .read()
    .studies.flatMap(({ study: { id, countedRegrade } }) =>
      own.has(id) && countedRegrade !== undefined ? [`${id} ${countedRegrade}`] : [],
    );
}

/** The trainings behind each configuration of cells. */
function trainingIdsOf(reproduction: Reproduction): Map<string, string[]> {
  const ids = new Map<string, Set<string>>();
  for (const work of reproduction.work.values()) {
    if (work.kind !== 'cell') continue;
    const own = ids.get(work.configurationId) ?? new Set<string>();
    for (const stepId of work.trainStepIds) {
      const { trainingId } = noteOf(reproduction.record, stepId);
      if (trainingId !== null) own.add(trainingId);
    }
    ids.set(work.configurationId, own);
  }
  return new Map([...ids].map(([id, own]) => [id, [...own]]));
}

/** How the trainings behind a cell differ from the paper's, by its key. */
function notComparableOf({ work }: Reproduction): Map<string, string[]> {
  const reasons = new Map<string, string[]>();
  for (const cell of work.values()) {
    if (cell.kind !== 'cell') continue;
    const own = cell.trainStepIds.flatMap((stepId) => {
      const train = work.get(stepId);
      if (train?.kind !== 'train') return [];
      const { spec } = train.order;
      if (spec.kind === 'model') return ownChoicesNote(spec);
      return spec.kind === 'marti' ? (martiOutputNote(spec) ?? []) : [];
    });
    if (own.length > 0) reasons.set(cell.key, [...new Set(own)]);
  }
  return reasons;
}

/** What each cell and series cost so far, by its key; work that was there already counts as if it was done for it. */
function costsOf(reproduction: Reproduction, steps: readonly ReproductionStep[]): Map<string, Amount> {
  const keys = new Map(
    [...reproduction.work].flatMap(([stepId, work]) =>
      work.kind === 'cell' ? [[stepId, work.key] as const] : [],
    ),
  );
  const known = steps.map((step) => ({ ...step, took: knownAmount(step) }));
  const costs = costsOfEnds(withServersInSearches(known), [...keys.keys()]);
  return new Map([...costs].map(([stepId, cost]) => [keys.get(stepId) ?? stepId, cost]));
}

function withStates(
  result: ExhibitResult,
  states: ReadonlyMap<string, CellState>,
  costs: ReadonlyMap<string, Amount>,
): ExhibitResult {
  return {
    ...result,
    cells: result.cells.map((cell) => {
      const key = cellKey(cell);
      return { ...cell, state: states.get(key) ?? cell.state, cost: costs.get(key) ?? cell.cost };
    }),
    series: result.series.map((line) => ({ ...line, state: states.get(line.id) ?? line.state })),
  };
}
