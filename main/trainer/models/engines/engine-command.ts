import type { Writer } from '../../../../preload/contract/index';
import {
  VLLM_ADAPTER_RANKS,
  VLLM_PROCESSOR_ENV,
  wholePrompts,
} from '../../../../preload/contract/plans/index';

/** What an engine is started with. */
export type EngineSettings = Pick<Writer, 'engine' | 'publish' | 'memoryShare'> & {
  /** Python that has the engine. */
  readonly python: string;
  /** Folder of the weights. */
  readonly model: string;
  /** Adapters that will be published: their rank, and the names of the layers that have one. null: none. */
  readonly adapter: { readonly rank: number; readonly targets: readonly string[] } | null;
  /** Longest prompt and answer together, in tokens. */
  readonly contextTokens: number;
  readonly dtype: 'float32' | 'bfloat16';
  readonly seed: number;
  /** GPUs that one copy of the model is divided among; 0: processors. */
  readonly gpus: number;
  /** On processors; null: as many as there are cores. */
  readonly threads: number | null;
};

/** Where it listens: a socket (vLLM), or a port of this machine with a file that holds its key (SGLang). */
export type EngineListener =
  | { readonly socketPath: string }
  | { readonly port: number; readonly configFile: string };

export type EngineCommand = {
  /** Python's arguments. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

/** Name under which the weights without an adapter are served. */
export const BASE_NAME = 'base';

/** Nothing is downloaded, nothing is reported to anybody. */
const OFFLINE = { HF_HUB_OFFLINE: '1', VLLM_NO_USAGE_STATS: '1', DO_NOT_TRACK: '1' } as const;

/** Sampling defaults of the model's folder are switched off: requests say everything. */
export function engineCommand(settings: EngineSettings, listener: EngineListener): EngineCommand {
  return 'socketPath' in listener
    ? vllmCommand(settings, listener.socketPath)
    : sglangCommand(settings, listener);
}

function vllmCommand(settings: EngineSettings, socketPath: string): EngineCommand {
  const { model, publish, memoryShare, adapter, contextTokens, dtype, seed, gpus, threads } = settings;
  const args = [
    ...['-m', 'vllm.entrypoints.openai.api_server', '--model', model, '--served-model-name', BASE_NAME],
    ...['--uds', socketPath, '--dtype', dtype, '--seed', String(seed)],
    ...['--max-model-len', String(contextTokens), '--generation-config', 'vllm'],
    ...['--logprobs-mode', 'raw_logprobs', '--enable-prompt-tokens-details', '--disable-uvicorn-access-log'],
    ...(adapter === null ? [] : adapterArguments(adapter)),
    ...(gpus === 0
      ? ['--enforce-eager', ...wholePrompts(contextTokens)]
      : ['--tensor-parallel-size', String(gpus), '--gpu-memory-utilization', String(memoryShare)]),
    ...(gpus > 0 && publish !== 'restart' ? ['--enable-sleep-mode'] : []),
  ];
  const env = {
    ...OFFLINE,
    ...(adapter === null ? {} : { VLLM_ALLOW_RUNTIME_LORA_UPDATING: 'True' }),
    // Its development routes ask for no key; only this user can open the socket.
    ...(publish === 'restart' ? {} : { VLLM_SERVER_DEV_MODE: '1' }),
    ...(gpus === 0 ? VLLM_PROCESSOR_ENV : {}),
    ...(gpus === 0 && threads !== null ? { OMP_NUM_THREADS: String(threads) } : {}),
  };
  return { args, env };
}

function adapterArguments({ rank, targets }: NonNullable<EngineSettings['adapter']>): readonly string[] {
  const most = VLLM_ADAPTER_RANKS.find((most) => most >= rank) ?? rank;
  return [
    // The one before is unloaded once the next answers.
    ...['--enable-lora', '--max-lora-rank', String(most), '--max-loras', '2'],
    // Without names vLLM also wraps the projection to the vocabulary, which then cannot score prompts (0.32, processors).
    ...['--lora-target-modules', ...targets],
  ];
}

/** As the documentation of SGLang 0.5.23 says; not tested here. */
function sglangCommand(
  settings: EngineSettings,
  { port, configFile }: Extract<EngineListener, { port: number }>,
): EngineCommand {
  const { model, memoryShare, contextTokens, dtype, seed, gpus } = settings;
  const args = [
    ...['-m', 'sglang.launch_server', '--model-path', model, '--host', '127.0.0.1', '--port', String(port)],
    ...['--config', configFile, '--dtype', dtype, '--random-seed', String(seed)],
    ...['--context-length', String(contextTokens), '--sampling-defaults', 'openai'],
    ...(gpus === 0
      ? ['--device', 'cpu']
      : ['--tp-size', String(gpus), '--mem-fraction-static', String(memoryShare)]),
  ];
  return { args, env: OFFLINE };
}
