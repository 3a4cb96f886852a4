import { shellPath, shellWord } from '../../../base';
import { maximumOf, readSamples, sumOf } from '../prometheus';
import { type EngineKind, joinCommand, progressBy } from './engine-kind';

/** A name at the hub, perhaps with a quantization: "org/name" or "org/name:Q4_K_M". */
const HUB_NAME = /^[\w.-]+\/[\w.-]+(?::[\w.-]+)?$/;

/** https://github.com/ggml-org/llama.cpp, tools/server/README.md. */
export const llamaCpp: EngineKind = {
  engine: 'llama-cpp',
  title: 'llama.cpp server',
  probe: 'command -v llama-server >/dev/null',
  install: 'mars2 servers install llama.cpp, or https://github.com/ggml-org/llama.cpp',
  usesLearner: false,
  commandLine: (launch) =>
    joinCommand(
      HUB_NAME.test(launch.weights) && !launch.weights.endsWith('.gguf')
        ? `llama-server --hf-repo ${shellWord(launch.weights)}`
        : `llama-server --model ${shellPath(launch.weights)}`,
      `--alias ${shellWord(launch.model)}`,
      '--host 127.0.0.1 --port {port}',
      `--n-gpu-layers ${launch.gpus > 0 ? 999 : 0}`,
      // 0: the model's own. Its slots share the context, so one answer of full length needs all of it.
      `--ctx-size ${launch.contextTokens ?? 0}`,
      '--metrics',
      launch.extraArguments.trim(),
    ),
  progressOf: progressBy([
    [
      /load_tensors: (?:loading model tensors|offloaded (\d+)\/(\d+) layers)/,
      'weights loading',
      ([done, all]) => (done === '' ? '' : `${done} of ${all} layers on the GPU`),
    ],
    [/llama_model_loader: loaded meta data/, 'weights loading', () => ''],
    // As of 2026 (b11549) these two lines are all.
    [/load_model: loading model/, 'weights loading', () => ''],
    [/load_model: initializing, n_slots/, 'warming up', () => ''],
    [/warming up the model/, 'warming up', () => ''],
    [/llama_kv_cache|llama_context: constructing/, 'warming up', () => 'allocating the KV cache'],
  ]),
  listsItsModel: true,
  reservesMemory: false,
  ignoresEnd: true,
  metricsPath: '/metrics',
  numbersOf: (text) => {
    const samples = readSamples(text);
    return {
      running: sumOf(samples, ['llamacpp:requests_processing']),
      waiting: sumOf(samples, ['llamacpp:requests_deferred']),
      generatedTokens: sumOf(samples, ['llamacpp:tokens_predicted_total']),
      // Removed from newer versions.
      cacheUse: maximumOf(samples, ['llamacpp:kv_cache_usage_ratio']),
    };
  },
  failurePatterns: [
    {
      id: 'architecture',
      pattern: /unknown model architecture: '([^']+)'/,
      cause: ([name]) => `This llama.cpp does not know the architecture "${name}".`,
      todo: () => 'Use a newer llama.cpp.',
    },
    {
      id: 'missing-weights',
      pattern:
        /(?:failed to open GGUF file|gguf_init_from_file: failed|error loading model: failed to open) ?'?([^'\n]*)/,
      cause: (_found) => 'The file of the weights does not exist or is not a GGUF file.',
      todo: (_found, { weights }) => `Check ${weights} on the machine; llama.cpp needs one .gguf file.`,
    },
  ],
};
