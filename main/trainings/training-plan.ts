import type {
  JobView,
  ModelTraining,
  Recipe,
  TrainingPlan,
  TrainingRequest,
  TrainingView,
} from '../../preload/contract';
import { HIDDEN, hideSecrets, hideTokens, isSecretName, ok } from '../base';
import type { AsyncResult, Machine } from '../machines';
import { type CheckOptions, checkMachine } from './check-machine';
import { type Expectation, expectModels } from './expect-models';
import { environmentOf } from './launch-trainings';
import { estimatedSeconds, type TimedTraining } from './logic/estimate';
import type { PreparedTraining } from './logic/prepared';
import { earlierStartsOf, isDone } from './logic/training-view';
import { type ProblemSource, problemsOfTraining } from './problem-files';

/** Placeholder in plans for the id that a training gets when it starts; a new id in every plan would hide real changes. */
export const PLANNED_ID = 'NUMBER';

/** The plan: the prepared command, the machine's checks if `askMachine`, and what is expected of it. */
export async function planOf(
  request: TrainingRequest,
  training: PreparedTraining,
  options: {
    readonly askMachine: boolean;
    readonly machine: Machine;
    /** Of a training by a recipe; null: another trainer. */
    readonly recipe: Recipe | null;
    readonly jobs: CheckOptions['jobs'];
    readonly deps: CheckOptions['deps'] & { readonly benchmarks: ProblemSource; readonly dataDir: string };
    /** With running trainings that write to the same folder. */
    readonly conflicts: readonly string[];
    readonly timed: readonly TimedTraining[];
    /** All trainings, oldest first. */
    readonly earlier: readonly TrainingView[];
  },
): AsyncResult<TrainingPlan> {
  const { askMachine, machine, recipe, jobs, deps } = options;
  const checks = askMachine
    ? await checkMachine({ request, recipe, gpus: training.gpus, machine, jobs, deps })
    : ok([]);
  if (!checks.ok) return checks;
  const expectation =
    request.spec.kind === 'model' ? await expectationOf(request.spec, training, options) : ok(null);
  if (!expectation.ok) return expectation;
  return ok({
    commandLine: training.commandLine,
    ...shownEnvironment(request, training),
    gpus: training.gpus,
    ...(expectation.value === null ? {} : { expected: [...expectation.value.expected] }),
    ...(expectation.value?.memory === undefined ? {} : { memory: expectation.value.memory }),
    notes: [
      ...training.notes,
      ...(training.commandLine.includes(PLANNED_ID)
        ? [`${PLANNED_ID} stands for the id that the training gets when it starts.`]
        : []),
    ],
    problems: [...training.problems, ...options.conflicts],
    checks: [...checks.value, ...(expectation.value?.checks ?? [])],
    estimateSeconds: estimatedSeconds(request.spec, options.timed, request.machineId),
  });
}

/** What runs around the command, for people: secrets are hidden. */
function shownEnvironment(
  request: TrainingRequest,
  training: PreparedTraining,
): Pick<TrainingPlan, 'env' | 'setUp'> {
  const { env, setUp } = environmentOf(request, training);
  const shown = Object.entries(env).map(([name, value]) => [
    name,
    isSecretName(name) ? HIDDEN : hideTokens(value),
  ]);
  return {
    ...(shown.length === 0 ? {} : { env: Object.fromEntries(shown) }),
    ...(setUp === '' ? {} : { setUp: hideSecrets(setUp) }),
  };
}

async function expectationOf(
  spec: ModelTraining,
  { gpus }: PreparedTraining,
  { machine, askMachine, deps, earlier }: Parameters<typeof planOf>[2],
): AsyncResult<Expectation> {
  const chosen = await problemsOfTraining(spec, deps.benchmarks);
  if (!chosen.ok) return chosen;
  const problems = chosen.value.training.length;
  const { gpus: gpusOf, dataDir } = deps;
  return expectModels(spec, { machine, askMachine, gpus, gpusOf, problems, earlier, dataDir });
}

/** How long finished trainings took, over all of their starts; none of others. */
export function timedTrainings(
  all: readonly (Omit<TimedTraining, 'seconds'> & { readonly job: JobView | null })[],
): TimedTraining[] {
  return all.flatMap(({ job, ...training }) => {
    if (job === null || !isDone(job.state) || job.startedAt === null || job.endedAt === null) return [];
    const { earlierStarts = [] } = earlierStartsOf(job);
    // Its timeline became too long to be kept whole.
    if (earlierStarts.length !== job.attempts - 1) return [];
    const starts = [...earlierStarts, { startedAt: job.startedAt, endedAt: job.endedAt }];
    const ms = starts.map(({ startedAt, endedAt }) => Date.parse(endedAt) - Date.parse(startedAt));
    return [{ ...training, seconds: ms.reduce((sum, one) => sum + one, 0) / 1_000 }];
  });
}
