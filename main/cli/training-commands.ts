import { jobHasEnded, type Refusal, type TrainingView } from '../../preload/contract/index';
import type { Result } from '../base/index';
import { type CliOptions, UsageError } from './cli-options';
import { ask, EXIT, finishStudy, type Host, outFolder, say, sayRefusal } from './study-command';
import { trainingOrderOf } from './training-arguments';
import { findTraining, printJson, trainings, viewOf, withFound } from './training-found';
import { checkpoints, curves, evaluation, recipes, rollouts } from './training-looks';
import { liveLine, planText, settingsText, stateWords, trainingTable } from './training-report';

const LOOK_EVERY_MS = 500;
/** Where no terminal shows it in place. */
const SAY_EVERY_MS = 5_000;

/** train [list] | start | plan | show | follow | stop | resume | remove | checkpoints | curves | rollouts | ... */
export async function train(workbench: Host, options: CliOptions): Promise<number> {
  const [what = 'list'] = options.words;
  const found = (work: (view: TrainingView) => Promise<number>) => withFound(workbench, options, work);
  switch (what) {
    case 'list':
      return list(workbench, options);
    case 'start':
      return start(workbench, options);
    case 'plan':
      return plan(workbench, options);
    case 'show':
      return found(async (view) => show(view, options));
    case 'follow':
      return found(({ id }) => follow(workbench, id, options));
    case 'stop':
      return found(async ({ id }) =>
        shown(await ask(workbench, 'training.stop', { trainingId: id }), options),
      );
    case 'resume':
      return found(async ({ id }) => {
        const resumed = await ask(workbench, 'training.resume', { trainingId: id });
        if (!resumed.ok) return sayRefusal(resumed.error);
        return options.flag('follow') ? follow(workbench, id, options) : show(resumed.value, options);
      });
    case 'remove':
      return found(async ({ id }) => {
        const checkpoints = options.flag('checkpoints');
        const removed = await ask(workbench, 'training.remove', { trainingId: id, checkpoints });
        return removed.ok ? EXIT.done : sayRefusal(removed.error);
      });
    case 'checkpoints':
      return found((view) => checkpoints(workbench, view, options));
    case 'curves':
      return found((view) => curves(workbench, view, options));
    case 'rollouts':
      return found((view) => rollouts(workbench, view, options));
    case 'evaluation':
      return found((view) => evaluation(workbench, view, options));
    case 'serve':
      return found((view) => serve(workbench, view, options));
    case 'evaluate':
      return evaluate(workbench, options);
    case 'recipes':
      return recipes(workbench, options);
    case 'settings':
      process.stdout.write(
        settingsText(options.choice('preset', ['grpo', 'single', 'shared', 'multi']) ?? 'single'),
      );
      return EXIT.done;
    default:
      throw new UsageError(`There is no "train ${what}".`);
  }
}

async function list(workbench: Host, options: CliOptions): Promise<number> {
  const all = await trainings(workbench);
  if (!all.ok) return sayRefusal(all.error);
  if (options.flag('json')) return printJson(all.value);
  if (all.value.length === 0) say('There are no trainings. Start one with: train start pocket');
  else process.stdout.write(`${trainingTable(all.value)}\n`);
  return EXIT.done;
}

async function start(workbench: Host, options: CliOptions): Promise<number> {
  const order = await trainingOrderOf(options, 1);
  const started = await ask(workbench, 'training.start', order);
  if (!started.ok) return sayRefusal(started.error);
  say(`Training ${started.value.id}: ${started.value.title}. It goes on when this command ends.`);
  if (options.flag('follow')) return follow(workbench, started.value.id, options);
  return show(started.value, options);
}

async function plan(workbench: Host, options: CliOptions): Promise<number> {
  const order = await trainingOrderOf(options, 1);
  const planned = await ask(workbench, 'training.plan', { order, look: options.flag('look') });
  if (!planned.ok) return sayRefusal(planned.error);
  const { problems, checks } = planned.value;
  if (options.flag('json')) printJson(planned.value);
  else process.stdout.write(planText(planned.value));
  return problems.length === 0 && checks.every(({ state }) => state !== 'bad') ? EXIT.done : EXIT.failed;
}

function show(view: TrainingView, options: CliOptions): number {
  if (options.flag('json')) return printJson(view);
  const lines = [
    `${view.name}: ${view.title}  (${view.id} on ${view.machineId}, scale ${view.scale})`,
    `  ${stateWords(view)}; ${liveLine(view)}`,
    ...(view.jobId === null ? [] : [`  its log: logs ${view.jobId.slice(0, 8)}`]),
    ...view.alarms.map(({ message }) => `  Alarm: ${message}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return EXIT.done;
}

function shown(result: Result<TrainingView, Refusal>, options: CliOptions): number {
  return result.ok ? show(result.value, options) : sayRefusal(result.error);
}

/** Live numbers until it has ended; Ctrl+C ends the following alone. */
async function follow(workbench: Host, trainingId: string, options: CliOptions): Promise<number> {
  const onTerminal = process.stderr.isTTY;
  const told = new Set<string>();
  let interrupted = false;
  let saidAt = 0;
  const interrupt = (): void => {
    interrupted = true;
  };
  process.on('SIGINT', interrupt);
  try {
    for (;;) {
      const view = await viewOf(workbench, trainingId);
      if (!view.ok) return sayRefusal(view.error);
      for (const { message } of view.value.alarms) {
        if (!told.has(message)) say(`${onTerminal ? '\r\u001b[K' : ''}Alarm: ${message}`);
        told.add(message);
      }
      const hasEnded = jobHasEnded(view.value.state);
      const line = `${stateWords(view.value)}; ${liveLine(view.value)}`;
      if (onTerminal) process.stderr.write(`\r${line.slice(0, (process.stderr.columns ?? 110) - 1)}\u001b[K`);
      else if (hasEnded || Date.now() - saidAt >= SAY_EVERY_MS) {
        saidAt = Date.now();
        say(line);
      }
      if (hasEnded) {
        if (onTerminal) process.stderr.write('\n');
        const { state } = view.value;
        // What was written last may not have been read yet.
        await ask(workbench, 'training.curves', { trainingId, points: 10 });
        shown(await viewOf(workbench, trainingId), options);
        return state.kind === 'exited' && state.code === 0 ? EXIT.done : EXIT.failed;
      }
      if (interrupted) {
        say(`\nIt goes on. Look again with: train follow ${trainingId.slice(0, 8)}`);
        return EXIT.stopped;
      }
      await new Promise((done) => setTimeout(done, LOOK_EVERY_MS));
    }
  } finally {
    process.off('SIGINT', interrupt);
  }
}

async function serve(workbench: Host, { id }: TrainingView, options: CliOptions): Promise<number> {
  const checkpointId = options.word(2, 'The checkpoint');
  const served = await ask(workbench, 'training.serve', { trainingId: id, checkpointId });
  if (!served.ok) return sayRefusal(served.error);
  if (options.flag('json')) return printJson(served.value);
  if (served.value.kind === 'server') say(`It is served: ${served.value.serverId}. See: servers`);
  else {
    say(
      `Saved as the launch ${served.value.launchId}. Start it with: servers launch ${served.value.launchId}`,
    );
    for (const problem of served.value.plan?.problems ?? []) say(problem);
  }
  return EXIT.done;
}

/** train evaluate TRAINING:CHECKPOINT ... --benchmark ID */
async function evaluate(workbench: Host, options: CliOptions): Promise<number> {
  const chosen: { trainingId: string; checkpointId: string }[] = [];
  for (const word of options.words.slice(1)) {
    const at = word.indexOf(':');
    if (at < 1) throw new UsageError(`"${word}" should be TRAINING:CHECKPOINT.`);
    const training = await findTraining(workbench, word.slice(0, at));
    if (!training.ok) return sayRefusal(training.error);
    chosen.push({ trainingId: training.value.id, checkpointId: word.slice(at + 1) });
  }
  if (chosen.length === 0)
    throw new UsageError('The checkpoints are missing: train evaluate TRAINING:CHECKPOINT ...');
  const problems = options.count('problems', 1, 1_000_000);
  const benchmarkId = options.needed('benchmark');
  const nodes = options.count('nodes', 1, 1_000) ?? 60;
  const samples = options.count('samples', 0, 1_000) ?? 8;
  const wished = options.text('out');
  const out = wished === undefined ? null : await outFolder(wished);
  if (out !== null && !out.ok) return sayRefusal(out.error);
  const made = await ask(workbench, 'training.evaluate', {
    name: options.text('name') ?? 'Evaluation of checkpoints',
    checkpoints: chosen,
    team: options.flag('team'),
    benchmarkId,
    ...(problems === undefined ? {} : { problems }),
    nodes,
    samples,
    start: out !== null,
  });
  if (!made.ok) return sayRefusal(made.error);
  if (out !== null) {
    return finishStudy(workbench, made.value.studyId, { out: out.value, json: options.flag('json') });
  }
  if (options.flag('json')) return printJson(made.value);
  say(`Made the study ${made.value.studyId}. Run it with: resume ${made.value.studyId} --out DIR`);
  return EXIT.done;
}
