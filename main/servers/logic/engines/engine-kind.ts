import type { Engine, ServerLaunch } from '../../../../preload/contract';

/** Progress of a start, from a line of the log. */
export type LogProgress = {
  readonly stage: 'weights loading' | 'warming up';
  /** What to show beside the stage, e.g. "3 of 8 files"; empty for nothing. */
  readonly text: string;
};

/** Metrics of an engine; null: it does not report this one. */
export type EngineNumbers = {
  readonly running: number | null;
  readonly waiting: number | null;
  /** Completion tokens since the engine's start: the speed is the difference of two polls. */
  readonly generatedTokens: number | null;
  /** Share of the KV cache that is in use, 0 to 1. */
  readonly cacheUse: number | null;
};

/** A known failure: how the log shows it, and how to explain it. */
export type FailurePattern = {
  readonly id: FailureId;
  readonly pattern: RegExp;
  /** Sentences; `found` holds the pattern's groups. */
  readonly cause: (groups: readonly string[]) => string;
  readonly todo: (groups: readonly string[], launch: ServerLaunch) => string;
};

export type FailureId =
  | 'argument'
  | 'architecture'
  | 'cache-too-small'
  | 'chat-template'
  | 'command-missing'
  | 'context-too-long'
  | 'damaged-weights'
  | 'data-type'
  | 'disk-full'
  | 'driver'
  | 'gated'
  | 'gpu-busy'
  | 'killed'
  | 'missing-weights'
  | 'module'
  | 'nccl'
  | 'no-gpu'
  | 'offline'
  | 'out-of-memory'
  | 'port'
  | 'tensor-parallel';

/** A program that serves a model, described as data and a few pure functions. */
export type EngineKind = {
  readonly engine: Engine;
  readonly title: string;
  /** A line for a POSIX shell that succeeds where the program is installed. */
  readonly probe: string;
  /** What to type to install it. */
  readonly install: string;
  /**
   * It is our own package, which is copied to the machine first: in probe and command `{learner}` stands for its folder
   * and `{python}` for a Python of the launch's environment.
   */
  readonly usesLearner: boolean;
  /** Generated from the launch; `{port}` stands for the port. */
  readonly commandLine: (launch: ServerLaunch) => string;
  /** The progress that a line of the log shows; null: none. */
  readonly progressOf: (line: string) => LogProgress | null;
  /** False if the server lists the models of a cache and answers to every name. */
  readonly listsItsModel: boolean;
  /** Reserves its share of the GPU's memory at the start, so that the launch's `memoryShare` and context count. */
  readonly reservesMemory: boolean;
  /** Takes `ignore_eos`, so that a speed test gets answers of the requested length. */
  readonly ignoresEnd: boolean;
  /** Path of its metrics; null: it has none. */
  readonly metricsPath: string | null;
  readonly numbersOf: (text: string) => EngineNumbers;
  /** Tried before the common patterns. */
  readonly failurePatterns: readonly FailurePattern[];
};

export const NO_NUMBERS: EngineNumbers = {
  running: null,
  waiting: null,
  generatedTokens: null,
  cacheUse: null,
};

/** Patterns for a line of the log; the first match wins. */
export type LogPattern = readonly [
  pattern: RegExp,
  stage: LogProgress['stage'],
  text: (groups: readonly string[]) => string,
];

export function progressBy(patterns: readonly LogPattern[]): (line: string) => LogProgress | null {
  return (line) => {
    for (const [pattern, stage, text] of patterns) {
      const groups = pattern.exec(line);
      if (groups !== null) return { stage, text: text(groups.slice(1).map((group) => group ?? '')) };
    }
    return null;
  };
}

/** Progress lines of Python libraries: tqdm's bars and transformers' shards. */
export const PYTHON_PROGRESS: readonly LogPattern[] = [
  // "Loading safetensors checkpoint shards:  56% Completed | 5/9 [00:13<00:11,  2.87s/it]"
  [
    /oading .{0,200}shards:\s*\d+% Completed \| (\d+)\/(\d+)/,
    'weights loading',
    ([done, all]) => `${done} of ${all} files`,
  ],
  // "Loading checkpoint shards:  50%|#####     | 1/2 [00:01<00:01,  1.12s/it]"
  [
    /oading (?:checkpoint shards|weights):\s*\d+%\|[^|]*\|\s*(\d+)\/(\d+)/,
    'weights loading',
    ([done, all]) => `${done} of ${all}`,
  ],
  // "model-00002-of-00005.safetensors:  12%|#         | 512M/4.00G"
  [
    /\S\.(?:safetensors|gguf|bin):\s*(\d+)%\|/,
    'weights loading',
    ([percent]) => `downloading, ${percent} % of a file`,
  ],
  [
    /Fetching \d+ files:\s*\d+%\|[^|]*\|\s*(\d+)\/(\d+)/,
    'weights loading',
    ([done, all]) => `downloading, ${done} of ${all} files`,
  ],
];

/** Arguments that the user adds are not changed. */
export function joinCommand(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}
