import type { Refusal } from '../../../preload/contract';
import { failed, ok, type Result } from '../../base';
import type { Asked, Machine } from '../../machines';
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
import { bookedReference, nameOf, placeOf, survey } from './survey';

/** sbatch tries again for a while by itself when the controller is busy. */
const SUBMIT_TIMEOUT_MS = 180_000;
const CONFIG_TIMEOUT_MS = 30_000;
/** Elements that an array may have where nobody configured otherwise (`MaxArraySize` is one more). */
const USUAL_ARRAY_SIZE = 1_000;
/** So many go into an array without a question: nobody allows less. */
const SMALL_ARRAY = 50;

export type Started = Result<{ readonly reference: string | null }, Refusal>;

/**
 * Starts jobs of one machine: those that ask for the same together, as elements of one array, which is one call of
 * sbatch. What has begun, or waits in Slurm's queue, is found again and not started twice.
 */
export async function startInSlurm(jobs: readonly StartedJob[]): Promise<readonly Started[]> {
  const machine = jobs[0]?.machine;
  if (machine === undefined) return [];
  const found = await findStarts(machine, jobs);
  if (!found.ok) return jobs.map(() => found);
  const answers = new Map<number, Started>();
  const groups = new Map<string, { readonly options: readonly string[]; readonly members: number[] }>();
  for (const [index, job] of jobs.entries()) {
    const before = found.value[index] ?? 'missing';
    const options = optionsFor(job);
    if (before !== 'missing') answers.set(index, before);
    else if (!options.ok) answers.set(index, options);
    else {
      // Those of a folder that is not there are refused together, and nobody else with them.
      const key = [...options.value, job.order.cwd].join('\n');
      const group = groups.get(key) ?? { options: options.value, members: [] };
      group.members.push(index);
      groups.set(key, group);
    }
  }
  for (const { options, members } of groups.values()) {
    const most = members.length <= SMALL_ARRAY ? SMALL_ARRAY : await arraySize(machine);
    for (let at = 0; at < members.length; at += most) {
      const chunk = members.slice(at, at + most);
      const started = await submitTogether(
        machine,
        chunk.flatMap((index) => jobs[index] ?? []),
        options,
      );
      for (const [place, index] of chunk.entries()) {
        answers.set(index, started.ok ? ok({ reference: started.value[place] ?? null }) : started);
      }
    }
  }
  return jobs.map((_, index) => answers.get(index) ?? failed(noAnswer(machine.spec.name)));
}

/** `missing`: Slurm was not asked for it yet, or knows nothing of it. */
async function findStarts(
  machine: Machine,
  jobs: readonly StartedJob[],
): Asked<readonly (Started | 'missing')[]> {
  const seen = await survey(machine, jobs);
  if (!seen.ok) return seen;
  const { queue, notes, traces } = seen.value;
  const found = jobs.map(async (job, index): Promise<Started | 'missing'> => {
    const note = notes[index];
    if (note === undefined) return 'missing';
    const { reference } = placeOf(job, note, queue);
    if (reference !== null || traces[index]?.hasBegun === true) return ok({ reference });
    if (queue === null) {
      const { name } = machine.spec;
      const neverWas = seen.value.isSlurmMissing && !note.wasAsked;
      return failed(neverWas ? noSlurm(name) : unanswered(seen.value, name));
    }
    return note.wasAsked ? bookedReference(machine, nameOf(job), note) : 'missing';
  });
  return ok(await Promise.all(found));
}

async function arraySize(machine: Machine): Promise<number> {
  const told = await machine.run(ARRAY_SIZE_SCRIPT, { timeoutMs: CONFIG_TIMEOUT_MS });
  const size = told.ok ? Number.parseInt(told.value.stdout, 10) : Number.NaN;
  return size > SMALL_ARRAY ? size : USUAL_ARRAY_SIZE;
}

function optionsFor(job: StartedJob): Result<readonly string[], Refusal> {
  const { spec } = job.machine;
  if (spec.kind !== 'slurm') {
    return failed({ code: 'bad-input', message: `"${spec.name}" is no Slurm machine.` });
  }
  return resourceOptions(job.order.resources, spec.defaults);
}

/** The references, in the order of the jobs. */
async function submitTogether(
  machine: Machine,
  jobs: readonly StartedJob[],
  options: readonly string[],
): Asked<readonly string[]> {
  const [first] = jobs;
  if (first === undefined) return ok([]);
  const name = nameOf(first);
  if (jobs.length === 1) {
    const one = await submit(machine, submitScript(submissionOf(first), name, options));
    return one.ok ? ok([one.value]) : one;
  }
  const home = await machine.home();
  if (!home.ok) return home;
  const array = { name, folder: `${home.value}/slurm-arrays/${name}` };
  const many = await submit(machine, submitArrayScript(jobs.map(submissionOf), array, options));
  if (many.ok) return ok(jobs.map((_, index) => `${many.value}_${index}`));
  if (many.error.code !== 'unreachable') await machine.removeFolder(array.folder);
  return many;
}

function submissionOf({ id, folder, attempt, order, env, createdAt }: StartedJob): Submission {
  const command = commandFileText({ id, createdAt, spec: order });
  return {
    folder,
    attempt,
    cwd: order.cwd,
    files: [[jobFiles.command, command], ...scriptFiles(order, env)],
    script: batchScript({ id, folder, attempt, cwd: order.cwd, freshFiles: order.freshFiles }),
  };
}

async function submit(machine: Machine, script: string): Asked<string> {
  const done = await machine.run('exec /bin/sh -s', { stdin: script, timeoutMs: SUBMIT_TIMEOUT_MS });
  // Ended in the middle: Slurm may have it or not, so it has to be asked again.
  if (!done.ok) return failed({ ...done.error, code: 'unreachable' });
  const reference = parseSubmitted(done.value.stdout);
  return reference === null ? failed(notSubmitted(done.value, machine.spec.name)) : ok(reference);
}
