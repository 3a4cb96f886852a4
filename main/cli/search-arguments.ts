import {
  DEPTH_GUIDANCE,
  PLAIN_SEARCH,
  PRESETS,
  type RewardModel,
  type SearchOptions,
  type Strategy,
} from '../../preload/contract/index';
import { type CliOptions, UsageError } from './cli-options';

const DEFAULT_PRESET = 'ab-mcts-a';
/** N of the papers' searches. */
const NODES = 60;
const SAMPLES_PER_AGENT = 8;

/** The search that these options describe: a preset, then the parts that are set. */
export function searchOf(options: CliOptions): SearchOptions {
  const id =
    options.choice(
      'strategy',
      PRESETS.map((preset) => preset.id),
    ) ?? DEFAULT_PRESET;
  const preset = PRESETS.find((preset) => preset.id === id);
  if (preset === undefined) throw new Error(`No preset ${id}`);
  const { guided: _guided, ...method } = preset.method;
  const strategy = strategyOf(method.strategy, options);
  return {
    ...PLAIN_SEARCH,
    ...method,
    strategy,
    score: options.choice('score', ['fraction', 'all']) ?? method.score,
    tie: options.choice('tie', ['earliest', 'latest']) ?? method.tie,
    feedback: options.choice('feedback', ['verdicts', 'errors', 'marti']) ?? method.feedback,
    nodes: options.count('nodes', 1, 100_000) ?? NODES,
    batch: options.count('batch', 1, 64) ?? 1,
    order: options.choice('order', ['asked', 'arrival']) ?? 'asked',
    samplesPerAgent:
      options.count('samples', 0, 1_000) ?? (strategy.kind === 'repeated' ? 0 : SAMPLES_PER_AGENT),
    rewardModel: rewardModelOf(options),
    stopWhenSolved: options.flag('stop-when-solved'),
    treeBudget: {
      tokens: options.count('tree-tokens', 1, 1_000_000_000) ?? null,
      seconds: options.number('tree-seconds', 0.001, 1_000_000) ?? null,
    },
    grading: options.choice('grading', ['as-program', 'as-published']) ?? 'as-program',
  };
}

/** A warning if the preset expects a reward model and none is given; null: no warning. */
export function missingPart(options: CliOptions): string | null {
  const preset = PRESETS.find(({ id }) => id === options.text('strategy'));
  if (preset?.method.guided !== true || options.text('reward-model') !== undefined) return null;
  return `${preset.name} runs without a reward model: ties go by --tie. Give one with --reward-model.`;
}

function strategyOf(strategy: Strategy, options: CliOptions): Strategy {
  const beliefs = options.choice('beliefs', ['gaussian', 'beta']);
  const selection = options.choice('selection', ['thompson', 'ucb', 'stack']);
  const guidance = options.choice('depth-guidance', ['on', 'off']);
  if (strategy.kind === 'ab-mcts-a') {
    return {
      ...strategy,
      beliefs: beliefs ?? strategy.beliefs,
      selection: selection ?? strategy.selection,
      depthGuidance: guidance === 'off' ? null : guidance === 'on' ? DEPTH_GUIDANCE : strategy.depthGuidance,
    };
  }
  if (beliefs !== undefined || guidance !== undefined) {
    throw new UsageError('--beliefs and --depth-guidance belong to ab-mcts-a, mars2-t and mars2-t-plus.');
  }
  if (strategy.kind === 'ab-mcts-m') return { ...strategy, selection: selection ?? strategy.selection };
  if (selection !== undefined) throw new UsageError(`--selection does not belong to ${strategy.kind}.`);
  return strategy;
}

/** "pocket", "pocket:SEED" or the address of a server that scores; its default use is "choice". */
function rewardModelOf(options: CliOptions): RewardModel | null {
  const text = options.text('reward-model');
  const use = options.choice('reward-use', ['choice', 'score']) ?? 'choice';
  const weight = options.number('reward-weight', 0, 1) ?? 0.2;
  if (text === undefined) {
    if (options.text('reward-use') !== undefined || options.text('reward-weight') !== undefined) {
      throw new UsageError('--reward-use and --reward-weight need --reward-model.');
    }
    return null;
  }
  const pocket = /^pocket(?::(\d{1,9}))?$/.exec(text);
  if (pocket !== null) return { source: { kind: 'pocket', seed: Number(pocket[1] ?? 1) }, use, weight };
  if (/^https?:/.test(text) && URL.canParse(text))
    return { source: { kind: 'http', url: text }, use, weight };
  throw new UsageError(`--reward-model is pocket, pocket:SEED or an http address, not "${text}".`);
}
