import type { Refusal } from '../../../preload/contract';
import { failed, ok, type Result } from '../../base';
import type { AsyncResult, Machine } from '../../machines';
import type { StartedJob } from '../job-starter';
import { type JobTraces, type ProbedMachine, parseProbe } from '../logic/probe-script';
import { CLUSTER_SCRIPT, parseCluster, type SlurmCluster } from '../logic/slurm/cluster';
import { NO_SLURM } from '../logic/slurm/environment';
import type { QueueRow } from '../logic/slurm/queue';
import { noSlurm, slurmRefusal } from '../logic/slurm/refusals';
import { slurmName } from '../logic/slurm/slurm-files';
import {
  type AttemptNotes,
  accountingLookupScript,
  findInQueue,
  parseAccountingLookup,
  parseSurvey,
  type Survey,
  surveyInput,
  surveyScript,
} from '../logic/slurm/survey';

const SURVEY_TIMEOUT_MS = 60_000;
const ACCOUNTING_TIMEOUT_MS = 60_000;

export type SurveyResult = Omit<Survey, 'probe'> & {
  readonly here: ProbedMachine;
  readonly traces: readonly JobTraces[];
};

/**
 * Queries Slurm and the files for these attempts. It is not an error if Slurm does not answer: the files are still read.
 * With `rows`, recently cached rows, Slurm is not queried.
 */
export async function survey(
  machine: Machine,
  jobs: ReadonlyArray<{ readonly folder: string; readonly attempt: number }>,
  rows: readonly QueueRow[] | null = null,
): AsyncResult<SurveyResult> {
  const result = await machine.run(surveyScript(rows === null), {
    stdin: surveyInput(jobs),
    timeoutMs: SURVEY_TIMEOUT_MS,
  });
  if (!result.ok) return result;
  const parsed = parseSurvey(result.value.stdout, jobs.length);
  const folders = jobs.map(({ folder }) => folder);
  const probe = parsed === null ? null : parseProbe(parsed.probe, folders);
  if (parsed === null || probe === null) {
    const output = result.value.stderr.trim().slice(-300) || 'no output';
    return failed({
      code: 'unavailable',
      message: `"${machine.spec.name}" returned no readable state of its jobs: ${output}.`,
    });
  }
  return ok({ ...parsed, queue: rows ?? parsed.queue, here: probe.machine, traces: probe.jobs });
}

/** Searches Slurm's accounting for a submitted attempt that is not in its queue. */
export async function referenceFromAccounting(
  machine: Machine,
  name: string,
  notes: AttemptNotes,
): Promise<Result<{ readonly reference: string }, Refusal> | 'missing'> {
  const result = await machine.run(accountingLookupScript(notes.array?.name ?? name), {
    timeoutMs: ACCOUNTING_TIMEOUT_MS,
  });
  if (!result.ok) return failed({ ...result.error, code: 'unreachable' });
  const reference = parseAccountingLookup(result.value.stdout, notes.array?.index ?? null);
  return reference === null ? 'missing' : ok({ reference });
}

/** An attempt's name in Slurm; an element of an array has the name of the array's first job. */
export function slurmNameOf({ id, attempt, spec }: StartedJob): string {
  return slurmName(spec.name, id, attempt);
}

/** Slurm's job id of an attempt and its row in the queue, as far as known. */
export function locateInQueue(
  job: StartedJob,
  notes: AttemptNotes,
  queue: readonly QueueRow[] | null,
): ReturnType<typeof findInQueue> {
  return findInQueue({ name: slurmNameOf(job), reference: job.reference, notes }, queue ?? []);
}

const CLUSTER_TIMEOUT_MS = 60_000;

/** Current partitions, nodes, GPUs and limits of a cluster, queried on its login node. */
export async function readCluster(machine: Machine): AsyncResult<SlurmCluster> {
  const result = await machine.run(CLUSTER_SCRIPT, { timeoutMs: CLUSTER_TIMEOUT_MS });
  if (!result.ok) return result;
  const { code, stdout, stderr } = result.value;
  if (code === NO_SLURM) return failed(noSlurm(machine.spec.name));
  if (code !== 0) return failed(slurmRefusal(stderr, machine.spec.name, 'to describe the cluster'));
  return ok(parseCluster(stdout));
}
