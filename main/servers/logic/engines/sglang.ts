import { shellPath, shellWord } from '../../../base';
import { maximumOf, readSamples, sumOf } from '../prometheus';
import { type EngineKind, joinCommand, PYTHON_PROGRESS, progressBy } from './engine-kind';

/** https://docs.sglang.io: "Server Arguments", "Production Metrics". */
export const sglang: EngineKind = {
  engine: 'sglang',
  title: 'SGLang',
  probe:
    'python3 -c \'import sys, importlib.util as u; sys.exit(u.find_spec("sglang") is None)\' 2>/dev/null',
  install: 'pip install "sglang[all]"',
  usesLearner: false,
  commandLine: (launch) =>
    joinCommand(
      `python3 -m sglang.launch_server --model-path ${shellPath(launch.weights)}`,
      `--served-model-name ${shellWord(launch.model)}`,
      '--host 127.0.0.1 --port {port}',
      launch.gpus > 1 ? `--tp-size ${launch.gpus}` : '',
      launch.gpus > 0 ? `--mem-fraction-static ${launch.memoryShare}` : '--device cpu',
      launch.contextTokens === null ? '' : `--context-length ${launch.contextTokens}`,
      '--enable-metrics',
      launch.extraArguments.trim(),
    ),
  progressOf: progressBy([
    ...PYTHON_PROGRESS,
    [/Load weight begin/, 'weights loading', () => ''],
    [/Load weight end/, 'warming up', () => ''],
    [/KV Cache is allocated/, 'warming up', () => 'allocating the KV cache'],
    [/Capturing batches.{0,200}?(\d+)%/, 'warming up', ([percent]) => `capturing CUDA graphs, ${percent} %`],
    [/Capture cuda graph begin/i, 'warming up', () => 'capturing CUDA graphs'],
  ]),
  listsItsModel: true,
  reservesMemory: true,
  ignoresEnd: true,
  metricsPath: '/metrics',
  numbersOf: (text) => {
    const samples = readSamples(text);
    const named = (name: string) => [`sglang:${name}`, `sglang_${name}`];
    return {
      running: sumOf(samples, named('num_running_reqs')),
      waiting: sumOf(samples, named('num_queue_reqs')),
      generatedTokens: sumOf(samples, named('generation_tokens_total')),
      cacheUse: maximumOf(samples, named('token_usage')),
    };
  },
  failurePatterns: [
    {
      id: 'cache-too-small',
      pattern: /Not enough memory\. Please try to increase --mem-fraction-static/,
      cause: () => 'The weights leave no memory for the KV cache.',
      todo: (_found, { gpus }) =>
        `Raise the share of memory, or take more GPUs than ${gpus}, or lower the context's length.`,
    },
  ],
};
