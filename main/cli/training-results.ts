import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { TrainingView } from '../../preload/contract/index';
import { type CliOptions, UsageError } from './cli-options';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';
import { columns } from './report';
import { curvesCsv, evaluationText } from './training-report';

export async function checkpoints(
  workbench: Host,
  { id }: TrainingView,
  options: CliOptions,
): Promise<number> {
  const found = await ask(workbench, 'training.checkpoints', { trainingId: id });
  if (!found.ok) return printRefusal(found.error);
  if (options.flag('json')) return printJson(found.value);
  if (found.value.length === 0) printStatus('It has no checkpoints yet.');
  const rows = found.value.map((checkpoint) => [
    checkpoint.id,
    checkpoint.agentId,
    String(checkpoint.step),
    checkpoint.bytes === null ? '-' : `${(checkpoint.bytes / 1e6).toFixed(1)} MB`,
    checkpoint.canServe ? 'yes' : 'no',
    checkpoint.path,
  ]);
  if (rows.length > 0) {
    const titles = ['checkpoint', 'agent', 'step', 'size', 'can be served', 'path'];
    process.stdout.write(`${columns(titles, rows).join('\n')}\n`);
  }
  return EXIT.done;
}

export async function curves(workbench: Host, { id }: TrainingView, options: CliOptions): Promise<number> {
  const points = options.count('points', 10, 100_000) ?? 100_000;
  const found = await ask(workbench, 'training.curves', { trainingId: id, points });
  if (!found.ok) return printRefusal(found.error);
  if (options.flag('json')) return printJson(found.value);
  const text = curvesCsv(found.value);
  const out = options.text('out');
  if (out === undefined) process.stdout.write(text);
  else {
    const path = resolve(out);
    try {
      await writeFile(path, text);
    } catch (error) {
      throw new UsageError(
        `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    printStatus(`${found.value.length} curves written to ${path}`);
  }
  return EXIT.done;
}

export async function rollouts(workbench: Host, { id }: TrainingView, options: CliOptions): Promise<number> {
  const limit = options.count('limit', 1, 200) ?? 5;
  const found = await ask(workbench, 'training.rollouts', { trainingId: id, limit });
  if (!found.ok) return printRefusal(found.error);
  if (options.flag('json')) return printJson(found.value);
  for (const rollout of found.value) {
    const reward = rollout.reward === null ? '' : `, reward ${rollout.reward}`;
    const advantage = rollout.advantage === null ? '' : `, advantage ${rollout.advantage.toPrecision(3)}`;
    process.stdout.write(
      `--- ${rollout.agentId}, step ${rollout.step}, ${rollout.problemId}${reward}${advantage}\n${rollout.answer.trimEnd()}\n`,
    );
  }
  if (found.value.length === 0) printStatus('It has kept no samples yet.');
  return EXIT.done;
}

export async function evaluation(workbench: Host, view: TrainingView, options: CliOptions): Promise<number> {
  const found = await ask(workbench, 'training.evaluation', { trainingId: view.id });
  if (!found.ok) return printRefusal(found.error);
  if (options.flag('json')) return printJson(found.value);
  if (found.value === null) {
    printStatus('The trainer has measured nothing (yet). Its curves may: mars2 trainings curves');
    return EXIT.failed;
  }
  process.stdout.write(evaluationText(found.value, view));
  return EXIT.done;
}

export async function recipes(workbench: Host, options: CliOptions): Promise<number> {
  const found = await ask(workbench, 'recipe.list', {});
  if (!found.ok) return printRefusal(found.error);
  if (options.flag('json')) return printJson(found.value);
  for (const { id, name, about, homepage, fields } of found.value.recipes) {
    process.stdout.write(`${id}\n  ${name}. ${about}\n  ${homepage}\n`);
    for (const field of fields) {
      const own = field.default === '' ? (field.required ? 'needed' : 'may be left out') : field.default;
      process.stdout.write(`    ${field.name} (${own})  ${field.label}. ${field.help}\n`);
    }
  }
  for (const problem of found.value.problems) printStatus(problem);
  return EXIT.done;
}
