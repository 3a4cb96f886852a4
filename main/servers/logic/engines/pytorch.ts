import { shellPath, shellWord } from '../../../base';
import { type EngineKind, joinCommand, NO_NUMBERS, PYTHON_PROGRESS, progressBy } from './engine-kind';

/** The server of our own learner: resources/learner/README.md, "An export over OpenAI's API". */
export const pytorch: EngineKind = {
  engine: 'pytorch',
  title: 'PyTorch (our own; small models)',
  probe: `{python} -c 'import sys, importlib.util as u; sys.exit(any(u.find_spec(name) is None for name in ("torch", "transformers", "peft")))'`,
  install: 'mars2 machines prepare <machine> --learner',
  usesLearner: true,
  commandLine: (launch) =>
    joinCommand(
      // Beside what modules of a cluster have put there.
      `PYTHONPATH={learner}\${PYTHONPATH:+:$PYTHONPATH} {python} -m mars2_learner.serve --model ${shellPath(launch.weights)}`,
      `--name ${shellWord(launch.model)}`,
      '--port {port}',
      `--device ${launch.gpus > 0 ? 'cuda' : 'cpu'}`,
      launch.contextTokens === null ? '' : `--context ${launch.contextTokens}`,
      launch.extraArguments.trim(),
    ),
  progressOf: progressBy([
    ...PYTHON_PROGRESS,
    [/^listens on \S+, loads /, 'weights loading', () => ''],
    [/^serves /, 'warming up', () => ''],
  ]),
  listsItsModel: true,
  reservesMemory: false,
  ignoresEnd: false,
  metricsPath: null,
  numbersOf: () => NO_NUMBERS,
  failurePatterns: [
    {
      id: 'missing-weights',
      pattern: /there is no (.{1,1000}), the model that the adapter/,
      cause: ([base]) => `The adapter's own model, ${base}, is not on the machine.`,
      todo: () => 'Put it back where it was when the adapter was trained.',
    },
    {
      id: 'missing-weights',
      pattern: /there is no model at (\S+)/,
      cause: ([path]) => `There is no model at ${path}.`,
      todo: () => 'Set the weights to a folder of transformers or peft, or to a GGUF file, on the machine.',
    },
    {
      id: 'architecture',
      pattern: /\b(\w+) changes its logits after the projection/,
      cause: ([name]) => `${name} scales or caps its logits, which this server does not do.`,
      todo: () => 'Serve it with an engine such as vLLM.',
    },
  ],
};
