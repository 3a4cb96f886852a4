import type { Refusal } from '../../../../preload/contract';
import { NO_SLURM } from './environment';
import { submitCodes } from './submit';

/** Slurm's controller did not answer, or it is unknown whether it executed the request. */
const UNANSWERED =
  /Unable to contact slurm controller|Socket timed out|Connection (refused|timed out|reset)|Zero Bytes were transmitted|Transport endpoint is not connected|Unexpected message received|temporarily unable|in standby mode|Communication connection failure|Protocol authentication error|Munge/i;

/** sbatch message -> hint. First match wins. */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [/invalid partition/i, 'Choose one of the partitions that `sinfo` lists.'],
  [
    /invalid account|account\/partition combination/i,
    'Choose one of the accounts that `sacctmgr show assoc user=$USER` lists, or none.',
  ],
  [
    /QOS|policy|job submit limit/i,
    'You are at a limit of the cluster: wait for other jobs to end, or request less.',
  ],
  [/time limit/i, 'Request less time, or use a partition that allows more (`sinfo -o "%P %l"`).'],
  [/generic resource|gres/i, 'Request fewer GPUs, or use a partition that has some (`sinfo -o "%P %G"`).'],
  [/node configuration is not available|cannot be satisfied/i, 'No node has that much. Request less.'],
  [/array/i, 'Start fewer jobs at a time.'],
  [
    /unrecognized option|invalid option|Invalid --|Invalid numeric/i,
    'Correct the Slurm options of the machine.',
  ],
];

/** `output`: of Slurm's program; `action` completes "Slurm on NAME refused ...", e.g. "the job". */
export function slurmRefusal(output: string, machineName: string, action: string): Refusal {
  const text = lastLinesOf(output);
  if (UNANSWERED.test(output)) {
    return {
      code: 'unreachable',
      message: `Slurm on ${machineName} does not answer: ${text}. Running jobs continue; it is asked again later.`,
    };
  }
  const hint = HINTS.find(([pattern]) => pattern.test(output))?.[1];
  return {
    code: 'unavailable',
    message: `Slurm on ${machineName} refused ${action}: ${text}.`,
    ...(hint === undefined ? {} : { hint }),
  };
}

/** Lines of the output that are shown: a refusal because of limits takes two or three. */
const MAX_LINES = 3;

/** The last lines, without the program's name and the final full stop. */
function lastLinesOf(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.replace(/^(\w+: )?(error: |fatal: )?/, '').replace(/(?<![.\s])[.\s]+$/, ''))
    .filter((line) => line !== '');
  return lines.length === 0 ? 'it gave no reason' : lines.slice(-MAX_LINES).join('; ');
}

/** Slurm's programs were not found on the machine. */
export function noSlurm(machineName: string): Refusal {
  return {
    code: 'unavailable',
    message: `Slurm was not found on ${machineName}: squeue is not on the PATH.`,
    hint: "Choose a login node of the cluster, or load Slurm's module in the profile of your login shell there.",
  };
}

/** A script of `submit.ts` that ended without Slurm's job id. */
export function notSubmitted(
  end: { readonly code: number; readonly stdout: string; readonly stderr: string },
  machineName: string,
): Refusal {
  switch (end.code) {
    case submitCodes.noFolder:
      return {
        code: 'bad-input',
        message: `The working folder ${end.stdout.trim()} does not exist on "${machineName}".`,
        hint: 'Create it there, or choose another one.',
      };
    case submitCodes.notWritten:
      return {
        code: 'unavailable',
        message: `Cannot write the job's files on "${machineName}": ${lastLinesOf(end.stderr)}.`,
        hint: 'Check the free space and the quota of your home folder there.',
      };
    case NO_SLURM:
      return noSlurm(machineName);
    case submitCodes.refused:
      return slurmRefusal(end.stderr, machineName, 'the job');
    default:
      // Neither a job id nor an error: it must be searched for.
      return {
        code: 'unreachable',
        message: `Slurm on ${machineName} returned no id for the job: ${lastLinesOf(`${end.stdout}\n${end.stderr}`)}.`,
      };
  }
}

/** squeue was ended by its timeout. */
const NO_ANSWER = 'Socket timed out';

/** Slurm did not answer a query of its queue. */
export function unanswered(
  answer: { readonly output: string; readonly isSlurmMissing: boolean },
  machineName: string,
): Refusal {
  const refusal = answer.isSlurmMissing
    ? noSlurm(machineName)
    : slurmRefusal(answer.output.trim() || NO_ANSWER, machineName, 'to list its queue');
  return { ...refusal, code: 'unreachable' };
}

export function noAnswer(machineName: string): Refusal {
  return { code: 'unreachable', message: `Slurm on ${machineName} returned nothing about the job.` };
}
