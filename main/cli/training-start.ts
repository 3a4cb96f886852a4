import {
  type ExperimentRequest,
  experimentEvaluation,
  OWN_MEASURES_NOTE,
  queueText,
  type Recipe,
  readSweep,
  SEED_SETTING,
  type Sweep,
  type TrainingPlan,
  type TrainingRequest,
} from '../../preload/contract/index';
import { counted } from '../base/index';
import { type CliOptions, UsageError } from './cli-options';
import { startExperiment } from './experiment-commands';
import { duration } from './experiment-report';
import type { Action } from './grammar';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';
import type { TrainingReader } from './training-arguments';
import { planText, trainingTable } from './training-report';
import { follow, show } from './training-show';

/** Starts a training, or with --sweep or --seeds several: an experiment of our own trainers, a list of others. */
export function startTraining(read: TrainingReader): Action {
  return async (workbench, options) => {
    if (options.flag('plan')) return planTraining(read)(workbench, options);
    if (options.flag('probe')) throw new UsageError('--probe goes with --plan, which starts nothing.');
    const request = await read(options, workbench);
    const sweep = await requestedSweep(request, options, workbench);
    if (sweep?.kind === 'experiment') return startExperiment(workbench, sweep.experiment, options);
    if (sweep?.kind === 'trainings') return startTrainings(workbench, sweep.trainings, options);
    const started = await ask(workbench, 'training.start', request);
    if (!started.ok) return printRefusal(started.error);
    printStatus(`Training ${started.value.id}: ${started.value.title}. It continues when this command ends.`);
    if (options.flag('follow')) return follow(workbench, started.value.id, options);
    return show(started.value, options);
  };
}

/** Shows what would be started. */
export function planTraining(read: TrainingReader): Action {
  return async (workbench, options) => {
    const request = await read(options, workbench);
    const sweep = await requestedSweep(request, options, workbench);
    if (sweep?.kind === 'trainings') return planTrainings(workbench, sweep.trainings, options);
    const planned = await ask(workbench, 'training.plan', { request, check: options.flag('probe') });
    if (!planned.ok) return printRefusal(planned.error);
    if (options.flag('json'))
      printJson(sweep === null ? planned.value : { ...planned.value, experiment: sweep.experiment });
    else {
      if (sweep !== null) process.stdout.write(`${experimentText(sweep.experiment, planned.value)}\n`);
      process.stdout.write(planText(planned.value));
    }
    return codeOf(planned.value);
  };
}

function codeOf({ problems, checks }: TrainingPlan): number {
  return problems.length === 0 && checks.every(({ state }) => state !== 'bad') ? EXIT.done : EXIT.failed;
}

/** Starts them together. They have no experiment that could be followed to an end. */
async function startTrainings(
  workbench: Host,
  requests: readonly TrainingRequest[],
  options: CliOptions,
): Promise<number> {
  if (options.flag('follow')) {
    throw new UsageError('-f follows one training: leave it out, then: mars2 trainings follow TRAINING');
  }
  const started = await ask(workbench, 'training.startMany', { requests: [...requests] });
  if (!started.ok) return printRefusal(started.error);
  const { trainings, refused } = started.value;
  for (const { name, message } of refused) printStatus(`"${name}" was not started: ${message}`);
  if (options.flag('json')) printJson(trainings);
  else process.stdout.write(`${trainingTable(trainings)}\n`);
  printStatus(`${counted(trainings.length, 'training')} started. They continue when this command ends.`);
  printStatus(OWN_MEASURES_NOTE);
  return refused.length === 0 ? EXIT.done : EXIT.failed;
}

/** Shows what would be started: the first in full, and what is wrong with any other. */
async function planTrainings(
  workbench: Host,
  requests: readonly TrainingRequest[],
  options: CliOptions,
): Promise<number> {
  const plans: TrainingPlan[] = [];
  for (const request of requests) {
    const check = plans.length === 0 && options.flag('probe');
    const planned = await ask(workbench, 'training.plan', { request, check });
    if (!planned.ok) return printRefusal(planned.error);
    plans.push(planned.value);
  }
  const [first] = plans;
  if (first === undefined) throw new Error('A sweep has a training');
  if (options.flag('json')) printJson({ ...first, trainings: requests });
  else process.stdout.write(`${trainingsText(requests, plans, first)}${planText(first)}`);
  return plans.every((plan) => codeOf(plan) === EXIT.done) ? EXIT.done : EXIT.failed;
}

function trainingsText(
  requests: readonly TrainingRequest[],
  plans: readonly TrainingPlan[],
  first: TrainingPlan,
): string {
  const problems = plans.map((plan) => plan.problems[0]);
  return [
    `${counted(requests.length, 'training')}, one for every combination of values and seeds, each in a folder of its own:`,
    ...requests.map(({ name }, at) => {
      const problem = problems[at];
      return problem === undefined ? `  ${name}` : `  ${name}\n    Problem: ${problem}`;
    }),
    timeText(requests.length, first),
    queueText(first.gpus),
    OWN_MEASURES_NOTE,
    '',
    'The first of them:',
    '',
    '',
  ].join('\n');
}

/** What --sweep and --seeds ask for; null: neither is there. */
async function requestedSweep(
  request: TrainingRequest,
  options: CliOptions,
  workbench: Host,
): Promise<Sweep | null> {
  const swept = options.swept();
  const seeds = options.seeds();
  if (swept.length === 0 && seeds === undefined) return null;
  const read = readSweep(request, await recipeOf(request, workbench), swept, seeds ?? null);
  if (read.ok) return read.value;
  const { id, message } = read.problem;
  if (id === '') throw new UsageError(message);
  throw new UsageError(`${id === SEED_SETTING && seeds !== undefined ? '--seeds' : '--sweep'}: ${message}`);
}

/** null: not by a recipe, or there is none of that name. */
async function recipeOf({ spec }: TrainingRequest, workbench: Host): Promise<Recipe | null> {
  if (spec.kind !== 'recipe') return null;
  const listed = await ask(workbench, 'recipe.list', {});
  return listed.ok ? (listed.value.recipes.find(({ id }) => id === spec.recipeId) ?? null) : null;
}

/** `plan`: of one of them. */
function timeText(trainings: number, { estimateSeconds }: TrainingPlan): string {
  return estimateSeconds === null
    ? 'How long one takes is known once one like it has run.'
    : `About ${duration(trainings * estimateSeconds)} of training in all, if each takes as long as one did so far.`;
}

/** The cost of a sweep; `plan`: of its training as it is without the sweep. */
function experimentText(request: ExperimentRequest, plan: TrainingPlan): string {
  const { rows, seeds } = request;
  const total = rows.length * seeds.length;
  const time = timeText(total, plan);
  return [
    `${total} trainings: ${counted(rows.length, 'row')} × ${counted(seeds.length, 'seed')} (${seeds.join(', ')}), each evaluated on ${experimentEvaluation(request)}.`,
    ...rows.map(({ label }) => `  ${label}`),
    plan.gpus === 0 ? time : `${time} Each takes ${plan.gpus} GPUs; on Slurm they are one job array.`,
    '',
    'Each of them, with its own values:',
    '',
  ].join('\n');
}
