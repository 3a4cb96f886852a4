import type { Environment } from '../../../preload/contract';
import { assertNever, LOGIN_PATH_LINES, shellPath, shellWord } from '../../base';

/** Default folders of conda's installers. */
const CONDA_FOLDERS = [
  '"$HOME/miniconda3"',
  '"$HOME/anaconda3"',
  '"$HOME/miniforge3"',
  '"$HOME/mambaforge"',
  '/opt/conda',
  '/opt/miniconda3',
];

/**
 * Shell lines that put the programs of an environment on the PATH. If something is missing, they print it to stderr and
 * exit with 1. `installed`: a folder of programs that the workbench has installed, looked into last; null: none.
 */
export function environmentLines(environment: Environment, installed: string | null = null): string {
  const lines = entryLines(environment);
  return installed === null ? lines : `${lines}\nexport PATH="$PATH":${shellWord(installed)}`;
}

function entryLines(environment: Environment): string {
  switch (environment.kind) {
    case 'path':
      return LOGIN_PATH_LINES;
    case 'venv': {
      const activate = `${shellPath(environment.place.replace(/(?<!\/)\/+$/, ''))}/bin/activate`;
      return `[ -f ${activate} ] || { echo ${shellWord(`There is no virtual environment in ${environment.place}.`)} >&2; exit 1; }\n. ${activate}`;
    }
    case 'conda':
      return [
        'if ! command -v conda >/dev/null 2>&1; then',
        `  for mars2_conda in ${CONDA_FOLDERS.join(' ')}; do`,
        '    if [ -f "$mars2_conda/etc/profile.d/conda.sh" ]; then . "$mars2_conda/etc/profile.d/conda.sh"; break; fi',
        '  done',
        'fi',
        'command -v conda >/dev/null 2>&1 || { echo "conda is not found on this machine." >&2; exit 1; }',
        'eval "$(conda shell.posix hook)"',
        `conda activate ${shellPath(environment.place)} || exit 1`,
      ].join('\n');
    case 'module':
      return [
        'if ! command -v module >/dev/null 2>&1; then',
        '  for mars2_init in /etc/profile.d/lmod.sh /etc/profile.d/modules.sh /usr/share/lmod/lmod/init/sh /usr/share/modules/init/sh; do',
        '    if [ -f "$mars2_init" ]; then . "$mars2_init"; break; fi',
        '  done',
        'fi',
        'command -v module >/dev/null 2>&1 || { echo "Environment modules are not found on this machine." >&2; exit 1; }',
        `module load ${environment.place.trim().split(/\s+/).map(shellWord).join(' ')} || exit 1`,
      ].join('\n');
    default:
      return assertNever(environment);
  }
}

/** Runs `probe` (a line of a shell) in the environment; 3: it could not be entered, 4: the probe failed in it. */
export function environmentProbeScript(
  environment: Environment,
  probe: string,
  installed: string | null = null,
): string {
  const lines = environmentLines(environment, installed);
  return `(${lines}\n) </dev/null >/dev/null || exit 3\n${lines}\n${probe} || exit 4`;
}

/** Describes the environment in messages. */
export function describeEnvironment(environment: Environment): string {
  switch (environment.kind) {
    case 'path':
      return 'on the PATH of a login shell';
    case 'venv':
      return `in the virtual environment ${environment.place}`;
    case 'conda':
      return `in the conda environment ${environment.place}`;
    case 'module':
      return `with the modules ${environment.place}`;
    default:
      return assertNever(environment);
  }
}
