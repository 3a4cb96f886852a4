import type { MartiTraining, TrainingRequest } from '../../../../preload/contract';
import { homePath, shellWordWithHome } from '../home-path';
import type { PreparedTraining } from '../prepared';
import { martiCommand, OWN_PATH } from './marti-command';
import { martiNotes } from './marti-notes';
import { type MartiPaths, martiPaths } from './marti-paths';
import { martiProblems } from './marti-problems';
import { martiGpus } from './marti-values';

/** Exit code of a set-up that refuses to train (sysexits.h: EX_CONFIG). */
const SET_UP_REFUSES = 78;

/** Packages that the trainer imports, by import name. */
export const MARTI_PACKAGES = [
  'torch',
  'ray',
  'deepspeed',
  'vllm',
  'transformers',
  'flash_attn',
  'datasets',
  'tensorboard',
  'numpy',
] as const;
/** Packages of the tree search; MARTI's requirements do not list the first. */
export const MARTI_TREE_PACKAGES = ['treequest', 'joblib'] as const;

export function martiPackages(preset: MartiTraining['preset']): readonly string[] {
  return preset === 'grpo' ? MARTI_PACKAGES : [...MARTI_PACKAGES, ...MARTI_TREE_PACKAGES];
}

/**
 * Shell lines that run before the training: they make the working copy and the output folders, and run the preflight
 * (`program`, Python), which exits with `SET_UP_REFUSES` if packages are missing or the grader misjudges a program.
 */
function martiSetUp(spec: MartiTraining, paths: MartiPaths, program: string): string {
  const word = shellWordWithHome;
  const python = word(homePath(spec.python));
  const agents = spec.agents.map((_, at) => at);
  const folders = [
    paths.logs,
    paths.tensorboard,
    paths.workflow,
    paths.evaluation,
    paths.final,
    ...agents.flatMap((at) => [paths.agentFinal(at), paths.agentCheckpoints(at)]),
  ];
  const entry = `${paths.checkout}/examples/mars2/multi_agent_train_ppo_ray.py`;
  const refuse = (message: string) => `{ echo ${word(message)}; exit ${SET_UP_REFUSES}; }`;
  return [
    `command -v ${python} >/dev/null || ${refuse(`${spec.python} does not exist. Choose the Python that has MARTI's packages.`)}`,
    // The grader always starts "python3" from the PATH.
    ...(spec.python.includes('/') ? [`PATH=$(dirname ${python}):$PATH; export PATH`] : []),
    `[ -f ${word(entry)} ] && [ -d ${word(`${paths.checkout}/marti`)} ] || ${refuse(`${spec.checkout} is not a checkout of MARTI with examples/mars2 and marti.`)}`,
    `[ -d ${word(paths.data)} ] || ${refuse(`The data folder ${spec.data} does not exist.`)}`,
    `mkdir -p ${folders.map(word).join(' ')} || ${refuse(`Cannot create the folders under ${spec.output}.`)}`,
    `git -C ${word(paths.checkout)} log -1 --format='MARTI at commit %H' 2>/dev/null`,
    `git -C ${word(paths.checkout)} diff --stat 2>/dev/null`,
    `rm -rf ${word(`${paths.code}.new`)} && mkdir ${word(`${paths.code}.new`)} &&`,
    `  cp -RL ${word(`${paths.checkout}/marti`)} ${word(`${paths.checkout}/examples`)} ${word(`${paths.code}.new/`)} &&`,
    `  ln -s marti ${word(`${paths.code}.new/openrlhf`)} &&`,
    `  rm -rf ${word(paths.code)} && mv ${word(`${paths.code}.new`)} ${word(paths.code)} ||`,
    `  ${refuse(`Cannot create the working copy of MARTI in ${spec.output}.`)}`,
    `cat > ${word(`${paths.code}/mars2_preflight.py`)} <<'MARS2_PREFLIGHT'`,
    program.trimEnd(),
    'MARS2_PREFLIGHT',
    `(cd ${word(paths.code)} && ${OWN_PATH} ${python} mars2_preflight.py ${martiPackages(spec.preset).join(' ')}) || exit ${SET_UP_REFUSES}`,
  ].join('\n');
}

/** Prepares a MARTI training as a job. `preflight`: source of the Python program that must succeed first. */
export function prepareMarti(
  request: TrainingRequest,
  spec: MartiTraining,
  training: { readonly id: string; readonly preflight: string },
): PreparedTraining {
  const paths = martiPaths(spec, training.id);
  const gpus = martiGpus(spec);
  const problems = martiProblems(spec, request.resources);
  return {
    commandLine: martiCommand(spec, paths),
    setUp: martiSetUp(spec, paths, training.preflight),
    env: {},
    // On a running cluster, Ray assigns the GPUs.
    resources:
      spec.rayAddress === null
        ? { ...request.resources, gpus }
        : { ...request.resources, gpus: 0, gpuIds: null },
    gpus,
    notes: martiNotes(spec, paths),
    problems,
  };
}
