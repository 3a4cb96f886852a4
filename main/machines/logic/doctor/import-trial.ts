import { counted, hasTimedOut, shellWord } from '../../../base';
import { LIMITED } from './cuda';
import {
  type Environment,
  type EnvironmentSurvey,
  newestWith,
  PACKAGES,
  type PackageName,
  setUpOf,
} from './environments';
import { absent, bad, type Finding, good, warning } from './finding';

/** A first import from a file server takes a minute and more. */
const IMPORT_SECONDS = 100;
export const TRIAL_SECONDS = IMPORT_SECONDS + 20;

export const PACKAGE_TITLES: Readonly<Record<PackageName, string>> = {
  vllm: 'vLLM',
  sglang: 'SGLang',
  ray: 'Ray',
  marti: 'MARTI',
};

/** The outcome of the import of one package. */
type Trial = { readonly code: number; readonly seconds: number; readonly lastLine: string };

/** Imports each package where it is newest, in parallel and with a time limit; null where none is installed. */
export function importScript(survey: EnvironmentSurvey): string | null {
  const trials = PACKAGES.flatMap((name) => {
    const environment = newestWith(survey, name);
    return environment === null ? [] : [`try ${name} ${shellWord(environment.python)} &`];
  });
  if (trials.length === 0) return null;
  return `
${LIMITED}
PYTHONDONTWRITEBYTECODE=1; export PYTHONDONTWRITEBYTECODE
cd /
try() {
  begin=$(date +%s)
  said=$(limited ${IMPORT_SECONDS} "$2" -c "import $1" 2>&1 </dev/null); code=$?
  printf '%s %s %s %s\\n' "$1" "$code" "$(($(date +%s) - begin))" "$(printf '%s' "$said" | tail -n 1 | cut -c 1-300)"
}
${trials.join('\n')}
wait
exit 0
`;
}

/** Lines "name code seconds last-line". */
export function parseTrials(text: string): ReadonlyMap<string, Trial> {
  return new Map(
    text.split('\n').flatMap((line) => {
      const [, name, code, seconds, lastLine = ''] = /^(\w+) (\d+) (\d+) ?([\s\S]*)/.exec(line) ?? [];
      return name === undefined
        ? []
        : [[name, { code: Number(code), seconds: Number(seconds), lastLine: lastLine.trim() }] as const];
    }),
  );
}

export function packageFinding(
  name: PackageName,
  survey: EnvironmentSurvey,
  trials: ReadonlyMap<string, Trial>,
): Finding {
  const environment = newestWith(survey, name);
  if (environment === null) return absentFinding(name, survey);
  const title = PACKAGE_TITLES[name];
  const version = environment.versions.get(name) ?? '';
  const where = `${title} ${version} in ${environment.path}${environment.kind === 'path' ? '' : ` (${environment.kind})`}`;
  const trial = trials.get(name);
  if (trial === undefined || hasTimedOut(trial.code))
    return warning(
      `${where}; its import did not end within ${IMPORT_SECONDS} s.`,
      `Find what is slow: \`${environment.python} -X importtime -c "import ${name}"\`. Environments on a file server are slow: move it to a local disk.`,
    );
  const setUp = setUpOf(environment);
  const use = setUp === '' ? '' : ` Set-up of a launch: \`${setUp}\``;
  if (survey.isLoginNode && /libcuda\.so/i.test(trial.lastLine))
    return good(`${where}; it can be imported only on the nodes, which have the NVIDIA driver.${use}`);
  if (trial.code !== 0)
    return bad(
      `${where}, but it cannot be imported: ${trial.lastLine || `exit code ${trial.code}.`}`,
      importTodo(trial.lastLine, environment, name),
    );
  const conflict = cudaConflict(environment, survey.driverCuda);
  if (conflict !== null)
    return warning(
      `${where}. ${conflict}`,
      'Ask for a newer driver, or install a PyTorch that is built for an older CUDA (pytorch.org/get-started).',
    );
  const others = survey.environments.filter(
    (other) => other !== environment && other.versions.has(name),
  ).length;
  return good(
    `${where}, imported in ${trial.seconds} s.${use}${others === 0 ? '' : ` (${counted(others, 'more environment has', 'more environments have')} it.)`}`,
  );
}

function absentFinding(name: PackageName, survey: EnvironmentSurvey): Finding {
  const { environments, checkouts, modules, hasGpu } = survey;
  if (name === 'marti' && checkouts[0] !== undefined)
    return good(`Its sources are in ${checkouts[0]}; jobs that run it must start in that folder.`);
  if (!hasGpu) return absent('Not installed; there is no GPU here to run it on.');
  const other = OTHER_ENGINE[name];
  if (other !== undefined && environments.some(({ versions }) => versions.has(other)))
    return absent(`Not installed; ${PACKAGE_TITLES[other]} is.`);
  const listed = modules.filter((line) => line.toLowerCase().includes(name));
  const modulesNote = listed.length === 0 ? '' : ` \`module avail\` lists ${listed.join(', ')}.`;
  const finding = `Not found in conda environments, venvs or on the path.${modulesNote}`;
  return { ...warning(finding, ABSENT_TODO[name]), isAbsent: true };
}

/** One of the two engines is enough. */
const OTHER_ENGINE: Readonly<Partial<Record<PackageName, PackageName>>> = { vllm: 'sglang', sglang: 'vllm' };

const ABSENT_TODO: Readonly<Record<PackageName, string>> = {
  vllm: 'To serve models: `python3 -m venv ~/vllm-env && ~/vllm-env/bin/pip install vllm` (some 10 GB; on a local disk).',
  sglang:
    'To serve models: `python3 -m venv ~/sglang-env && ~/sglang-env/bin/pip install "sglang[all]"` (some 10 GB; on a local disk).',
  ray: 'Needed for training alone: `pip install "ray[default]"` in the environment of MARTI.',
  marti:
    'Needed for training alone: `git clone https://github.com/TsinghuaC3I/MARTI ~/MARTI`, and its requirements in an environment.',
};

function importTodo(lastLine: string, { python }: Environment, name: PackageName): string {
  if (/libcuda\.so/i.test(lastLine))
    return 'The NVIDIA driver is not there: see the check "CUDA driver". In a container, start it with its GPUs.';
  const missing = /No module named '?([\w.]+)'?/.exec(lastLine)?.[1];
  if (missing !== undefined && missing !== name)
    return `\`${python} -m pip install ${missing.split('.')[0]}\``;
  if (/\.so|undefined symbol|GLIBC/i.test(lastLine))
    return `Its compiled parts do not fit PyTorch or the system: install both again, together: \`${python} -m pip install --force-reinstall ${name}\`.`;
  return `See it whole: \`${python} -c "import ${name}"\`.`;
}

/** Within one major version of CUDA newer programs run on older drivers; across them they do not. */
function cudaConflict({ torchCuda }: Environment, driverCuda: string | null): string | null {
  if (torchCuda === null || driverCuda === null) return null;
  return Number.parseInt(torchCuda, 10) > Number.parseInt(driverCuda, 10)
    ? `Its PyTorch is built for CUDA ${torchCuda}, the driver allows up to ${driverCuda}: it will find no GPU.`
    : null;
}
