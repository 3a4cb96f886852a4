import type { Refusal } from '../../../../preload/contract';
import { NO_SLURM } from './environment';
import { submitCodes } from './submit';

/** Slurm's controller did not answer, or we do not know what it did with what was asked. */
const UNANSWERED =
  /Unable to contact slurm controller|Socket timed out|Connection (refused|timed out|reset)|Zero Bytes were transmitted|Transport endpoint is not connected|Unexpected message received|temporarily unable|in standby mode|Communication connection failure|Protocol authentication error|Munge/i;

/** What sbatch says -> what to do. First match wins. */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [/invalid partition/i, 'Choose one of the partitions that `sinfo` lists.'],
  [
    /invalid account|account\/partition combination/i,
    'Choose one of the accounts that `sacctmgr show assoc user=$USER` lists, or none.',
  ],
  [
    /QOS|policy|job submit limit/i,
    'You are at a limit of the cluster: wait for other jobs to end, or ask for less.',
  ],
  [/time limit/i, 'Ask for less time, or for a partition that allows more (`sinfo -o "%P %l"`).'],
  [/generic resource|gres/i, 'Ask for fewer GPUs, or for a partition that has some (`sinfo -o "%P %G"`).'],
  [/node configuration is not available|cannot be satisfied/i, 'No node has that much. Ask for less.'],
  [/array/i, 'Start fewer jobs at a time.'],
  [
    /unrecognized option|invalid option|Invalid --|Invalid numeric/i,
    'Correct the Slurm options of the machine.',
  ],
];

/** `said` is what Slurm's program wrote; `doing` ends "Slurm on NAME refused ...", e.g. "the job". */
export function slurmRefusal(said: string, machineName: string, doing: string): Refusal {
  const text = lastWords(said);
  if (UNANSWERED.test(said)) {
    return {
      code: 'unreachable',
      message: `Slurm on ${machineName} does not answer: ${text}. What runs there goes on; it is asked again.`,
    };
  }
  const hint = HINTS.find(([pattern]) => pattern.test(said))?.[1];
  return {
    code: 'unavailable',
    message: `Slurm on ${machineName} refused ${doing}: ${text}.`,
    ...(hint === undefined ? {} : { hint }),
  };
}

/** Lines of an answer that are shown: a refusal of limits takes two or three. */
const MOST_LINES = 3;

/** The last lines, without the program's name in front and the full stop behind. */
function lastWords(said: string): string {
  const lines = said
    .split('\n')
    .map((line) => line.replace(/^(\w+: )?(error: |fatal: )?/, '').replace(/[.\s]+$/, ''))
    .filter((line) => line !== '');
  return lines.length === 0 ? 'it gave no reason' : lines.slice(-MOST_LINES).join('; ');
}

/** The machine has none of Slurm's programs where a script finds them. */
export function noSlurm(machineName: string): Refusal {
  return {
    code: 'unavailable',
    message: `There is no Slurm on ${machineName}: squeue is not on the PATH.`,
    hint: "Choose a login node of the cluster, or load Slurm's module in the profile of your login shell there.",
  };
}

/** `code` and words of a script of `submit.ts` that came back without Slurm's number. */
export function notSubmitted(
  end: { readonly code: number; readonly stdout: string; readonly stderr: string },
  machineName: string,
): Refusal {
  switch (end.code) {
    case submitCodes.noFolder:
      return {
        code: 'bad-input',
        message: `The working folder ${end.stdout.trim()} does not exist on "${machineName}".`,
        hint: 'Make it there, or name another one.',
      };
    case submitCodes.notWritten:
      return {
        code: 'unavailable',
        message: `The job's files could not be written on "${machineName}": ${lastWords(end.stderr)}.`,
        hint: 'Look at the free space and the quota of your home folder there.',
      };
    case NO_SLURM:
      return noSlurm(machineName);
    case submitCodes.refused:
      return slurmRefusal(end.stderr, machineName, 'the job');
    default:
      // Neither a number nor a word of what happened to it: it has to be looked for.
      return {
        code: 'unreachable',
        message: `Slurm on ${machineName} gave no number for the job: ${lastWords(`${end.stdout}\n${end.stderr}`)}.`,
      };
  }
}

/** Where squeue had to be ended. */
const NO_ANSWER = 'Socket timed out';

/** A question about the queue that came back without an answer. */
export function unanswered(
  seen: { readonly said: string; readonly isSlurmMissing: boolean },
  machineName: string,
): Refusal {
  const refusal = seen.isSlurmMissing
    ? noSlurm(machineName)
    : slurmRefusal(seen.said.trim() || NO_ANSWER, machineName, 'to tell of its queue');
  return { ...refusal, code: 'unreachable' };
}

export function noAnswer(machineName: string): Refusal {
  return { code: 'unreachable', message: `Slurm on ${machineName} said nothing about the job.` };
}
