import {
  type ExperimentRequest,
  experimentEvaluation,
  isOwnTraining,
  sweepOf,
  type TrainingPlan,
  type TrainingRequest,
} from '../../preload/contract/index';
import { type CliOptions, UsageError } from './cli-options';
import { startExperiment } from './experiment-commands';
import { duration } from './experiment-report';
import type { Action } from './grammar';
import { ask, EXIT, printJson, printRefusal, printStatus } from './host';
import type { TrainingReader } from './training-arguments';
import { planText } from './training-report';
import { follow, show } from './training-show';

/** Starts a training, or with --sweep or --seeds an experiment of several. */
export function startTraining(read: TrainingReader): Action {
  return async (workbench, options) => {
    if (options.flag('plan')) return planTraining(read)(workbench, options);
    if (options.flag('probe')) throw new UsageError('--probe goes with --plan, which starts nothing.');
    const request = await read(options, workbench);
    const sweep = askedSweep(request, options);
    if (sweep !== null) return startExperiment(workbench, sweep, options);
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
    const sweep = askedSweep(request, options);
    const planned = await ask(workbench, 'training.plan', { request, check: options.flag('probe') });
    if (!planned.ok) return printRefusal(planned.error);
    const { problems, checks } = planned.value;
    if (options.flag('json'))
      printJson(sweep === null ? planned.value : { ...planned.value, experiment: sweep });
    else {
      if (sweep !== null) process.stdout.write(`${sweepText(sweep, planned.value)}\n`);
      process.stdout.write(planText(planned.value));
    }
    return problems.length === 0 && checks.every(({ state }) => state !== 'bad') ? EXIT.done : EXIT.failed;
  };
}

/** The experiment that --sweep and --seeds ask for; null: neither is there. */
function askedSweep(request: TrainingRequest, options: CliOptions): ExperimentRequest | null {
  const swept = options.all('sweep').map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw new UsageError(`--sweep takes FIELD=VALUE,VALUE, not "${text}".`);
    const values = text.slice(at + 1).split(',');
    return { id: text.slice(0, at), values: values.map((value) => value.trim()) };
  });
  const seeds = options.seeds();
  if (swept.length === 0 && seeds === undefined) return null;
  const { spec } = request;
  const read = sweepOf(request, swept, seeds ?? (isOwnTraining(spec) ? [spec.seed] : [1]));
  if (!read.ok)
    throw new UsageError(read.problem.id === '' ? read.problem.message : `--sweep: ${read.problem.message}`);
  return read.value;
}

/** What a sweep takes; `plan`: of its training as it is without the sweep. */
function sweepText(request: ExperimentRequest, { estimateSeconds, gpus }: TrainingPlan): string {
  const { rows, seeds } = request;
  const total = rows.length * seeds.length;
  const time =
    estimateSeconds === null
      ? 'How long one takes is not known from an earlier one.'
      : `About ${duration(total * estimateSeconds)} of training in all, if each takes as long as one did so far.`;
  return [
    `${total} trainings: ${rows.length} ${rows.length === 1 ? 'row' : 'rows'} × ${seeds.length} ${seeds.length === 1 ? 'seed' : 'seeds'} (${seeds.join(', ')}), each evaluated on ${experimentEvaluation(request)}.`,
    ...rows.map(({ label }) => `  ${label}`),
    gpus === 0 ? time : `${time} Each takes ${gpus} GPUs; on Slurm they are one job array.`,
    '',
    'Each of them, with its own values:',
    '',
  ].join('\n');
}
