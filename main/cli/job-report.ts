import { idleGpusLabel, type JobView, type Refusal, wasStopped } from '../../preload/contract/index';
import { localTime } from '../../preload/contract/plans/index';
import { assertNever, type Result } from '../base/index';
import type { CliOptions } from './cli-options';
import { EXIT, printJson, printRefusal, printStatus } from './host';
import { columns } from './report';

export function printJob(result: Result<JobView, Refusal>, options: CliOptions): number {
  if (!result.ok) return printRefusal(result.error);
  if (options.flag('json')) printJson(result.value);
  else process.stdout.write(`${result.value.id}  ${result.value.name}: ${jobText(result.value)}\n`);
  return EXIT.done;
}

export function printJobs(list: readonly JobView[], options: CliOptions): number {
  if (options.flag('json')) return printJson(list);
  if (list.length === 0)
    printStatus('There are no jobs. Start one with: mars2 jobs start MACHINE -- COMMAND');
  const rows = list.map((job) => [
    job.id.slice(0, 8),
    job.machineId,
    String(job.gpuIds.length || job.resources.gpus),
    jobText(job),
    job.name,
  ]);
  if (rows.length > 0) {
    process.stdout.write(`${columns(['job', 'machine', 'GPUs', 'state', 'name'], rows).join('\n')}\n`);
  }
  return EXIT.done;
}

export function jobText(job: JobView): string {
  const { state } = job;
  if (wasStopped(job)) return 'stopped';
  switch (state.kind) {
    case 'queued':
      return `queued: ${state.why}`;
    case 'starting':
      return 'starting';
    case 'running':
      return job.idleGpus === undefined ? 'running' : `running, ${idleGpusLabel(job.idleGpus)}`;
    case 'exited':
      return state.code === 0 ? 'done' : state.code === null ? 'killed' : `failed with code ${state.code}`;
    case 'lost':
      return `lost: ${state.why}`;
    case 'unknown':
      return `unknown since ${localTime(state.since)} (${state.last} when last seen)`;
    default:
      return assertNever(state);
  }
}
