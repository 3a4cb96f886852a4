import { wholePrompts } from '../../../../preload/contract/plans';
import { shellPath, shellWord } from '../../../base';
import { maximumOf, readSamples, sumOf } from '../prometheus';
import { type EngineKind, joinCommand, PYTHON_PROGRESS, progressBy } from './engine-kind';

/** https://docs.vllm.ai: "vllm serve", "Production Metrics". Its log lines are those of 0.6 to 0.11. */
export const vllm: EngineKind = {
  engine: 'vllm',
  title: 'vLLM',
  probe: 'command -v vllm >/dev/null',
  install: 'pip install vllm',
  usesLearner: false,
  commandLine: (launch) =>
    joinCommand(
      `vllm serve ${shellPath(launch.weights)}`,
      `--served-model-name ${shellWord(launch.model)}`,
      // By default it listens on every network interface.
      '--host 127.0.0.1 --port {port}',
      launch.gpus > 1 ? `--tensor-parallel-size ${launch.gpus}` : '',
      launch.gpus > 0 ? `--gpu-memory-utilization ${launch.memoryShare}` : '',
      launch.contextTokens === null ? '' : `--max-model-len ${launch.contextTokens}`,
      launch.contextTokens === null || launch.gpus > 0 ? '' : wholePrompts(launch.contextTokens).join(' '),
      launch.extraArguments.trim(),
    ),
  progressOf: progressBy([
    ...PYTHON_PROGRESS,
    [/Starting to load model/, 'weights loading', () => ''],
    [
      /Capturing (?:CUDA|cudagraph)[^:]{0,200}:\s*(\d+)%/,
      'warming up',
      ([percent]) => `capturing CUDA graphs, ${percent} %`,
    ],
    [/(?:Loading weights|Model loading) took/, 'warming up', () => ''],
    [/Dynamo bytecode transform|torch\.compile/, 'warming up', () => 'compiling'],
    [/(?:GPU KV cache size|# GPU blocks):?\s*/, 'warming up', () => 'allocating the KV cache'],
  ]),
  listsItsModel: true,
  reservesMemory: true,
  ignoresEnd: true,
  metricsPath: '/metrics',
  numbersOf: (text) => {
    const samples = readSamples(text);
    return {
      running: sumOf(samples, ['vllm:num_requests_running']),
      waiting: sumOf(samples, ['vllm:num_requests_waiting']),
      generatedTokens: sumOf(samples, ['vllm:generation_tokens_total', 'vllm:generation_tokens']),
      // Renamed in 0.10.
      cacheUse: maximumOf(samples, ['vllm:kv_cache_usage_perc', 'vllm:gpu_cache_usage_perc']),
    };
  },
  failurePatterns: [
    {
      id: 'argument',
      pattern: /RuntimeError: CPU Generator does not use offset/,
      cause: () => 'vLLM cannot read a prompt in several pieces on processors where the request has a seed.',
      todo: () => 'Set the context of the launch: its prompts are then read in one piece.',
    },
  ],
};
