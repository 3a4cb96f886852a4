import { resolve } from 'node:path';
import { LOCAL_MACHINE, type TrainingView } from '../../preload/contract/index';
import { checkedText, measuredSoFarText } from '../../preload/contract/plans/index';
import { counted } from '../base/index';
import { replaceUserFile } from '../storage/index';
import { type CliOptions, UsageError } from './cli-options';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';
import { columns } from './report';
import { beforeAfterCsv, curvesCsv, evaluationText } from './training-report';

export async function checkpoints(
  workbench: Host,
  { id, machineId }: TrainingView,
  options: CliOptions,
): Promise<number> {
  const result = await ask(workbench, 'training.checkpoints', { trainingId: id });
  if (!result.ok) return printRefusal(result.error);
  if (options.flag('json')) return printJson(result.value);
  if (result.value.length === 0) printStatus('It has no checkpoints yet.');
  const rows = result.value.map((checkpoint) => [
    checkpoint.id,
    checkpoint.agentId,
    String(checkpoint.step),
    checkpoint.bytes === null ? '-' : `${(checkpoint.bytes / 1e6).toFixed(1)} MB`,
    checkpoint.canServe ? 'yes' : 'no',
    checkpoint.copy ?? (machineId === LOCAL_MACHINE ? checkpoint.path : `${machineId}:${checkpoint.path}`),
  ]);
  if (rows.length > 0) {
    const titles = ['checkpoint', 'agent', 'step', 'size', 'can be served', 'path'];
    process.stdout.write(`${columns(titles, rows).join('\n')}\n`);
  }
  return EXIT.done;
}

export async function fetchCheckpoint(
  workbench: Host,
  { id, machineId }: TrainingView,
  options: CliOptions,
): Promise<number> {
  const checkpointId = options.word(1, 'The checkpoint');
  const all = await ask(workbench, 'training.checkpoints', { trainingId: id });
  if (!all.ok) return printRefusal(all.error);
  const checkpoint = all.value.find((listed) => listed.id === checkpointId);
  if (machineId !== LOCAL_MACHINE && checkpoint !== undefined && checkpoint.copy === undefined) {
    const size = checkpoint.bytes === null ? '' : `${(checkpoint.bytes / 1e6).toFixed(1)} MB `;
    printStatus(`Copying ${size}from ${machineId}:${checkpoint.path}`);
  }
  const fetched = await ask(workbench, 'training.fetchCheckpoint', { trainingId: id, checkpointId });
  if (!fetched.ok) return printRefusal(fetched.error);
  if (options.flag('json')) return printJson(fetched.value);
  process.stdout.write(`${fetched.value.path}\n`);
  return EXIT.done;
}

export async function curves(workbench: Host, { id }: TrainingView, options: CliOptions): Promise<number> {
  const points = options.count('points', 10, 100_000) ?? 100_000;
  const result = await ask(workbench, 'training.curves', { trainingId: id, points });
  if (!result.ok) return printRefusal(result.error);
  if (options.flag('json')) return printJson(result.value);
  const text = curvesCsv(result.value);
  const out = options.text('out');
  if (out === undefined) process.stdout.write(text);
  else {
    const path = resolve(out);
    try {
      await replaceUserFile(path, text);
    } catch (error) {
      throw new UsageError(
        `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    printStatus(`${counted(result.value.length, 'curve')} written to ${path}`);
  }
  return EXIT.done;
}

export async function rollouts(workbench: Host, { id }: TrainingView, options: CliOptions): Promise<number> {
  const limit = options.count('limit', 1, 200) ?? 5;
  const result = await ask(workbench, 'training.rollouts', { trainingId: id, limit });
  if (!result.ok) return printRefusal(result.error);
  if (options.flag('json')) return printJson(result.value);
  for (const rollout of result.value) {
    const reward = rollout.reward === null ? '' : `, reward ${rollout.reward}`;
    const advantage = rollout.advantage === null ? '' : `, advantage ${rollout.advantage.toPrecision(3)}`;
    process.stdout.write(
      `--- ${rollout.agentId}, step ${rollout.step}, ${rollout.problemId}${reward}${advantage}\n${rollout.answer.trimEnd()}\n`,
    );
  }
  if (result.value.length === 0) printStatus('It has kept no samples yet.');
  return EXIT.done;
}

export async function evaluation(workbench: Host, view: TrainingView, options: CliOptions): Promise<number> {
  const result = await ask(workbench, 'training.evaluation', { trainingId: view.id });
  if (!result.ok) return printRefusal(result.error);
  if (options.flag('json')) return printJson(result.value);
  if (result.value === null) {
    const measured = measuredSoFarText(view) ?? 'The trainer has evaluated nothing yet.';
    printStatus(`${measured} See its curves with: mars2 trainings curves`);
    return EXIT.failed;
  }
  if (options.flag('csv') && result.value.before === undefined) {
    printStatus('It was not evaluated before its first update: there is nothing to compare.');
    return EXIT.failed;
  }
  process.stdout.write(
    options.flag('csv') ? beforeAfterCsv(result.value) : evaluationText(result.value, view),
  );
  return EXIT.done;
}

export async function recipes(workbench: Host, options: CliOptions): Promise<number> {
  const result = await ask(workbench, 'recipe.list', {});
  if (!result.ok) return printRefusal(result.error);
  if (options.flag('json')) return printJson(result.value);
  for (const recipe of result.value.recipes) {
    const { id, name, about, homepage } = recipe;
    process.stdout.write(`${id}\n  ${name}. ${about}\n  ${checkedText(recipe)}\n  ${homepage}\n`);
    for (const field of recipe.fields) {
      const own = field.default === '' ? (field.required ? 'needed' : 'may be left out') : field.default;
      process.stdout.write(`    ${field.name} (${own})  ${field.label}. ${field.help}\n`);
    }
  }
  for (const problem of result.value.problems) printStatus(problem);
  return EXIT.done;
}
