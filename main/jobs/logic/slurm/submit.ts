import { shellPath, shellWord, shellWords } from '../../../base';
import { SLURM_ENVIRONMENT } from './environment';
import { arrayScript, outputPattern, slurmFiles, slurmFolder } from './slurm-files';

/** Exit codes of the scripts below. */
export const submitCodes = { noFolder: 3, notWritten: 4, refused: 5 } as const;

export type Submission = {
  readonly folder: string;
  readonly attempt: number;
  readonly cwd: string | null;
  /** Names and texts of files in the job's own folder. */
  readonly files: ReadonlyArray<readonly [string, string]>;
  /** Its batch script. */
  readonly script: string;
};

const written = (path: string, text: string): string =>
  `printf %s ${shellWord(text)} >${shellWord(path)} || exit ${submitCodes.notWritten}\n`;

/**
 * Starts few processes, since there may be hundreds of jobs. If it is interrupted, the next start writes the files again
 * before submitting. The batch script comes last: if it exists, the job may have been submitted.
 */
function filesOf(many: readonly Submission[]): string {
  const owns = many.map(({ folder, attempt }) => slurmFolder(folder, attempt));
  const folders = [...new Set(many.flatMap(({ cwd }) => (cwd === null ? [] : [cwd])))].map(
    (cwd) => `[ -d ${shellPath(cwd)} ] || { echo ${shellWord(cwd)}; exit ${submitCodes.noFolder}; }\n`,
  );
  return [
    ...folders,
    `mkdir -p ${shellWords(owns)} || exit ${submitCodes.notWritten}\n`,
    ...many.map((submission, index) =>
      [
        ...submission.files.map(([name, text]) => written(`${submission.folder}/${name}`, text)),
        written(`${owns[index]}/${slurmFiles.script}`, submission.script),
      ].join(''),
    ),
  ].join('');
}

/** Runs sbatch and sets `reference` to the job id, ignoring output of plug-ins. */
const submitAndRead = (command: string): string => `
output=$(${command}) || exit ${submitCodes.refused}
reference=$(printf '%s\\n' "$output" | sed -n 's/^\\([0-9][0-9]*\\)\\(;.*\\)*$/\\1/p' | tail -n 1)
echo "@reference $reference"
`;

/**
 * Writes the files of an attempt and submits it to Slurm; for `sh -s`, since it may be long. Slurm's job id is saved next
 * to the files at once, so that the next start finds it if the result is lost.
 */
export function submitScript(submission: Submission, name: string, options: readonly string[]): string {
  const own = slurmFolder(submission.folder, submission.attempt);
  const sbatch = shellWords([
    'sbatch',
    '--parsable',
    `--job-name=${name}`,
    `--chdir=${own}`,
    `--output=${outputPattern(`${own}/${slurmFiles.log}`)}`,
    '--open-mode=append',
    ...options,
    `${own}/${slurmFiles.script}`,
  ]);
  return `mask=$(umask)
umask 077
${filesOf([submission])}
umask "$mask"
${SLURM_ENVIRONMENT}
${submitAndRead(`${sbatch} </dev/null`)}
echo "$reference" >${shellWord(`${own}/${slurmFiles.reference}`)}
exit 0
`;
}

/** The same for many attempts with equal options in one array; each element's index is its position in the list. */
export function submitArrayScript(
  many: readonly Submission[],
  array: { readonly name: string; readonly folder: string },
  options: readonly string[],
): string {
  const owns = many.map(({ folder, attempt }) => slurmFolder(folder, attempt));
  const sbatch = shellWords([
    'sbatch',
    '--parsable',
    `--array=0-${many.length - 1}`,
    `--job-name=${array.name}`,
    `--output=${outputPattern(array.folder)}/%a/${slurmFiles.log}`,
    '--open-mode=append',
    ...options,
  ]);
  const folder = shellWord(array.folder);
  return `mask=$(umask)
umask 077
${filesOf(many)}
rm -rf ${folder}
mkdir -p ${folder} && cd ${folder} || exit ${submitCodes.notWritten}
${owns
  .map(
    (own, index) =>
      `ln -s ${shellWord(own)} ${index} || exit ${submitCodes.notWritten}\n${written(
        `${own}/${slurmFiles.array}`,
        `${array.name} ${index} ${array.folder}\n`,
      )}`,
  )
  .join('')}
cd /
umask "$mask"
${SLURM_ENVIRONMENT}
${submitAndRead(`printf %s ${shellWord(arrayScript(array.folder))} | ${sbatch}`)}
${owns.map((own, index) => `echo "\${reference}_${index}" >${shellWord(`${own}/${slurmFiles.reference}`)}\n`).join('')}
exit 0
`;
}

/** Slurm's job id in the output; null: none. */
export function parseSubmitted(stdout: string): string | null {
  return /^@reference (\d+)$/m.exec(stdout)?.[1] ?? null;
}

/** Prints the maximum number of elements of an array; nothing if Slurm does not answer. */
export const ARRAY_SIZE_SCRIPT = `${SLURM_ENVIRONMENT}
scontrol show config | sed -n 's/^MaxArraySize *= *//p'
exit 0
`;
