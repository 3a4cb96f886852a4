import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type GpuDay, gpuDayRequestSchema, type Refusal } from '../../preload/contract/index';
import { GPU_DAY_COLUMNS, gpuDayCell, gpuDayDevice, gpuDayTeams } from '../../preload/contract/plans/index';
import { replaceUserFile } from '../storage/index';
import { type CliOptions, definedOnly, UsageError } from './cli-options';
import { duration } from './experiment-report';
import { type CommandSpec, JSON_OPTION, option } from './grammar';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';
import { columns } from './report';
import { withTaskProgress } from './task-progress';

const MAX_FILE_BYTES = 1_000_000;

export const gpuDayCommand: CommandSpec = {
  usage: 'gpu-day <machine>',
  about: 'prove the whole path on a machine with a GPU, in two hours or less',
  details: `Trains a small model by our trainer with each way of publishing weights to vLLM (and SGLang,
where it is named), compares log-probabilities of writer and learner, lets the engine sleep,
and searches problems by three teams on a real vLLM. A step that fails does not stop the others. Later plans
of trainings on this machine use the speed that was measured. After Ctrl+C, the same command
continues after the steps that are done.

The file of --out names no host, user or folder: another lab can take it with --take. Without
--benchmark, one of the library whose id begins with livecodebench is used.
A rehearsal: --rehearse --updates 4 --batch 16 --max-tokens 64 --problems 6, and any benchmark with
tests, e.g. first-functions (mars2 benchmarks import resources/benchmarks/first-functions.jsonl).

Exit code 1 when a step failed, 130 after Ctrl+C.`,
  options: [
    option('--model <folder>', 'a small language model there (Hugging Face), e.g. Qwen3-0.6B'),
    option('--python <path>', 'Python there with torch, transformers and peft (default: the prepared one)'),
    option('--vllm <path>', 'Python there with vLLM (default: the same)'),
    option('--sglang <path>', 'Python there with SGLang (default: its steps are left out)'),
    option('--benchmark <id>', 'problems of the library (default: LiveCodeBench)'),
    option('--problems <n>', 'problems of the search, 1 to 200 (default: 20)'),
    option('--updates <n>', 'updates of the step "reload", 1 to 200 (default: 20); the others make 2 or 3'),
    option('--batch <n>', 'answers of one update, 8 to 1024 (default: 32)'),
    option('--max-tokens <n>', 'longest answer in tokens (default: 2048)'),
    option('--rehearse', 'on processors: shows that the steps work, measures nothing of a GPU'),
    option('--take <file>', 'run nothing: read the results of another machine of this kind from a file'),
    option('--out <file>', 'write the results to a file'),
    JSON_OPTION,
  ],
  run: gpuDay,
};

async function gpuDay(workbench: Host, options: CliOptions): Promise<number> {
  const machineId = options.word(0, 'The machine');
  const file = options.text('take');
  const answer =
    file === undefined
      ? await withTaskProgress(workbench, 'gpu-day', async () =>
          ask(workbench, 'machine.gpuDay', await requestOf(workbench, machineId, options)),
        )
      : await taken(workbench, machineId, file);
  if (!answer.ok) return printRefusal(answer.error);
  const day = answer.value;
  if (file !== undefined) printStatus(`Results taken over: plans of trainings on ${machineId} now use them.`);
  const out = options.text('out');
  if (out !== undefined) {
    await replaceUserFile(resolve(out), `${JSON.stringify(day, null, 2)}\n`);
    printStatus(`Written: ${resolve(out)}`);
  }
  if (options.flag('json')) printJson(day);
  else process.stdout.write(gpuDayText(day));
  const hasFailed = file === undefined && day.steps.some(({ state }) => state === 'failed');
  return hasFailed ? EXIT.failed : EXIT.done;
}

async function requestOf(workbench: Host, machineId: string, options: CliOptions) {
  return gpuDayRequestSchema.parse({
    machineId,
    model: options.required('model'),
    benchmarkId: options.text('benchmark') ?? (await ownLiveCodeBench(workbench)),
    rehearse: options.flag('rehearse'),
    ...definedOnly({
      python: options.text('python'),
      vllm: options.text('vllm'),
      sglang: options.text('sglang'),
      problems: options.count('problems', 1, 200),
      updates: options.count('updates', 1, 200),
      maxTokens: options.count('max-tokens', 1, 32_768),
      batch: options.count('batch', 8, 1_024),
    }),
  });
}

async function ownLiveCodeBench(workbench: Host): Promise<string> {
  const listed = await ask(workbench, 'benchmark.list', {});
  const benchmark = listed.ok ? listed.value.findLast(({ id }) => id.startsWith('livecodebench')) : undefined;
  if (benchmark === undefined)
    throw new UsageError(
      'The library has no LiveCodeBench: import it (mars2 benchmarks import FILE), or name another benchmark with --benchmark.',
    );
  return benchmark.id;
}

async function taken(
  workbench: Host,
  machineId: string,
  file: string,
): Promise<{ ok: true; value: GpuDay } | { ok: false; error: Refusal }> {
  const path = resolve(file);
  const size = await stat(path).catch(() => null);
  if (size === null || !size.isFile() || size.size > MAX_FILE_BYTES) {
    const message = `${path} is ${size === null ? 'not there' : 'no file of results'}.`;
    return { ok: false, error: { code: 'bad-input', message } };
  }
  return ask(workbench, 'machine.takeGpuDay', { machineId, text: await readFile(path, 'utf8') });
}

/** Device, then a line for each step with its measures, then why steps failed. */
function gpuDayText(day: GpuDay): string {
  const { model, steps } = day;
  const head = ['step', 'state', 'time', ...GPU_DAY_COLUMNS.map(({ title }) => title)];
  const rows = steps.map((step) => [
    step.title,
    step.state === 'left-out' ? 'left out' : step.state,
    duration(step.seconds),
    ...GPU_DAY_COLUMNS.map(({ key, digits }) => gpuDayCell(step, key, digits)),
  ]);
  const lines = [
    gpuDayDevice(day),
    `Model: ${model.name}`,
    ...columns(head, rows),
    ...GPU_DAY_COLUMNS.map(({ title, about }) => `${title}: ${about}`),
    ...gpuDayTeams(day),
    ...steps.flatMap(({ title, why }) => (why === null ? [] : [`${title}: ${why}`])),
  ];
  return `${lines.join('\n')}\n`;
}
