import type { GpuCurve, GpuCurves, JobView } from '../../preload/contract/index';
import { gibText } from '../../preload/contract/plans/index';
import type { CliOptions } from './cli-options';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';
import { columns } from './report';

/** More than are held of a GPU. */
const ALL_POINTS = 5_000;

/**
 * Prints what the GPUs of a job did: a line each, or with --csv or --json all samples that are held. Without any, in
 * every form, it says why and the exit code is that of a failure.
 */
export async function printGpus(workbench: Host, job: JobView, options: CliOptions): Promise<number> {
  const curves = await ask(workbench, 'job.gpus', { jobId: job.id, points: ALL_POINTS });
  if (!curves.ok) return printRefusal(curves.error);
  if (options.flag('json')) printJson(curves.value);
  if (curves.value.gpus.length === 0) {
    printStatus(`No samples: ${noSamplesReason(job)}.`);
    return EXIT.failed;
  }
  if (options.flag('json')) return EXIT.done;
  const lines = options.flag('csv')
    ? csvOf(curves.value)
    : columns(
        ['GPU', 'mean use', 'last use', 'most memory', 'mean power', 'hottest'],
        curves.value.gpus.map(rowOf),
      );
  process.stdout.write(`${lines.join('\n')}\n`);
  return EXIT.done;
}

function noSamplesReason({ resources, startedAt }: JobView): string {
  if (resources.gpus === 0 && (resources.gpuIds ?? []).length === 0) return 'the job asked for no GPUs';
  if (startedAt === null) return 'the job has not started';
  return 'the job sees no NVIDIA GPUs (CUDA_VISIBLE_DEVICES), or was started by an older workbench';
}

function rowOf(gpu: GpuCurve): string[] {
  const { use, memoryMib, memoryTotalMib, powerW, temperatureC } = gpu;
  const total = memoryTotalMib === null ? '' : ` of ${gibText(memoryTotalMib)}`;
  return [
    String(gpu.gpu),
    shown(meanOf(use), (value) => `${Math.round(value)} %`),
    shown(use.at(-1) ?? null, (value) => `${Math.round(value)} %`),
    shown(mostOf(memoryMib), (value) => `${gibText(value)}${total} GiB`),
    shown(meanOf(powerW), (value) => `${Math.round(value)} W`),
    shown(mostOf(temperatureC), (value) => `${value} °C`),
  ];
}

function csvOf({ fromMs, gpus }: GpuCurves): string[] {
  const rows = gpus.flatMap((gpu) =>
    gpu.seconds.map((seconds, at) =>
      [
        new Date((fromMs ?? 0) + seconds * 1_000).toISOString(),
        gpu.gpu,
        gpu.use[at],
        gpu.memoryMib[at],
        gpu.memoryTotalMib,
        gpu.powerW[at],
        gpu.temperatureC[at],
      ]
        .map((cell) => cell ?? '')
        .join(','),
    ),
  );
  return ['time,gpu,use_percent,memory_mib,memory_total_mib,power_w,temperature_c', ...rows];
}

const shown = (value: number | null, text: (value: number) => string): string =>
  value === null ? 'not reported' : text(value);

const known = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);

function meanOf(values: readonly (number | null)[]): number | null {
  const all = known(values);
  return all.length === 0 ? null : all.reduce((sum, value) => sum + value, 0) / all.length;
}

function mostOf(values: readonly (number | null)[]): number | null {
  const all = known(values);
  return all.length === 0 ? null : all.reduce((most, value) => Math.max(most, value));
}
