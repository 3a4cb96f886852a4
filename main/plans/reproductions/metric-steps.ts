import type { PlanStep, Refusal, TrainingView } from '../../../preload/contract/index';
import { exhibitAtScale } from '../../../preload/contract/plans/index';
import { ok, type Result } from '../../base/index';
import { noteOf, type Reproduction } from '../logic/reproductions/record';
import { needsAreDone, openSteps } from '../logic/reproductions/step-status';
import type { ReproductionDeps } from './deps';
import type { ReproductionBook } from './reproduction-book';
import type { ReproductionFiles } from './reproduction-files';

/** More than any training has updates. */
const ALL_POINTS = 100_000;

/** What is measured of runs and trainings that are done: learning curves, diversity, cells. */
export type MetricSteps = {
  readonly turn: (id: string) => Promise<void>;
  /** Keeps the learning curves of a training where the exhibit shows them. */
  readonly keepCurves: (id: string, step: PlanStep, training: TrainingView) => Promise<Result<null, Refusal>>;
  /** Gives up what is measured; it is measured again at the next start. */
  readonly dispose: () => void;
};

/** What a step measured lies in a file under its place in the plan, which no replanning changes. */
export function outcomeName({ plan }: Pick<Reproduction, 'plan'>, stepId: string): string {
  return `step-${plan.steps.findIndex(({ id }) => id === stepId) + 1}`;
}

export function createMetricSteps(
  around: Pick<ReproductionDeps, 'trainings' | 'comparison' | 'clock'> & {
    readonly book: ReproductionBook;
    readonly files: ReproductionFiles;
    readonly onChange: () => void;
  },
): MetricSteps {
  const { trainings, clock, book, files, onChange } = around;
  const isoNow = (): string => new Date(clock.now()).toISOString();
  /** Reading programs is heavy: one configuration at a time. */
  let measuring: string | null = null;
  const stopping = new AbortController();

  const settle = (id: string, stepIds: readonly string[]) =>
    book.note(id, stepIds, (note) => ({
      state: { kind: 'done', reused: false },
      startedAt: note.startedAt ?? isoNow(),
      endedAt: isoNow(),
    }));
  const measure = async (one: Reproduction, step: PlanStep, label: string, runIds: readonly string[]) => {
    const { id } = one.record;
    const from = clock.now();
    const measured = await around.comparison.diversity(
      runIds.map((runId) => ({ runId, label })),
      {
        judge: { kind: 'structure' },
        similarity: { kind: 'tokens' },
        signal: stopping.signal,
        progress: () => undefined,
      },
    );
    if (stopping.signal.aborted) return;
    const kept = measured.ok
      ? await files.writeOutcome(id, outcomeName(one, step.id), {
          curves: [],
          diversity: measured.value.cells,
        })
      : measured;
    if (!kept.ok) {
      const { message, hint } = kept.error;
      await book.note(id, [step.id], {
        state: { kind: 'failed', message, hint: hint ?? null },
        endedAt: isoNow(),
      });
      return;
    }
    await book.note(id, [step.id], {
      took: { seconds: (clock.now() - from) / 1_000, gpuSeconds: 0, tokens: 0 },
    });
    await settle(id, [step.id]);
  };

  const keepCurves: MetricSteps['keepCurves'] = async (id, step, training) => {
    const one = book.get(id);
    if (one === null || !isShown(one, step.id)) return ok(null);
    const curves = await trainings.curves(training.id, ALL_POINTS);
    if (!curves.ok) return curves;
    const shown = curves.value.filter(({ part }) => part === 'evaluation');
    return files.writeOutcome(id, outcomeName(one, step.id), { curves: shown, diversity: [] });
  };
  /** Of trainings that ended before this reproduction was ordered: they may be removed, a bundle has none of them. */
  const keepReused = async (one: Reproduction): Promise<void> => {
    const all = trainings.list();
    for (const step of one.plan.steps) {
      if (step.kind !== 'train' || step.reuse === null || !isShown(one, step.id)) continue;
      const { trainingId } = noteOf(one.record, step.id);
      const training = all.find(({ id }) => id === trainingId);
      if (training === undefined) continue;
      if ((await files.readOutcome(one.record.id, outcomeName(one, step.id))) !== null) continue;
      // What can not be kept is still read of the training itself while that is there.
      await keepCurves(one.record.id, step, training);
    }
  };

  return {
    turn: async (id) => {
      const one = book.get(id);
      if (one === null) return;
      const plain: string[] = [];
      for (const step of openSteps(one, 'metrics').filter((open) => needsAreDone(one, open))) {
        const work = one.work.get(step.id);
        if (work?.kind !== 'metrics' || !work.diversity) {
          plain.push(step.id);
          continue;
        }
        if (measuring !== null) continue;
        measuring = step.id;
        const { exhibit, order } = one.record;
        const { label } = exhibitAtScale(exhibit, order.scale).configurations.find(
          (configuration) => configuration.id === work.configurationId,
        ) ?? { label: work.configurationId };
        const runIds = work.searchStepIds.flatMap((search) => noteOf(one.record, search).runId ?? []);
        await book.note(id, [step.id], { state: { kind: 'begun' }, startedAt: isoNow() });
        void measure(one, step, label, runIds)
          .catch(() => undefined)
          .then(() => {
            measuring = null;
            onChange();
          });
      }
      await settle(id, plain);
      const now = book.get(id);
      if (now === null) return;
      const cells = openSteps(now, 'cell').filter((step) => needsAreDone(now, step));
      if (cells.length > 0) await keepReused(now);
      await settle(
        id,
        cells.map((step) => step.id),
      );
    },
    keepCurves,
    dispose: () => stopping.abort(),
  };
}

/** Does a line of the exhibit show how this training learned? */
function isShown({ work, record }: Reproduction, stepId: string): boolean {
  const learning = new Set(
    record.exhibit.series.flatMap(({ id, curve }) => (curve.kind === 'learning' ? [id] : [])),
  );
  return [...work.values()].some(
    (one) => one.kind === 'cell' && learning.has(one.key) && one.trainStepIds.includes(stepId),
  );
}
