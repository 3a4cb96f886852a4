import { type DoneTraining, experimentDetailsInSteps, experimentResult } from '../../main/metrics';
import { rowTrainingOf } from '../../main/plans/logic/experiments/experiment-record';
import type {
  Answer,
  CommandName,
  ExperimentDetails,
  ExperimentView,
  Payload,
  TeamEvaluation,
  TrainingMethod,
  TrainingView,
  Value,
} from '../../preload/contract';
import {
  type ExperimentPreset,
  experimentFromPreset,
  experimentPresetOf,
  PLAIN_POCKET_TRAINING,
} from '../../preload/contract/plans';
import { samplePocketTraining } from './sample-trainings';

/** How well a method's agents do, made up: chance of a first attempt and of a searched answer. */
const SKILL: Readonly<Record<TrainingMethod, readonly [number, number]>> = {
  base: [0.16, 0.33],
  grpo: [0.21, 0.34],
  rs2: [0.22, 0.42],
  'homo-mars2': [0.21, 0.41],
  'heter-mars2': [0.34, 0.6],
  'grpo-all-wrong': [0.35, 0.55],
  'mixed-groups': [0.36, 0.54],
};
const PROBLEMS = 60;

/** In [0, 1), the same for the same numbers. */
function chance(...keys: readonly number[]): number {
  let value = 0.37;
  for (const one of keys) value = (Math.sin(one * 12.9898 + value * 78.233) * 43_758.5453) % 1;
  return Math.abs(value);
}

function teamOf(
  agentIds: readonly string[],
  method: TrainingMethod,
  seed: number,
  help: number,
): TeamEvaluation {
  const [first, searched] = SKILL[method];
  return {
    agentIds: [...agentIds],
    nodes: 60,
    problems: Array.from({ length: PROBLEMS }, (_, at) => {
      const ease = 0.7 + 0.6 * chance(at, 3);
      const draw = chance(at, seed, method.length, agentIds.length, agentIds[0]?.length ?? 0);
      const somePasses = draw < (searched + help) * ease + 0.03;
      return {
        problemId: `pocket/test/${at}`,
        samples: agentIds.map((agentId) => ({
          agentId,
          count: 16,
          passed: Math.round(16 * Math.min(1, first * ease * (0.6 + 0.8 * chance(at, seed, agentId.length)))),
        })),
        chosenPasses: draw < (searched + help) * ease,
        somePasses,
        distinctPrograms: 12,
        algorithms: somePasses ? [7, 3, ...(draw < 0.2 ? [2] : [])] : [],
      };
    }),
  };
}

function doneTraining(
  label: string,
  method: TrainingMethod,
  families: readonly string[],
  seed: number,
): DoneTraining {
  return {
    label,
    seed,
    evaluation: {
      split: 'test',
      seed,
      teams: [
        ...families.map((family) => teamOf([family], method, seed, 0)),
        ...(families.length > 1 ? [teamOf(families, method, seed, 0.2)] : []),
      ],
    },
    zeroAdvantage:
      method === 'base'
        ? []
        : families.map((agentId) => ({ agentId, share: 0.55 - SKILL[method][1] / 2 + 0.03 * chance(seed) })),
    seconds: 80,
  };
}

/** A ready-made experiment of which so many trainings are done; two run after them, one of them stopped. */
export function sampleExperiment(
  id: ExperimentPreset['id'],
  done: number,
  state: ExperimentView['state'] = { kind: 'running' },
): { readonly experiment: ExperimentView; readonly trainings: readonly TrainingView[] } {
  const ready = experimentPresetOf(id);
  if (ready === null) throw new Error(`No experiment ${id}`);
  const request = experimentFromPreset(ready);
  const experimentId = `experiment-${id}`;
  const planned = request.seeds.flatMap((seed) => request.rows.map((row) => ({ seed, row })));
  const begun = planned.slice(0, Math.min(planned.length, done + (state.kind === 'running' ? 3 : 1)));
  const trainings = begun.map(({ seed, row }, at): TrainingView => {
    const training = samplePocketTraining(
      {
        method: row.method,
        families: row.families,
        experimentId,
        step: row.change.updates ?? 300,
        steps: row.change.updates ?? 300,
        ...(at < done ? {} : unfinished(at - done, state)),
      },
      120 - at,
      seed,
    );
    const spec =
      training.spec.kind === 'pocket'
        ? { ...training.spec, ...row.change, families: row.families }
        : training.spec;
    return {
      ...training,
      id: `${experimentId}-${at}`,
      name: `${row.label}, seed ${seed}`,
      spec,
    } as TrainingView;
  });
  return {
    trainings,
    experiment: {
      id: experimentId,
      order: request,
      state,
      createdAt: new Date(Date.now() - 7_200_000).toISOString(),
      endedAt: null,
      done,
      total: planned.length,
      secondsLeft: state.kind === 'running' ? (planned.length - done) * 42 : null,
      trainings: planned.map(({ seed, row }, at) => ({
        label: row.label,
        seed,
        trainingId: trainings[at]?.id ?? null,
      })),
    },
  };
}

function unfinished(nth: number, state: ExperimentView['state']): Partial<TrainingView> {
  const not = { endedAt: null, step: 120, steps: 300 };
  if (state.kind === 'failed') {
    return { ...not, state: { kind: 'exited', code: 1, endedAt: new Date().toISOString() } };
  }
  if (state.kind === 'paused') {
    return { ...not, state: { kind: 'exited', code: 75, endedAt: new Date().toISOString() } };
  }
  if (nth === 0) return { ...not, state: { kind: 'running', pid: 4_211 }, stage: 'rollout' };
  if (nth === 1)
    return { ...not, step: 260, state: { kind: 'running', pid: 4_212 }, stage: 'evaluating the team' };
  return { ...not, step: 0, state: { kind: 'queued', why: 'other trainings go first' }, startedAt: null };
}

type Handlers = { readonly [N in CommandName]?: (payload: Payload<N>) => Answer<Value<N>> };

/** Its trainings that are done, made up. */
export function sampleDone({ order, done }: ExperimentView): DoneTraining[] {
  return order.seeds
    .flatMap((seed) => order.rows.map((row) => ({ seed, row })))
    .slice(0, done)
    .map(({ seed, row }) => doneTraining(row.label, row.method, row.families, seed));
}

/** What exports have of it beside its result. The problems are by turns easy, medium and hard. */
export function sampleDetails(view: ExperimentView): Promise<ExperimentDetails> {
  return experimentDetailsInSteps(
    {
      request: view.order,
      done: sampleDone(view),
      problems: Array.from({ length: PROBLEMS }, (_, at) => ({
        ...{ id: `pocket/test/${at}`, title: `Problem ${at}`, benchmarkId: 'pocket' },
        ...{ difficulty: (['easy', 'medium', 'hard'] as const)[at % 3] ?? null, date: null, platform: null },
      })),
      trainingOf: (row) => rowTrainingOf(view.order, row, 1),
    },
    async () => undefined,
  );
}

/** What the page of an experiment asks; the results are worked out of made-up evaluations as main would. */
export function sampleExperimentHandlers(experiments: readonly ExperimentView[]): Handlers {
  return {
    'experiment.result': ({ experimentId }) => {
      const view = experiments.find(({ id }) => id === experimentId);
      if (view === undefined) {
        return {
          ok: false,
          error: { code: 'not-found', message: `There is no experiment ${experimentId}.` },
        };
      }
      const value = experimentResult({
        experimentId,
        request: view.order,
        done: sampleDone(view),
        trainingOf: (row) => ({
          updates: row.change.updates ?? view.order.training.updates ?? PLAIN_POCKET_TRAINING.updates,
          batch: row.change.batch ?? view.order.training.batch ?? PLAIN_POCKET_TRAINING.batch,
        }),
      });
      return { ok: true, value };
    },
    'experiment.chooseExport': ({ kind }) => ({
      ok: true,
      value: { path: `/home/lab/${kind}.csv`, rows: 96, bytes: 12_004 },
    }),
  };
}
