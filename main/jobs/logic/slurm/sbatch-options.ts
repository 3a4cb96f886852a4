import type { JobResources, Refusal, SlurmDefaults } from '../../../../preload/contract';
import { failed, ok, type Result } from '../../../base';

/** Options that the workbench sets itself: other values would lose the job, its log or its state. */
const RESERVED_OPTIONS = [
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
const RESERVED_LETTERS = 'aDMeiJoW';
/** Short options without a value, which can be combined in one word. */
const FLAG_LETTERS = 'HIkOQsv';

/** Options that request GPUs: with one of these, ours would request additional ones. */
const GPU_OPTION = /^(-G.*|--(gpus|gpus-per-\w+|gres|tres-per-\w+)(=.*)?)$/;

/**
 * The sbatch options for a job's resources. `--no-requeue`: the job's retry policy decides whether it is restarted after a
 * node failure; a requeue by Slurm would run it twice. The lab's own options come last, so that they take precedence.
 */
export function resourceOptions(
  resources: JobResources,
  defaults: SlurmDefaults,
): Result<readonly string[], Refusal> {
  if (resources.gpuIds !== null && resources.gpuIds.length > 0) {
    return refused(
      'Slurm chooses the GPUs itself: you cannot request specific ones.',
      'Request a number of GPUs.',
    );
  }
  const partition = resources.partition || defaults.partition;
  const account = resources.account || defaults.account;
  const own = [...splitOptions(defaults.options), ...splitOptions(resources.slurmOptions ?? '')];
  const reserved = own.find(isReserved);
  if (reserved !== undefined) {
    return refused(
      `The workbench sets the sbatch option ${reserved} itself, because it needs it to track the job.`,
      'Remove it from the Slurm options of the machine or the job.',
    );
  }
  const unexpected = own.find((word, index) => !word.startsWith('-') && !takesValue(own[index - 1] ?? ''));
  if (unexpected !== undefined) {
    return refused(
      `"${unexpected}" in the Slurm options is neither an sbatch option nor a value of one.`,
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

/** Also recognizes abbreviations: "--out=x" for --output, "-Ha1-3" for -H and -a. */
function isReserved(word: string): boolean {
  if (word.startsWith('--')) {
    const name = word.slice(2).split('=')[0] ?? '';
    return RESERVED_OPTIONS.some((option) => option.startsWith(name));
  }
  if (!word.startsWith('-')) return false;
  const letter = [...word.slice(1)].find((character) => !FLAG_LETTERS.includes(character)) ?? '';
  return letter !== '' && RESERVED_LETTERS.includes(letter);
}

/** Splits into words like a shell, without expansions: at spaces, respecting single and double quotes. */
export function splitOptions(line: string): readonly string[] {
  return [...line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ''),
  );
}
