import type { JobResources, Refusal, SlurmDefaults } from '../../../../preload/contract';
import { failed, ok, type Result } from '../../../base';

/** What the workbench itself says to sbatch: another value of these would lose the job, its log or its state. */
const OUR_WORDS = [
  'array',
  'chdir',
  'clusters',
  'error',
  'input',
  'job-name',
  'no-requeue',
  'open-mode',
  'output',
  'parsable',
  'requeue',
  'test-only',
  'wait',
  'wrap',
];
const OUR_LETTERS = 'aDMeiJoW';
/** Letters that take no value, so that another may follow in the same word. */
const PLAIN_LETTERS = 'HIkOQsv';

/** Options that ask for GPUs in words of their own: then ours would ask for others beside them. */
const GPU_OPTION = /^(-G.*|--(gpus|gpus-per-\w+|gres|tres-per-\w+)(=.*)?)$/;

/**
 * The options of one sbatch that say what a job gets. `--no-requeue`: whether a job that lost its node begins again
 * is the workbench's decision (the job's retry policy), and Slurm starting it behind our back would run it twice.
 * The lab's own options come last, so that they win over what we derive.
 */
export function resourceOptions(
  resources: JobResources,
  defaults: SlurmDefaults,
): Result<readonly string[], Refusal> {
  if (resources.gpuIds !== null && resources.gpuIds.length > 0) {
    return refused(
      'Slurm chooses the GPUs itself: single ones can not be asked for.',
      'Ask for a number of GPUs.',
    );
  }
  const partition = resources.partition || defaults.partition;
  const account = resources.account || defaults.account;
  const own = [...optionWords(defaults.options), ...optionWords(resources.slurmOptions ?? '')];
  const ours = own.find(belongsToUs);
  if (ours !== undefined) {
    return refused(
      `The option ${ours} of sbatch belongs to the workbench: without its own it would lose sight of the job.`,
      'Remove it from the Slurm options of the machine or the job.',
    );
  }
  const stray = own.find((word, index) => !word.startsWith('-') && !takesValue(own[index - 1] ?? ''));
  if (stray !== undefined) {
    return refused(
      `"${stray}" in the Slurm options is no option of sbatch, nor the value of one.`,
      'Options begin with "-", e.g. --qos=long --constraint=h100.',
    );
  }
  const hasOwnGpus = own.some((word) => GPU_OPTION.test(word));
  return ok([
    '--no-requeue',
    `--time=${resources.minutes ?? defaults.minutes}`,
    ...(resources.gpus > 0 && !hasOwnGpus ? [`--gres=gpu:${resources.gpus}`] : []),
    ...(partition === '' ? [] : [`--partition=${partition}`]),
    ...(account === '' ? [] : [`--account=${account}`]),
    ...own,
  ]);
}

function refused(message: string, hint: string): Result<never, Refusal> {
  return failed({ code: 'bad-input', message, hint });
}

/** An option whose value may be the next word: "--qos" and "-q", not "--qos=long" and "-qlong". */
function takesValue(word: string): boolean {
  return /^(--[^=]+|-.)$/.test(word);
}

/** Also the short forms that sbatch takes: "--out=x" for --output, "-Ha1-3" for -H and -a. */
function belongsToUs(word: string): boolean {
  if (word.startsWith('--')) {
    const name = word.slice(2).split('=')[0] ?? '';
    return OUR_WORDS.some((ours) => ours.startsWith(name));
  }
  if (!word.startsWith('-')) return false;
  const letter = [...word.slice(1)].find((one) => !PLAIN_LETTERS.includes(one)) ?? '';
  return letter !== '' && OUR_LETTERS.includes(letter);
}

/** Words as a shell would read them, without its expansions: spaces part, single and double quotes hold together. */
export function optionWords(line: string): readonly string[] {
  return [...line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ''),
  );
}
