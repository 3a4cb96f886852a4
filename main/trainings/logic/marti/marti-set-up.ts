import type { MartiTraining } from '../../../../preload/contract';
import { homePath, homeWord } from '../home-words';
import { OWN_PATH } from './marti-command';
import type { MartiPlaces } from './marti-places';

/** Exit code of a set-up that refuses to train (sysexits.h: EX_CONFIG). */
export const SET_UP_REFUSES = 78;

/** Packages that the trainer imports, by the name of the import. */
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
/** Those of the tree search; the first is in no list of MARTI's requirements. */
export const MARTI_TREE_PACKAGES = ['treequest', 'joblib'] as const;

export function martiPackages(preset: MartiTraining['preset']): readonly string[] {
  return preset === 'grpo' ? MARTI_PACKAGES : [...MARTI_PACKAGES, ...MARTI_TREE_PACKAGES];
}

/**
 * Lines for a shell before the training: the working copy, the output folders, and the preflight (`program`, Python),
 * which refuses with `SET_UP_REFUSES` where packages are missing or the grader can not tell right from wrong.
 */
export function martiSetUp(spec: MartiTraining, places: MartiPlaces, program: string): string {
  const word = homeWord;
  const python = word(homePath(spec.python));
  const agents = spec.agents.map((_, at) => at);
  const folders = [
    places.logs,
    places.tensorboard,
    places.workflow,
    places.evaluation,
    places.final,
    ...agents.flatMap((at) => [places.agentFinal(at), places.agentCheckpoints(at)]),
  ];
  const entry = `${places.checkout}/examples/mars2/multi_agent_train_ppo_ray.py`;
  const refuse = (said: string) => `{ echo ${word(said)}; exit ${SET_UP_REFUSES}; }`;
  return [
    `command -v ${python} >/dev/null || ${refuse(`There is no ${spec.python}. Name the Python that has MARTI's packages.`)}`,
    // The grader starts "python3" by that name, whatever Python runs it.
    ...(spec.python.includes('/') ? [`PATH=$(dirname ${python}):$PATH; export PATH`] : []),
    `[ -f ${word(entry)} ] && [ -d ${word(`${places.checkout}/marti`)} ] || ${refuse(`${spec.checkout} is no checkout of MARTI with examples/mars2 and marti.`)}`,
    `[ -d ${word(places.data)} ] || ${refuse(`There is no folder ${spec.data} with the data.`)}`,
    `mkdir -p ${folders.map(word).join(' ')} || ${refuse(`The folders under ${spec.output} can not be made.`)}`,
    `git -C ${word(places.checkout)} log -1 --format='MARTI at commit %H' 2>/dev/null`,
    `git -C ${word(places.checkout)} diff --stat 2>/dev/null`,
    `rm -rf ${word(`${places.code}.new`)} && mkdir ${word(`${places.code}.new`)} &&`,
    `  cp -RL ${word(`${places.checkout}/marti`)} ${word(`${places.checkout}/examples`)} ${word(`${places.code}.new/`)} &&`,
    `  ln -s marti ${word(`${places.code}.new/openrlhf`)} &&`,
    `  rm -rf ${word(places.code)} && mv ${word(`${places.code}.new`)} ${word(places.code)} ||`,
    `  ${refuse(`The working copy of MARTI can not be made in ${spec.output}.`)}`,
    `cat > ${word(`${places.code}/mars2_preflight.py`)} <<'MARS2_PREFLIGHT'`,
    program.trimEnd(),
    'MARS2_PREFLIGHT',
    `(cd ${word(places.code)} && ${OWN_PATH} ${python} mars2_preflight.py ${martiPackages(spec.preset).join(' ')}) || exit ${SET_UP_REFUSES}`,
  ].join('\n');
}
