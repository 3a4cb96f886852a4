import type { TrainingView } from '../../preload/contract/index';
import { type CliOptions, UsageError } from './cli-options';
import { ask, EXIT, type Host, outFolder, printJson, printRefusal, printStatus } from './host';
import { displayOf, finishStudy } from './study-progress';
import { findTraining } from './training-lookup';

export async function serveCheckpoint(
  workbench: Host,
  { id }: TrainingView,
  options: CliOptions,
): Promise<number> {
  const checkpointId = options.word(1, 'The checkpoint');
  const served = await ask(workbench, 'training.serve', { trainingId: id, checkpointId });
  if (!served.ok) return printRefusal(served.error);
  if (options.flag('json')) return printJson(served.value);
  if (served.value.kind === 'server')
    printStatus(`Serving it: ${served.value.serverId}. See: mars2 servers list`);
  else {
    printStatus(
      `Saved as the launch ${served.value.launchId}. Start it with: mars2 servers launch ${served.value.launchId}`,
    );
    for (const problem of served.value.plan?.problems ?? []) printStatus(problem);
  }
  return EXIT.done;
}

export async function evaluateCheckpoints(workbench: Host, options: CliOptions): Promise<number> {
  const chosen: { trainingId: string; checkpointId: string }[] = [];
  for (const word of options.words) {
    const at = word.indexOf(':');
    if (at < 1) throw new UsageError(`"${word}" should be TRAINING:CHECKPOINT.`);
    const training = await findTraining(workbench, word.slice(0, at));
    if (!training.ok) return printRefusal(training.error);
    chosen.push({ trainingId: training.value.id, checkpointId: word.slice(at + 1) });
  }
  if (chosen.length === 0)
    throw new UsageError('The checkpoints are missing: mars2 trainings evaluate TRAINING:CHECKPOINT ...');
  const problems = options.count('problems', 1, 1_000_000);
  const benchmarkId = options.required('benchmark');
  const nodes = options.count('nodes', 1, 1_000) ?? 60;
  const samples = options.count('samples', 0, 1_000) ?? 8;
  const outOption = options.text('out');
  const out = outOption === undefined ? null : await outFolder(outOption);
  if (out !== null && !out.ok) return printRefusal(out.error);
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
  if (!made.ok) return printRefusal(made.error);
  if (out !== null) {
    return finishStudy(workbench, made.value.studyId, displayOf(options, out.value));
  }
  if (options.flag('json')) return printJson(made.value);
  printStatus(`Made the study ${made.value.studyId}. Run it with: mars2 resume ${made.value.studyId}`);
  return EXIT.done;
}
