import type { Refusal } from '../../../preload/contract';
import { failed, ok, type Result } from '../../base';
import type { AsyncResult, Machine } from '../../machines';
import type { StartedJob } from '../job-starter';
import { commandFileText, jobFiles, scriptFiles } from '../logic/job-files';
import { noAnswer, noSlurm, notSubmitted, unanswered } from '../logic/slurm/refusals';
import { resourceOptions } from '../logic/slurm/sbatch-options';
import { batchScript } from '../logic/slurm/slurm-files';
import {
  ARRAY_SIZE_SCRIPT,
  parseSubmitted,
  type Submission,
  submitArrayScript,
  submitScript,
} from '../logic/slurm/submit';
import { locateInQueue, referenceFromAccounting, slurmNameOf, survey } from './survey';

/** sbatch retries by itself for a while if the controller is busy. */
const SUBMIT_TIMEOUT_MS = 180_000;
const CONFIG_TIMEOUT_MS = 30_000;
/** Slurm's default maximum number of array elements (`MaxArraySize` is one more). */
const DEFAULT_ARRAY_SIZE = 1_000;
/** Arrays up to this size are submitted without querying the limit: every cluster allows them. */
const SMALL_ARRAY = 50;

/** See `createDetachedStarter`. */
type StartOptions = { readonly logLimitBytes: number | null; readonly workbench: string };

export type Started = Result<{ readonly reference: string | null }, Refusal>;

/**
 * Starts jobs on one machine; equal resource requests become elements of one array, with one sbatch call. Attempts that
 * have started or are in Slurm's queue are found and not submitted again.
 */
export async function startInSlurm(
  jobs: readonly StartedJob[],
  startOptions: StartOptions,
): Promise<readonly Started[]> {
  const machine = jobs[0]?.machine;
  if (machine === undefined) return [];
  const existing = await findAttempts(machine, jobs);
  if (!existing.ok) return jobs.map(() => existing);
  const answers = new Map<number, Started>();
  const groups = new Map<string, { readonly options: readonly string[]; readonly members: number[] }>();
  for (const [index, job] of jobs.entries()) {
    const before = existing.value[index] ?? 'missing';
    const options = optionsFor(job);
    if (before !== 'missing') answers.set(index, before);
    else if (!options.ok) answers.set(index, options);
    else {
      // Grouped by working folder too, so that a missing folder refuses only its own jobs.
      const key = [...options.value, job.spec.cwd].join('\n');
      const group = groups.get(key) ?? { options: options.value, members: [] };
      group.members.push(index);
      groups.set(key, group);
    }
  }
  for (const { options, members } of groups.values()) {
    const most = members.length <= SMALL_ARRAY ? SMALL_ARRAY : await arraySize(machine);
    for (let at = 0; at < members.length; at += most) {
      const chunk = members.slice(at, at + most);
      const started = await submitArray(
        machine,
        chunk.flatMap((index) => jobs[index] ?? []),
        options,
        startOptions,
      );
      for (const [position, index] of chunk.entries()) {
        answers.set(index, started.ok ? ok({ reference: started.value[position] ?? null }) : started);
      }
    }
  }
  return jobs.map((_, index) => answers.get(index) ?? failed(noAnswer(machine.spec.name)));
}

/** `missing`: not submitted yet, or unknown to Slurm. */
async function findAttempts(
  machine: Machine,
  jobs: readonly StartedJob[],
): AsyncResult<readonly (Started | 'missing')[]> {
  const surveyed = await survey(machine, jobs);
  if (!surveyed.ok) return surveyed;
  const { queue, notes, traces } = surveyed.value;
  const attempts = jobs.map(async (job, index): Promise<Started | 'missing'> => {
    const note = notes[index];
    if (note === undefined) return 'missing';
    const { reference } = locateInQueue(job, note, queue);
    if (reference !== null || traces[index]?.hasStarted === true) return ok({ reference });
    if (queue === null) {
      const { name } = machine.spec;
      const isAbsent = surveyed.value.isSlurmMissing && !note.wasSubmitted;
      return failed(isAbsent ? noSlurm(name) : unanswered(surveyed.value, name));
    }
    return note.wasSubmitted ? referenceFromAccounting(machine, slurmNameOf(job), note) : 'missing';
  });
  return ok(await Promise.all(attempts));
}

async function arraySize(machine: Machine): Promise<number> {
  const result = await machine.run(ARRAY_SIZE_SCRIPT, { timeoutMs: CONFIG_TIMEOUT_MS });
  const size = result.ok ? Number.parseInt(result.value.stdout, 10) : Number.NaN;
  return size > SMALL_ARRAY ? size : DEFAULT_ARRAY_SIZE;
}

function optionsFor(job: StartedJob): Result<readonly string[], Refusal> {
  const { spec } = job.machine;
  if (spec.kind !== 'slurm') {
    return failed({ code: 'bad-input', message: `"${spec.name}" is not a Slurm machine.` });
  }
  return resourceOptions(job.spec.resources, spec.defaults);
}

/** Slurm's job ids, in the order of the jobs. */
async function submitArray(
  machine: Machine,
  jobs: readonly StartedJob[],
  options: readonly string[],
  startOptions: StartOptions,
): AsyncResult<readonly string[]> {
  const [first] = jobs;
  if (first === undefined) return ok([]);
  const name = slurmNameOf(first);
  if (jobs.length === 1) {
    const submitted = await submit(machine, submitScript(submissionOf(first, startOptions), name, options));
    return submitted.ok ? ok([submitted.value]) : submitted;
  }
  const home = await machine.home();
  if (!home.ok) return home;
  const array = { name, folder: `${home.value}/slurm-arrays/${name}` };
  const submissions = jobs.map((job) => submissionOf(job, startOptions));
  const many = await submit(machine, submitArrayScript(submissions, array, options));
  if (many.ok) return ok(jobs.map((_, index) => `${many.value}_${index}`));
  if (many.error.code !== 'unreachable') await machine.removeFolder(array.folder);
  return many;
}

function submissionOf(
  { id, folder, attempt, spec, env, createdAt }: StartedJob,
  { logLimitBytes, workbench }: StartOptions,
): Submission {
  const command = commandFileText({ id, createdAt, spec });
  return {
    folder,
    attempt,
    cwd: spec.cwd,
    files: [[jobFiles.command, command], ...scriptFiles(spec, env, workbench)],
    script: batchScript({ id, folder, attempt, cwd: spec.cwd, freshFiles: spec.freshFiles, logLimitBytes }),
  };
}

async function submit(machine: Machine, script: string): AsyncResult<string> {
  const done = await machine.run('exec /bin/sh -s', { stdin: script, timeoutMs: SUBMIT_TIMEOUT_MS });
  // Interrupted: Slurm may have accepted it or not, so it must be queried again.
  if (!done.ok) return failed({ ...done.error, code: 'unreachable' });
  const reference = parseSubmitted(done.value.stdout);
  return reference === null ? failed(notSubmitted(done.value, machine.spec.name)) : ok(reference);
}
