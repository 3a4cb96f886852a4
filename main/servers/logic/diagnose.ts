import type { ServerDiagnosis, ServerLaunch } from '../../../preload/contract';
import type { EngineKind, FailureId, FailurePattern } from './engines';

/** How a server's process ended; null while it is running. */
export type ProcessEnd = { readonly code: number | null; readonly lost: boolean };

/** Lines of the log shown with a diagnosis. */
const SHOWN_LINES = 10;
/** Longer lines are cut: Python prints configurations of thousands of characters in one line. */
const LINE_CHARACTERS = 400;

const more = 'take more GPUs, a shorter context';

/** Failures that engines share, the most specific first: later ones are often consequences of earlier ones. */
const COMMON_FAILURES: readonly FailurePattern[] = [
  {
    id: 'port',
    // 98 is EADDRINUSE on Linux, 48 on macOS.
    pattern:
      /address already in use|EADDRINUSE|couldn't bind (?:HTTP )?(?:server )?socket|\[Errno (?:98|48)\]/i,
    cause: () => 'Another program has taken the port.',
    todo: () => 'Restart the server: it then gets another port, unless the launch sets one.',
  },
  {
    id: 'gpu-busy',
    pattern:
      /Free memory on device .{0,200}?\(([\d.]+)\/([\d.]+) GiB\) on startup is less than desired GPU memory utilization/,
    cause: ([free, all]) =>
      `Only ${free} of ${all} GiB of the GPU were free: another program holds the rest, perhaps an engine that outlived its server.`,
    todo: () => 'Choose another GPU, stop what holds this one (see Machines), or lower the share of memory.',
  },
  {
    id: 'gpu-busy',
    pattern: /less than desired GPU memory utilization/,
    cause: () => "Less of the GPU's memory is free than the launch asks for: another program holds the rest.",
    todo: () => 'Choose another GPU, stop what holds this one (see Machines), or lower the share of memory.',
  },
  {
    id: 'cache-too-small',
    pattern:
      /max seq len \((\d+)\)[\s\S]{0,200}?(?:KV cache|maximum number of tokens)(?:[\s\S]{0,400}?estimated maximum model length is (\d+))?/,
    cause: ([wanted]) =>
      `The KV cache that fits next to the weights is too small for one answer of ${wanted} tokens.`,
    todo: ([, fits]) =>
      `Set the context to ${fits === undefined || fits === '' ? 'fewer tokens' : `at most ${fits} tokens`}, raise the share of memory, or take more GPUs.`,
  },
  {
    id: 'cache-too-small',
    pattern: /No available memory for the cache blocks/,
    cause: () => 'The weights leave no memory for the KV cache.',
    todo: () => `Raise the share of memory, or ${more}, or quantized weights.`,
  },
  {
    id: 'out-of-memory',
    pattern:
      /(?:CUDA|HIP) out of memory|CUDA error: out of memory|torch\.(?:cuda\.)?OutOfMemoryError|cudaMalloc failed: out of memory|(?:unable|failed) to allocate (?:CUDA|ROCm)\d* buffer|hipErrorOutOfMemory|CUDA_ERROR_OUT_OF_MEMORY/,
    cause: () => 'The GPU ran out of memory.',
    todo: (_found, { memoryShare }) =>
      memoryShare > 0.9
        ? `Lower the share of memory (${memoryShare} leaves nothing for what runs next to the KV cache), or ${more}.`
        : `Check whether somebody else uses the GPU; otherwise ${more}, or quantized weights.`,
  },
  {
    id: 'tensor-parallel',
    pattern: /[Aa]ttention heads \((\d+)\) must be divisible by tensor parallel size \((\d+)\)/,
    cause: ([heads, size]) => `The model's ${heads} attention heads cannot be split over ${size} GPUs.`,
    todo: ([heads]) => `Take a number of GPUs that divides ${heads}: ${divisorsOf(Number(heads))}.`,
  },
  {
    id: 'tensor-parallel',
    pattern:
      /(?:must be divisible by|not divisible by|divisible by) (?:the )?(?:tensor[ _-]?(?:model[ _-]?)?parallel|tp[ _]size|world size)|(?<!\d)(\d+) is not divisible by (\d+)/i,
    cause: () => 'The model cannot be split over this number of GPUs.',
    todo: () => "Take 1, 2, 4 or 8 GPUs: the number must divide the model's attention heads.",
  },
  {
    id: 'tensor-parallel',
    pattern:
      /(?:World size|[Tt]ensor parallel size|parallel size) \(?(\d+)\)? (?:is larger than|cannot be larger than|exceeds) the number of available GPUs \(?(\d+)?|invalid device ordinal/,
    cause: ([requested, available]) =>
      requested === undefined || requested === ''
        ? 'The engine requested more GPUs than the job has.'
        : `The engine requested ${requested} GPUs but sees ${available === undefined || available === '' ? 'fewer' : available}.`,
    todo: ({ length: _length }, { gpus, commandLine }) =>
      commandLine === null
        ? `Check whether ${gpus} GPUs of the machine work.`
        : `The launch has ${gpus} GPUs: make the edited command request as many.`,
  },
  {
    id: 'context-too-long',
    pattern: /max_model_len \((\d+)\) is greater than the derived max_model_len[\s\S]{0,200}?=(\d+)/,
    cause: ([requested, own]) =>
      `The context of ${requested} tokens is longer than the model's maximum of ${own}.`,
    todo: ([, own]) => `Set the context to at most ${own} tokens.`,
  },
  {
    id: 'gated',
    pattern:
      /gated repo|GatedRepoError|Access to model \S+ is restricted|awaiting a review from the repo authors|(?:401|403) Client Error|HTTP 40[13]\b.{0,400}huggingface/i,
    cause: () => 'The hub gives these weights only to users who have accepted their terms.',
    todo: (_found, { weights }) =>
      `Accept the terms at https://huggingface.co/${weights.replace(/:[\s\S]*/, '')}, then log in on the machine once: hf auth login.`,
  },
  {
    id: 'missing-weights',
    pattern:
      /RepositoryNotFoundError|Repository Not Found|is not a local folder and is not a valid model identifier|Repo id must be in the form|HFValidationError|does not appear to have (?:a file|files) named (\S+)|Cannot find any model weights|Can't load the configuration of|No such file or directory:? '?[^'\n]{0,1000}(?:safetensors|\.gguf|config\.json|\.bin)/,
    cause: ([file]) =>
      file === undefined || file === ''
        ? 'The weights are not where the launch expects them.'
        : `The folder of the weights does not contain ${file}.`,
    todo: (_found, { weights }) =>
      `Check "${weights}" on the machine: it must be a folder with config.json and .safetensors files, or a name at the hub.`,
  },
  {
    id: 'offline',
    pattern:
      /Temporary failure in name resolution|Name or service not known|Could not resolve host|Failed to establish a new connection|Max retries exceeded with url|couldn't connect to 'https:\/\/huggingface|LocalEntryNotFoundError|OfflineModeIsEnabled|outgoing traffic has been disabled|Network is unreachable|dial tcp: lookup/,
    cause: () => 'The weights are not on the machine, and it cannot reach the hub.',
    todo: (_found, { weights }) =>
      `Download "${weights}" on a computer with network access (hf download), copy the folder to the machine, and set its path in the launch. Or set HF_ENDPOINT or https_proxy in its environment.`,
  },
  {
    id: 'damaged-weights',
    pattern:
      /SafetensorError|HeaderTooLarge|Error while deserializing header|MetadataIncompleteBuffer|InvalidHeaderDeserialization|invalid magic characters|tensor data is not within the file bounds/,
    cause: () => 'A file of the weights is damaged, or its download was incomplete.',
    todo: (_found, { weights }) =>
      `Download them again: hf download ${weights}. Files of some hundred bytes are pointers of git-lfs: git lfs pull.`,
  },
  {
    id: 'architecture',
    pattern:
      /Model architectures \[([^\]]{0,400})\] (?:are not supported|failed to be inspected)|model type `?([\w-]+)`? but Transformers does not recognize this architecture|Unrecognized (?:model|configuration class) /,
    cause: ([first, second]) => {
      const name = (first || second || '').replaceAll("'", '');
      return name === ''
        ? 'The engine does not know the architecture of this model.'
        : `The engine does not know the architecture ${name}.`;
    },
    todo: () => 'Use a newer version of the engine (and of transformers), or another engine.',
  },
  {
    id: 'chat-template',
    pattern:
      /default chat template is no longer allowed|tokenizer\.chat_template is not set|does not have a chat template|no chat template|chat template (?:is )?(?:not|un)(?: found|supported|set)/i,
    cause: () => 'The model has no chat template, so it cannot answer chat requests.',
    todo: () =>
      'Set one in the further arguments (vLLM, SGLang: --chat-template FILE; llama.cpp: --chat-template NAME), or use the chat version of the model.',
  },
  {
    id: 'driver',
    pattern:
      /NVIDIA driver on your system is too old|CUDA driver version is insufficient|forward compatibility was attempted|unsupported toolchain|no kernel image is available for execution/,
    cause: () => "The machine's GPU driver is too old for this engine, or its GPU is.",
    todo: () =>
      'Install a newer driver (ask the administrator), or an engine built for the CUDA version that nvidia-smi shows.',
  },
  {
    id: 'no-gpu',
    pattern:
      /No CUDA GPUs are available|Found no NVIDIA driver|Failed to infer device type|libcuda\.so\.1: cannot open|Torch not compiled with CUDA enabled|no (?:ROCm|CUDA)-capable device/,
    cause: () => 'The engine sees no GPU.',
    todo: (_found, { gpus }) =>
      gpus === 0
        ? 'The launch has no GPU: set at least one.'
        : 'Check that nvidia-smi works on the machine and that the engine is installed for its GPUs.',
  },
  {
    id: 'data-type',
    pattern: /Bfloat16 is only supported on GPUs with compute capability/,
    cause: () => 'This GPU is too old for bfloat16.',
    todo: () => 'Add --dtype half to the further arguments.',
  },
  {
    id: 'nccl',
    pattern:
      /NCCL error|ncclSystemError|ncclUnhandledCudaError|ncclInternalError|ncclRemoteError|ProcessGroupNCCL\S{0,100} .{0,400}(?:timeout|timed out)|Watchdog caught collective operation timeout/i,
    cause: () => 'The GPUs could not communicate with each other (NCCL).',
    todo: () =>
      'Try NCCL_P2P_DISABLE=1 in its environment, check the free space in /dev/shm, and set NCCL_DEBUG=INFO to see more in the log.',
  },
  {
    id: 'disk-full',
    pattern: /No space left on device|Disk quota exceeded/,
    cause: () => 'A disk is full (perhaps /dev/shm, or the home folder that downloads go to).',
    todo: () => 'Free some space, or set HF_HOME in its environment to a folder with room.',
  },
  {
    id: 'argument',
    pattern:
      /unrecognized arguments?:? ([^\n]*)|invalid argument:? ([^\n]*)|unknown argument:? ([^\n]*)|No such option:? ([^\n]*)/i,
    cause: (groups) =>
      `The engine does not know the argument: ${groups.find((group) => group !== '')?.trim() ?? ''}`,
    todo: () => 'Check the further arguments and the version of the engine.',
  },
  {
    id: 'module',
    pattern: /ModuleNotFoundError: No module named '?([\w.]+)'?|No module named '?([\w.]+)'?/,
    cause: (groups) => `Python cannot find the module ${groups.find((group) => group !== '')}.`,
    todo: () => 'Choose the environment where the engine is installed, or install the missing module there.',
  },
  {
    id: 'module',
    pattern: /ImportError: ([^\n]*)/,
    cause: ([error]) => `Python could not load a module: ${error}`,
    todo: () => 'Reinstall the engine in its own environment: its packages do not fit together.',
  },
];

/** `text` is the end of the server's log (some 64 KiB), perhaps with what it answered to a first request. */
export function diagnose(
  kind: EngineKind,
  launch: ServerLaunch,
  text: string,
  end: ProcessEnd | null,
): (ServerDiagnosis & { readonly id: FailureId | null }) | null {
  for (const failurePattern of [...kind.failurePatterns, ...COMMON_FAILURES]) {
    const match = failurePattern.pattern.exec(text);
    if (match === null) continue;
    const groups = match.slice(1).map((group) => group ?? '');
    return {
      id: failurePattern.id,
      cause: failurePattern.cause(groups),
      todo: failurePattern.todo(groups, launch),
      lines: contextLines(text, match.index),
    };
  }
  const byEnd = diagnoseEnd(kind, end);
  return byEnd === null ? null : { ...byEnd, lines: lastLines(text) };
}

/** The diagnosis from the exit code alone. */
function diagnoseEnd(
  kind: EngineKind,
  end: ProcessEnd | null,
): (Omit<ServerDiagnosis, 'lines'> & { readonly id: FailureId | null }) | null {
  if (end === null) return null;
  if (end.code === 127) {
    return {
      id: 'command-missing',
      cause: `${kind.title} was not found on the machine.`,
      todo: `Choose the environment where it is installed, or install it: ${kind.install}`,
    };
  }
  if (end.code === 137 || (end.code === null && !end.lost)) {
    return {
      id: 'killed',
      cause:
        'It was killed: by the system, because main memory ran out (loading needs about the size of the weights), or by a person.',
      todo: 'Check "dmesg | grep -i oom" on the machine. Slurm jobs: ask for more memory.',
    };
  }
  return null;
}

/** The last lines of a log as a terminal shows them: without what a carriage return has overwritten. */
export function lastLines(text: string, count = SHOWN_LINES): string[] {
  return shown(text).slice(-count);
}

function contextLines(text: string, index: number): string[] {
  const last = shown(text.slice(index));
  const line = shown(text.slice(text.lastIndexOf('\n', index) + 1)).at(0) ?? '';
  // The matching line, then the end: between them is only Python's stack trace.
  return last.length <= SHOWN_LINES
    ? shown(text).slice(-SHOWN_LINES)
    : [line, '...', ...last.slice(2 - SHOWN_LINES)];
}

function shown(text: string): string[] {
  return text
    .split('\n')
    .map(
      (line) =>
        line
          .replace(/(?<!\r)\r+$/, '')
          .split('\r')
          .at(-1)
          ?.trimEnd() ?? '',
    )
    .filter((line) => line !== '')
    .map((line) => (line.length > LINE_CHARACTERS ? `${line.slice(0, LINE_CHARACTERS)}...` : line));
}

function divisorsOf(count: number): string {
  return Array.from({ length: Math.min(count, 16) }, (_, i) => i + 1)
    .filter((size) => count % size === 0)
    .join(', ');
}
