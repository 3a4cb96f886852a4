import {
  isOwnTraining,
  jobHasEnded,
  jobHasSucceeded,
  problemsKeptText,
  type Refusal,
  type TrainingView,
} from '../../preload/contract/index';
import { localTime } from '../../preload/contract/plans/index';
import type { Result } from '../base/index';
import type { CliOptions } from './cli-options';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus, withResumeHint } from './host';
import { progressLog } from './progress-log';
import { fittedLine } from './report';
import { OVERWRITE } from './terminal-output';
import { trainingView } from './training-lookup';
import { gainLines, liveLine, trainingStateText } from './training-report';

const POLL_EVERY_MS = 500;
/** Where no terminal shows it in place. */
const PRINT_EVERY_MS = 5_000;

/** With what the trainer measured before and after, where it did. */
export async function showMeasured(
  workbench: Host,
  view: TrainingView,
  options: CliOptions,
): Promise<number> {
  if (options.flag('json') || !isOwnTraining(view.spec)) return show(view, options);
  // Without it the training is shown all the same.
  const measured = await ask(workbench, 'training.evaluation', { trainingId: view.id });
  if (!measured.ok) return show(view, options, [measured.error.message]);
  return show(view, options, measured.value === null ? [] : gainLines(measured.value, view));
}

/** `measured`: of its evaluation, a line each. */
export function show(view: TrainingView, options: CliOptions, measured: readonly string[] = []): number {
  if (options.flag('json')) return printJson(view);
  const lines = [
    `${view.name}: ${view.title}  (${view.id} on ${view.machineId}, scale ${view.scale})`,
    `  ${trainingStateText(view)}; ${liveLine(view)}`,
    ...(view.problemsKept === undefined ? [] : [`  ${problemsKeptText(view.problemsKept)}`]),
    ...(view.failure === undefined ? [] : [`  ${view.failure}`]),
    ...measured.map((line) => `  ${line}`),
    ...(view.restarts ?? []).map(({ at, why }) => `  restarted ${localTime(at)}: ${why}`),
    ...(view.notRestarted === undefined ? [] : [`  ${view.notRestarted}`]),
    ...(view.jobId === null ? [] : [`  its log: mars2 jobs logs ${view.jobId.slice(0, 8)}`]),
    ...view.alarms.map(({ message }) => `  Alarm: ${message}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return EXIT.done;
}

export function shown(result: Result<TrainingView, Refusal>, options: CliOptions): number {
  return result.ok ? show(result.value, options) : printRefusal(result.error);
}

/** Live numbers until it has ended; Ctrl+C ends the following alone. */
export async function follow(workbench: Host, trainingId: string, options: CliOptions): Promise<number> {
  const onTerminal = process.stderr.isTTY;
  const printedAlarms = new Set<string>();
  let interrupted = false;
  const log = progressLog(PRINT_EVERY_MS, Date.now);
  const interrupt = (): void => {
    interrupted = true;
  };
  process.on('SIGINT', interrupt);
  try {
    for (;;) {
      const view = await trainingView(workbench, trainingId);
      if (!view.ok) {
        const hint = `The training continues. Follow it again with: mars2 trainings follow ${trainingId.slice(0, 8)}`;
        return printRefusal(withResumeHint(view.error, hint));
      }
      for (const { message } of view.value.alarms) {
        if (!printedAlarms.has(message)) printStatus(`${onTerminal ? OVERWRITE : ''}Alarm: ${message}`);
        printedAlarms.add(message);
      }
      const hasEnded = jobHasEnded(view.value.state);
      const line = `${trainingStateText(view.value)}; ${liveLine(view.value)}`;
      const columns = process.stderr.columns ?? Number.POSITIVE_INFINITY;
      if (onTerminal) process.stderr.write(`${OVERWRITE}${fittedLine(line, columns)}`);
      else if (hasEnded) printStatus(line);
      else log(line);
      if (hasEnded) {
        if (onTerminal) process.stderr.write('\n');
        const { state } = view.value;
        // The last output may not have been read yet.
        await ask(workbench, 'training.curves', { trainingId, points: 10 });
        shown(await trainingView(workbench, trainingId), options);
        return jobHasSucceeded(state) ? EXIT.done : EXIT.failed;
      }
      if (interrupted) {
        printStatus(`\nIt continues. Follow it again with: mars2 trainings follow ${trainingId.slice(0, 8)}`);
        return EXIT.stopped;
      }
      await new Promise((done) => setTimeout(done, POLL_EVERY_MS));
    }
  } finally {
    process.off('SIGINT', interrupt);
  }
}
