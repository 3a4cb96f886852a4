import type { DepthGuidance, Strategy } from '../strategy';
import { counted } from './number-text';

/** An option of a strategy: its field in forms, and how the name of a variant tells its value. */
export type StrategyOption<T> = {
  readonly label: string;
  readonly title: string;
  /** e.g. "exploration 1.41" */
  readonly text: (value: T) => string;
  readonly input: NumberInput | ChoiceInput<T>;
};
type NumberInput = {
  readonly kind: 'number';
  readonly min: number;
  readonly max: number;
  /** 1: whole numbers only. */
  readonly step: number;
};
type ChoiceInput<T> = {
  readonly kind: 'choice';
  readonly choices: readonly { readonly id: string; readonly label: string; readonly value: T }[];
  readonly idOf: (value: T) => string;
};

export type StrategyInfo<S extends Strategy> = {
  readonly name: string;
  /** One line that explains it. */
  readonly line: string;
  readonly source: string;
  readonly defaults: S;
  /** It never refines a program. */
  readonly firstAttemptsOnly: boolean;
  /** One per option of the strategy, in the order of the form. */
  readonly options: { readonly [F in Exclude<keyof S, 'kind'>]: StrategyOption<S[F]> };
};

/** Our choice of gamma(d); the paper gives "about 0.98 at shallow depth, smaller when deeper". */
export const DEPTH_GUIDANCE = { start: 0.98, slope: 0.02, floor: 0.8, counter: 'depth' } as const;

const samples: StrategyOption<number> = {
  label: 'Programs per agent',
  title: 'New programs of each agent when a leaf is expanded',
  text: (value) => `${counted(value, 'program')} per leaf and agent`,
  input: { kind: 'number', min: 1, max: 64, step: 1 },
};
const exploration: StrategyOption<number> = {
  label: 'Exploration weight',
  title: 'Weight of the exploration term of the upper confidence bound',
  text: (value) => `exploration ${value.toFixed(2)}`,
  input: { kind: 'number', min: 0, max: 100, step: 0.1 },
};
const SELECTION_TEXT = {
  thompson: 'agents by Thompson sampling',
  ucb: 'agents by UCB',
  stack: 'agent before node',
} as const;
const selection: StrategyOption<keyof typeof SELECTION_TEXT> = {
  label: 'Selection',
  title: 'How the agent is chosen, and whether before or after the node',
  text: (value) => SELECTION_TEXT[value],
  input: {
    kind: 'choice',
    choices: [
      { id: 'thompson', label: 'Thompson, node first', value: 'thompson' },
      { id: 'ucb', label: 'UCB, node first', value: 'ucb' },
      { id: 'stack', label: 'Stack, agent first', value: 'stack' },
    ],
    idOf: (value) => value,
  },
};

function depthText(guidance: DepthGuidance | null): string {
  if (guidance === null) return 'no depth guidance';
  const { start, slope, floor, counter } = guidance;
  return `depth guidance ${start} − ${slope}·d ≥ ${floor}, by ${counter}`;
}

/** Every search strategy as forms, lists and names show it. */
export const STRATEGIES: {
  readonly [K in Strategy['kind']]: StrategyInfo<Extract<Strategy, { kind: K }>>;
} = {
  repeated: {
    name: 'Repeated sampling',
    line: 'Only first attempts, agents in turn; the best public score wins (best-of-N).',
    source: 'Brown et al. 2024, arXiv 2407.21787',
    defaults: { kind: 'repeated' },
    firstAttemptsOnly: true,
    options: {},
  },
  refine: {
    name: 'Sequential refinement',
    line: 'One first attempt, then each program refines the one before, agents in turn.',
    source: 'Madaan et al. 2023, arXiv 2303.17651',
    defaults: { kind: 'refine' },
    firstAttemptsOnly: false,
    options: {},
  },
  mcts: {
    name: 'MCTS (UCT)',
    line: 'Walks to the leaf with the best bound and expands it with two programs of every agent.',
    source: 'treequest, StandardMCTS',
    defaults: { kind: 'mcts', samples: 2, exploration: Math.SQRT2 },
    firstAttemptsOnly: false,
    options: { samples, exploration },
  },
  'best-first': {
    name: 'Best-first',
    line: 'Always expands the best leaf so far with two programs of every agent.',
    source: 'treequest, BestFirstSearchAlgo',
    defaults: { kind: 'best-first', samples: 2 },
    firstAttemptsOnly: false,
    options: { samples },
  },
  'tot-bfs': {
    name: 'Tree of Thoughts, breadth first',
    line: 'Level by level: the three best programs of the deepest level get five children each.',
    source: 'Yao et al. 2023, arXiv 2305.10601; treequest, TreeOfThoughtsBFSAlgo',
    defaults: { kind: 'tot-bfs', breadth: 3, size: 5 },
    firstAttemptsOnly: false,
    options: {
      breadth: {
        label: 'Leaves kept per level',
        title: 'The best leaves of the deepest level, which are expanded',
        text: (value) => `breadth ${value}`,
        input: { kind: 'number', min: 1, max: 64, step: 1 },
      },
      size: {
        label: 'Children per leaf',
        title: 'New programs when a leaf is expanded, over all agents',
        text: (value) => `${value} children per leaf`,
        input: { kind: 'number', min: 1, max: 256, step: 1 },
      },
    },
  },
  'bandit-ucb': {
    name: 'Bandit (UCB)',
    line: 'Only first attempts; the agent with the best upper confidence bound writes.',
    source: 'Auer et al. 2002; treequest, MultiArmedBanditUCBAlgo',
    defaults: { kind: 'bandit-ucb', exploration: Math.SQRT2 },
    firstAttemptsOnly: true,
    options: { exploration },
  },
  'ab-mcts-a': {
    name: 'AB-MCTS-A',
    line: 'Draws from posteriors whether to go wider or deeper, then which agent writes.',
    source: 'Inoue et al. 2025, arXiv 2503.04412; treequest, ABMCTSA',
    defaults: { kind: 'ab-mcts-a', beliefs: 'gaussian', selection: 'thompson', depthGuidance: null },
    firstAttemptsOnly: false,
    options: {
      beliefs: {
        label: 'Beliefs',
        title: 'Family of the posterior distributions of scores',
        text: (value) => (value === 'beta' ? 'Beta beliefs' : 'Gaussian beliefs'),
        input: {
          kind: 'choice',
          choices: [
            { id: 'beta', label: 'Beta', value: 'beta' },
            { id: 'gaussian', label: 'Gaussian', value: 'gaussian' },
          ],
          idOf: (value) => value,
        },
      },
      selection,
      depthGuidance: {
        label: 'Depth guidance',
        title: 'The more programs a level of the tree has, the less likely is another fresh attempt there',
        text: depthText,
        input: {
          kind: 'choice',
          choices: [
            { id: 'off', label: 'off', value: null },
            { id: 'on', label: 'on', value: DEPTH_GUIDANCE },
          ],
          idOf: (value) => (value === null ? 'off' : 'on'),
        },
      },
    },
  },
  'ab-mcts-m': {
    name: 'AB-MCTS-M',
    line: 'As AB-MCTS-A, with one mixed model over all subtrees of a node instead of a posterior for each.',
    source: 'Inoue et al. 2025, arXiv 2503.04412; treequest, ABMCTSM',
    defaults: { kind: 'ab-mcts-m', selection: 'thompson', pruning: true },
    firstAttemptsOnly: false,
    options: {
      selection,
      pruning: {
        label: 'Pruning',
        title: 'Subtrees with mostly equal scores are not entered',
        text: (value) => (value ? 'pruning' : 'no pruning'),
        input: {
          kind: 'choice',
          choices: [
            { id: 'off', label: 'off', value: false },
            { id: 'on', label: 'on', value: true },
          ],
          idOf: (value) => (value ? 'on' : 'off'),
        },
      },
    },
  },
};

/** An option of one strategy with its value. */
export type StrategyField = {
  readonly key: string;
  readonly label: string;
  readonly title: string;
  readonly text: string;
} & (
  | (NumberInput & { readonly value: number; readonly withValue: (value: number) => Strategy })
  | {
      readonly kind: 'choice';
      readonly value: string;
      readonly choices: readonly { readonly value: string; readonly label: string }[];
      readonly withValue: (id: string) => Strategy;
    }
);

/** The options of a strategy with their values, in the order of the form. */
export function strategyFields(strategy: Strategy): readonly StrategyField[] {
  // Each option takes the values of its own field; TypeScript does not relate the two.
  const options = STRATEGIES[strategy.kind].options as Readonly<Record<string, StrategyOption<unknown>>>;
  return Object.entries(options).map(([key, { label, title, text, input }]): StrategyField => {
    const value: unknown = Reflect.get(strategy, key);
    const withOption = (next: unknown): Strategy => ({ ...strategy, [key]: next });
    const shown = { key, label, title, text: text(value) };
    if (input.kind === 'number') return { ...shown, ...input, value: Number(value), withValue: withOption };
    const withValue = (id: string): Strategy =>
      withOption(input.choices.find((choice) => choice.id === id)?.value ?? null);
    const choices = input.choices.map((choice) => ({ value: choice.id, label: choice.label }));
    return { ...shown, kind: 'choice', value: input.idOf(value), choices, withValue };
  });
}
