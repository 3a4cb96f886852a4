import { shellPath } from '../../../base';
import { type EngineKind, joinCommand, NO_NUMBERS, PYTHON_PROGRESS, progressBy } from './engine-kind';

/** https://huggingface.co/docs/transformers: "Serve CLI", as of version 5. */
export const transformers: EngineKind = {
  engine: 'transformers',
  title: 'transformers serve',
  probe: 'command -v transformers >/dev/null',
  install: 'pip install "transformers[serving]"',
  usesLearner: false,
  commandLine: (launch) =>
    joinCommand(
      // A model named here is loaded at once. It answers every name, since 5.24 its own alone (dialect.ts).
      `transformers serve ${shellPath(launch.weights)}`,
      '--host 127.0.0.1 --port {port}',
      launch.gpus > 0 ? '--device auto' : '--device cpu',
      // Otherwise it unloads the model after five idle minutes.
      '--model-timeout=-1',
      launch.extraArguments.trim(),
    ),
  progressOf: progressBy([...PYTHON_PROGRESS, [/Application startup complete/, 'warming up', () => '']]),
  // The list is that of the hub's cache, so a folder is not in it.
  listsItsModel: false,
  reservesMemory: false,
  ignoresEnd: false,
  metricsPath: null,
  numbersOf: () => NO_NUMBERS,
  failurePatterns: [
    {
      id: 'argument',
      pattern: /unexpected extra argument|No such option: (\S+)/,
      cause: () => 'This version of transformers uses other arguments.',
      todo: (_found, { weights }) =>
        `Upgrade it (pip install -U "transformers[serving]"), or edit the command: before version 5 the argument for the model is --force-model ${weights}.`,
    },
  ],
};
