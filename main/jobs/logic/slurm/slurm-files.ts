import { shellWord, shellWords } from '../../../base';
import { JOB_MARK, JOB_WRAPPER } from '../job-wrapper';

/**
 * Names in the folder `slurm-ATTEMPT` of a job: what is to be known of a start in Slurm, whose own memory is short
 * (five minutes after the end, where nobody keeps accounts).
 */
export const slurmFiles = {
  /** The batch script. Written before Slurm is asked: where it is absent, nothing was ever submitted. */
  script: 'script.sh',
  /** Written after Slurm accepted it: "1234", or "1234_7" of an array. */
  reference: 'reference',
  /** Written by the batch script as its first act, by one of any number of them: its own reference. */
  claim: 'claim',
  /** "NAME INDEX FOLDER" of the array that it was submitted in; absent for a job of its own. */
  array: 'array',
  /** What Slurm itself writes about the job, e.g. why it ended it. */
  log: 'log',
} as const;

export function slurmFolder(folder: string, attempt: number): string {
  return `${folder}/slurm-${attempt}`;
}

/** Exit code of a batch script whose attempt another one has begun: a job that Slurm put back into its queue. */
export const BEGUN_BEFORE = 75;

/**
 * The batch script of one start. Only one of any number of them goes on to the wrapper, however often Slurm begins
 * it: `set -C` makes the claim a new file or nothing.
 */
export function batchScript(job: {
  readonly id: string;
  readonly attempt: number;
  readonly folder: string;
  readonly cwd: string | null;
  readonly freshFiles: readonly string[];
}): string {
  const { id, attempt, folder } = job;
  const args = shellWords([folder, `${attempt}`, job.cwd ?? folder, ...job.freshFiles]);
  return `#!/bin/sh
own=${shellWord(slurmFolder(folder, attempt))}
if ! cd "$own"; then
  echo "$(uname -n) does not see the job's folder: it has to be on a disk that the login node and the nodes share"
  exit 125
fi
reference=\${SLURM_ARRAY_JOB_ID:+\${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID}
if ! (set -C && echo "\${reference:-$SLURM_JOB_ID}" >${slurmFiles.claim}) 2>/dev/null; then
  [ -s ${slurmFiles.claim} ] && exit ${BEGUN_BEFORE}
  echo "nothing could be written into $own"
  exit 125
fi
${JOB_MARK}=${shellWord(id)}
export ${JOB_MARK}
exec /bin/sh -c ${shellWord(JOB_WRAPPER)} mars2-job ${args}
`;
}

/**
 * The batch script of an array. Its folder holds a link per element to the `slurm-ATTEMPT` of that job, so that each
 * writes into its own from the beginning; a link goes when its element begins, the folder with the last.
 */
export function arrayScript(arrayFolder: string): string {
  return `#!/bin/sh
link=${shellWord(arrayFolder)}/$SLURM_ARRAY_TASK_ID
if ! own=$(cd "$link" && pwd -P); then
  echo "$(uname -n) does not see the job's folder: it has to be on a disk that the login node and the nodes share"
  exit 125
fi
rm -f "$link"
rmdir ${shellWord(arrayFolder)} 2>/dev/null
exec /bin/sh "$own/${slurmFiles.script}"
`;
}

/**
 * The name of a start in Slurm: readable in `squeue`, and no other start of any job has it, so that a start whose
 * answer was lost is found by it. Plain letters: a name is also a filter.
 */
export function slurmName(name: string, id: string, attempt: number): string {
  const readable = name.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 40);
  return `${readable}.${id}.${attempt}`;
}

/** A path for --output, where "%" begins a pattern. */
export function outputPattern(path: string): string {
  return path.replaceAll('%', '%%');
}
