import { join } from 'node:path';
import type { PlanStep, Refusal, TrainingView } from '../../../preload/contract/index';
import { exhibitAtScale } from '../../../preload/contract/plans/index';
import { ok, RefusalError, type Result } from '../../base/index';
import { damageOf, type JsonReading, type OutcomeFile, reasonOf } from '../../storage/index';
import { noteOf } from '../logic/plan-record';
import { type Outcome, outcomeSchema, type Reproduction } from '../logic/reproductions/record';
import { needsAreDone, openSteps } from '../logic/step-status';
import type { ReproductionDeps } from './deps';
import type { ReproductionStore } from './reproduction-store';

/** More than any training has updates. */
const ALL_POINTS = 100_000;

/** What is measured of runs and trainings that are done: learning curves, diversity, cells. */
export type MetricSteps = {
  readonly reconcile: (id: string) => Promise<void>;
  /** Saves the learning curves of a training where the exhibit shows them. */
  readonly saveCurves: (
    reproduction: Reproduction,
    stepId: string,
    training: TrainingView,
  ) => Promise<Result<null, Refusal>>;
  /** Aborts a measurement, which is repeated at the next start. */
  readonly dispose: () => void;
};

/** Named by the step's index in the plan, which replanning does not change. */
function outcomeFile({ plan }: Pick<Reproduction, 'plan'>, stepId: string): string {
  return `outcomes/step-${plan.steps.findIndex(({ id }) => id === stepId) + 1}.json`;
}

/** The values that a step measured. */
export function readOutcome(
  store: ReproductionStore,
  reproduction: Reproduction,
  stepId: string,
): Promise<JsonReading<Outcome>> {
  return store.readOutcome(reproduction.record.id, outcomeFile(reproduction, stepId), outcomeSchema);
}

/** The files with what its steps that are done measured, as far as there must be one. */
export async function outcomeFilesOf(
  store: ReproductionStore,
  reproduction: Reproduction | null,
): Promise<readonly OutcomeFile[]> {
  const files: OutcomeFile[] = [];
  if (reproduction === null) return files;
  for (const { id, title } of reproduction.plan.steps) {
    if (noteOf(reproduction.record, id).state.kind !== 'done') continue;
    const work = reproduction.work.get(id);
    const isMeasured = work?.kind === 'metrics' && work.diversity;
    if (!isMeasured && work?.kind !== 'train') continue;
    const outcome = await readOutcome(store, reproduction, id);
    // Without a file of its own, the curves of a training are read from the training.
    if (outcome.kind === 'missing' && !isMeasured) continue;
    const path = join(store.folderOf(reproduction.record.id), outcomeFile(reproduction, id));
    files.push({ stepId: id, title, path, damage: damageOf(outcome) });
  }
  return files;
}

export function createMetricSteps(
  deps: Pick<ReproductionDeps, 'trainings' | 'comparison' | 'clock' | 'onError'> & {
    readonly store: ReproductionStore;
    readonly onChange: () => void;
  },
): MetricSteps {
  const { trainings, clock, store, onChange } = deps;
  const isoNow = (): string => new Date(clock.now()).toISOString();
  /** Reading programs is heavy: one configuration at a time. */
  let measuring: string | null = null;
  const stopping = new AbortController();
  const report = (key: string, error: unknown): void =>
    deps.onError({ name: 'reproductions', key, error, failures: 1, waitMs: 0 });

  const writeOutcome = (reproduction: Reproduction, stepId: string, outcome: Partial<Outcome>) => {
    const { id } = reproduction.record;
    return store.writeOutcome(id, outcomeFile(reproduction, stepId), {
      curves: [],
      diversity: [],
      ...outcome,
    });
  };
  const measure = async (
    reproduction: Reproduction,
    step: PlanStep,
    label: string,
    runIds: readonly string[],
  ): Promise<void> => {
    const { id } = reproduction.record;
    const from = clock.now();
    const measured = await deps.comparison.diversity(
      runIds.map((runId) => ({ runId, label })),
      {
        judge: { kind: 'structure' },
        similarity: { kind: 'tokens' },
        signal: stopping.signal,
        progress: () => undefined,
      },
    );
    if (stopping.signal.aborted) return;
    const saved = measured.ok
      ? await writeOutcome(reproduction, step.id, { diversity: measured.value.cells })
      : measured;
    if (!saved.ok) return store.fail(id, [step.id], saved.error);
    await store.note(id, [step.id], {
      took: { seconds: (clock.now() - from) / 1_000, gpuSeconds: 0, tokens: 0 },
    });
    await store.finish(id, [step.id]);
  };

  const saveCurves: MetricSteps['saveCurves'] = async (reproduction, stepId, training) => {
    if (!isShown(reproduction, stepId)) return ok(null);
    const curves = await trainings.curves(training.id, ALL_POINTS);
    if (!curves.ok) return curves;
    const shown = curves.value.filter(({ part }) => part === 'evaluation');
    return writeOutcome(reproduction, stepId, { curves: shown });
  };
  /** Curves of reused trainings, which may be removed later and are in no bundle. */
  const saveReused = async (reproduction: Reproduction): Promise<void> => {
    const all = trainings.list();
    for (const step of reproduction.plan.steps) {
      if (step.kind !== 'train' || step.reuse === null || !isShown(reproduction, step.id)) continue;
      const { trainingId } = noteOf(reproduction.record, step.id);
      const training = all.find(({ id }) => id === trainingId);
      if (training === undefined) continue;
      if ((await readOutcome(store, reproduction, step.id)).kind === 'read') continue;
      // What cannot be saved is read from the training itself as long as it exists.
      const saved = await saveCurves(reproduction, step.id, training);
      if (!saved.ok) report(reproduction.record.id, new RefusalError(saved.error));
    }
  };

  return {
    reconcile: async (id) => {
      const reproduction = store.get(id);
      if (reproduction === null) return;
      const plain: string[] = [];
      for (const step of openSteps(reproduction, 'metrics').filter((open) =>
        needsAreDone(reproduction, open),
      )) {
        const work = reproduction.work.get(step.id);
        if (work?.kind !== 'metrics' || !work.diversity) {
          plain.push(step.id);
          continue;
        }
        if (measuring !== null) continue;
        measuring = step.id;
        const { exhibit, order: request } = reproduction.record;
        const { label } = exhibitAtScale(exhibit, request.scale).configurations.find(
          (configuration) => configuration.id === work.configurationId,
        ) ?? { label: work.configurationId };
        const runIds = work.searchStepIds.flatMap(
          (search) => noteOf(reproduction.record, search).runId ?? [],
        );
        await store.note(id, [step.id], { state: { kind: 'begun' }, startedAt: isoNow() });
        void measure(reproduction, step, label, runIds)
          .catch((error: unknown) => {
            const message = `The measurement failed: ${reasonOf(error)}.`;
            return store.fail(id, [step.id], { message, hint: 'Retry the step.' });
          })
          .catch((error: unknown) => report(id, error))
          .then(() => {
            measuring = null;
            onChange();
          });
      }
      await store.finish(id, plain);
      const now = store.get(id);
      if (now === null) return;
      const cells = openSteps(now, 'cell').filter((step) => needsAreDone(now, step));
      if (cells.length > 0) await saveReused(now);
      await store.finish(
        id,
        cells.map((step) => step.id),
      );
    },
    saveCurves,
    dispose: () => stopping.abort(),
  };
}

/** Does a line of the exhibit show how this training learned? */
function isShown({ work, record }: Reproduction, stepId: string): boolean {
  const learning = new Set(
    record.exhibit.series.flatMap(({ id, curve }) => (curve.kind === 'learning' ? [id] : [])),
  );
  return [...work.values()].some(
    (other) => other.kind === 'cell' && learning.has(other.key) && other.trainStepIds.includes(stepId),
  );
}
