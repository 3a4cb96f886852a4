// Run: npx vitest run --config tests/bench/search/bench.config.ts shape
import { expect, test } from 'vitest';
import { type Random, randomStream } from '../../../main/base';
import { type Ask, createStrategy, type TreeStrategy } from '../../../main/search';
import { type Strategy, strategySchema } from '../../../preload/contract';

/** What several trials at once inside one tree do to its shape; the table stands in docs/search.md. */
const NODES = 60;
const TREES = 300;
const BATCHES = [1, 2, 4, 8, 16] as const;

const STRATEGIES: readonly Strategy[] = [
  { kind: 'ab-mcts-a', beliefs: 'gaussian', selection: 'thompson' },
  { kind: 'ab-mcts-a', beliefs: 'beta', selection: 'thompson' },
  { kind: 'ab-mcts-a', beliefs: 'beta', selection: 'thompson', depthGuidance: {} },
  { kind: 'ab-mcts-m', selection: 'thompson' },
  { kind: 'mcts' },
  { kind: 'best-first' },
  { kind: 'tot-bfs' },
].map((options) => strategySchema.parse(options));

type Shape = {
  readonly rootChildren: number;
  readonly meanDepth: number;
  readonly maxDepth: number;
  readonly best: number;
};

/** Scores rise with the parent's: a refinement keeps 0.6 of it and adds up to 0.5. */
class ToyTree {
  readonly #chance: Random;
  readonly #strategy: TreeStrategy;
  readonly scores: number[] = [];
  readonly depths: number[] = [];

  constructor(options: Strategy, seed: number) {
    this.#chance = randomStream('toy scores', seed);
    this.#strategy = createStrategy(options, ['a', 'b'], randomStream('toy', seed));
  }

  ask(): Ask {
    const ask = this.#strategy.ask();
    if (ask === null) throw new Error('Nothing to ask');
    return ask;
  }

  tell({ trial, parent }: Ask): void {
    const before = parent === -1 ? 0 : (this.scores[parent] as number);
    const score = Math.min(1, 0.6 * before + 0.5 * this.#chance.uniform());
    this.#strategy.tell(trial, { kind: 'node', index: this.scores.length, score });
    this.scores.push(score);
    this.depths.push(parent === -1 ? 1 : (this.depths[parent] as number) + 1);
  }

  get shape(): Shape {
    return {
      rootChildren: this.depths.filter((depth) => depth === 1).length,
      meanDepth: this.depths.reduce((sum, depth) => sum + depth, 0) / this.depths.length,
      maxDepth: Math.max(...this.depths),
      best: Math.max(...this.scores),
    };
  }
}

/** Asked together, awaited, told in the order of asking. */
function inBatches(options: Strategy, batch: number, seed: number): Shape {
  const tree = new ToyTree(options, seed);
  while (tree.scores.length < NODES) {
    const size = Math.min(batch, NODES - tree.scores.length);
    for (const ask of Array.from({ length: size }, () => tree.ask())) tree.tell(ask);
  }
  return tree.shape;
}

/** Always `batch` under way; any of them may come next. */
function asTheyCome(options: Strategy, batch: number, seed: number): Shape {
  const tree = new ToyTree(options, seed);
  const chance = randomStream('arrival', seed);
  const open: Ask[] = [];
  while (tree.scores.length < NODES) {
    while (open.length < Math.min(batch, NODES - tree.scores.length)) open.push(tree.ask());
    const [ask] = open.splice(chance.integer(open.length), 1);
    if (ask !== undefined) tree.tell(ask);
  }
  return tree.shape;
}

function nameOf(options: Strategy): string {
  if (options.kind === 'ab-mcts-a') {
    return `ab-mcts-a ${options.beliefs}${options.depthGuidance === null ? '' : ', guided'}`;
  }
  return options.kind;
}

test('what parallelism inside a tree does to its shape', () => {
  const lines = [
    '| strategy | order | B | children of the root | mean depth | largest depth | best score |',
    '| --- | --- | --- | --- | --- | --- | --- |',
  ];
  for (const options of STRATEGIES) {
    for (const batch of BATCHES) {
      for (const order of ['asked', 'arrival'] as const) {
        if (batch === 1 && order === 'arrival') continue;
        const search = order === 'asked' ? inBatches : asTheyCome;
        const shapes = Array.from({ length: TREES }, (_, seed) => search(options, batch, seed));
        const mean = (valueIn: (shape: Shape) => number, digits: number): string =>
          (shapes.reduce((sum, shape) => sum + valueIn(shape), 0) / TREES).toFixed(digits);
        const cells = [
          mean((shape) => shape.rootChildren, 1),
          mean((shape) => shape.meanDepth, 2),
          mean((shape) => shape.maxDepth, 1),
          mean((shape) => shape.best, 3),
        ];
        lines.push(
          `| ${nameOf(options)} | ${batch === 1 ? 'one' : order} | ${batch} | ${cells.join(' | ')} |`,
        );
      }
    }
  }
  process.stdout.write(`${lines.join('\n')}\n`);
  expect(lines).toHaveLength(2 + STRATEGIES.length * (2 * BATCHES.length - 1));
});
