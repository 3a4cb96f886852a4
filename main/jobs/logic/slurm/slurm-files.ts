import { shellWord, shellWords } from '../../../base';
import { JOB_MARK, JOB_WRAPPER } from '../job-wrapper';

/**
 * File names in the folder `slurm-ATTEMPT` of a job: everything about an attempt in Slurm, which forgets it soon (five
 * minutes after the end without accounting).
 */
export const slurmFiles = {
  /** The batch script. Written before submitting: if it is absent, nothing was submitted. */
  script: 'script.sh',
  /** Written after Slurm accepted it: "1234", or "1234_7" in an array. */
  reference: 'reference',
  /** Its own job id, written first by the batch script; only one of several duplicates succeeds. */
  claim: 'claim',
  /** "NAME INDEX FOLDER" of the array in which it was submitted; absent for a single job. */
  array: 'array',
  /** Slurm's own log of the job, e.g. why it ended it. */
  log: 'log',
} as const;

export function slurmFolder(folder: string, attempt: number): string {
  return `${folder}/slurm-${attempt}`;
}

/** Exit code of a batch script whose attempt was already started by another: a job that Slurm requeued. */
export const ALREADY_STARTED = 75;

/**
 * The batch script of one attempt. Only one execution continues to the wrapper, however often Slurm starts it: `set -C`
 * creates the claim file exclusively.
 */
export function batchScript(job: {
  readonly id: string;
  readonly attempt: number;
  readonly folder: string;
  readonly cwd: string | null;
  readonly freshFiles: readonly string[];
  /** See `JOB_WRAPPER`. */
  readonly logLimitBytes: number | null;
}): string {
  const { id, attempt, folder, logLimitBytes } = job;
  const limit = `${logLimitBytes ?? 0}`;
  const args = shellWords([folder, `${attempt}`, job.cwd ?? folder, limit, ...job.freshFiles]);
  return `#!/bin/sh
own=${shellWord(slurmFolder(folder, attempt))}
if ! cd "$own"; then
  echo "$(uname -n) cannot see the job's folder: it must be on a disk shared by the login node and the nodes"
  exit 125
fi
reference=\${SLURM_ARRAY_JOB_ID:+\${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID}
if ! (set -C && echo "\${reference:-$SLURM_JOB_ID}" >${slurmFiles.claim}) 2>/dev/null; then
  [ -s ${slurmFiles.claim} ] && exit ${ALREADY_STARTED}
  echo "cannot write to $own"
  exit 125
fi
${JOB_MARK}=${shellWord(id)}
export ${JOB_MARK}
exec /bin/sh -c ${shellWord(JOB_WRAPPER)} mars2-job ${args}
`;
}

/**
 * The batch script of an array. Its folder has a link per element to that job's `slurm-ATTEMPT`, so that each element
 * writes its log there from the start. An element removes its link when it starts; the last one removes the folder.
 */
export function arrayScript(arrayFolder: string): string {
  return `#!/bin/sh
link=${shellWord(arrayFolder)}/$SLURM_ARRAY_TASK_ID
if ! own=$(cd "$link" && pwd -P); then
  echo "$(uname -n) cannot see the job's folder: it must be on a disk shared by the login node and the nodes"
  exit 125
fi
rm -f "$link"
rmdir ${shellWord(arrayFolder)} 2>/dev/null
exec /bin/sh "$own/${slurmFiles.script}"
`;
}

/**
 * An attempt's name in Slurm: readable in `squeue` and unique, so that an attempt whose submission result was lost can be
 * found. Plain characters, since names are also used as filters.
 */
export function slurmName(name: string, id: string, attempt: number): string {
  const readable = name.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 40);
  return `${readable}.${id}.${attempt}`;
}

/** A path for --output, where "%" begins a pattern. */
export function outputPattern(path: string): string {
  return path.replaceAll('%', '%%');
}
