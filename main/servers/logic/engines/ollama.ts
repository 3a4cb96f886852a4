import { shellPath, shellWord } from '../../../base';
import { type EngineKind, joinCommand, NO_NUMBERS, progressBy } from './engine-kind';

/**
 * https://docs.ollama.com: each server runs its own Ollama on its own port and does not disturb others.
 * It pulls (or takes a .gguf file) once it listens, and loads the model with the first request.
 */
export const ollama: EngineKind = {
  engine: 'ollama',
  title: 'Ollama',
  probe: 'command -v ollama >/dev/null',
  install: 'curl -fsSL https://ollama.com/install.sh | sh',
  usesLearner: false,
  commandLine: ({ weights, model, contextTokens, extraArguments, gpus }) => {
    const isFile = weights.endsWith('.gguf');
    const fetchIt = isFile
      ? `printf 'FROM %s\\n' ${shellPath(weights)} > Modelfile && ollama create ${shellWord(model)} -f Modelfile`
      : model === weights
        ? `ollama pull ${shellWord(weights)}`
        : `ollama pull ${shellWord(weights)} && ollama cp ${shellWord(weights)} ${shellWord(model)}`;
    return [
      joinCommand(
        'export OLLAMA_HOST=127.0.0.1:{port} OLLAMA_KEEP_ALIVE=-1',
        contextTokens === null ? '' : `OLLAMA_CONTEXT_LENGTH=${contextTokens}`,
        gpus === 0 ? 'CUDA_VISIBLE_DEVICES=-1' : '',
      ),
      `(until ollama list >/dev/null 2>&1; do sleep 0.2; done; ${fetchIt}) &`,
      joinCommand('exec ollama serve', extraArguments.trim()),
    ].join('\n');
  },
  progressOf: progressBy([
    [/pulling \S.{0,200}?(\d+)%/, 'weights loading', ([percent]) => `downloading, ${percent} %`],
    [/pulling manifest|transferring model data/, 'weights loading', () => ''],
    [/waiting for llama runner|load_tensors/, 'weights loading', () => ''],
    [/llama runner started/, 'warming up', () => ''],
  ]),
  // Its names have a tag: "qwen3" is listed as "qwen3:latest".
  listsItsModel: true,
  reservesMemory: false,
  ignoresEnd: false,
  metricsPath: null,
  numbersOf: () => NO_NUMBERS,
  failurePatterns: [
    {
      id: 'missing-weights',
      pattern: /pull model manifest: file does not exist|model '?[^'\n]{0,200}'? not found/,
      cause: () => "Ollama's library does not contain this model.",
      todo: (_found, { weights }) => `Search for "${weights}" at https://ollama.com/library.`,
    },
  ],
};
