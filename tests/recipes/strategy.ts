import { expect } from 'vitest';
import type { RunEvent } from '../../preload/contract';
import type { Recipe } from './recipe';

// CONTRIBUTING.md, "Add a search strategy": its own file and three entries.

export const strategy: Recipe = {
  name: 'a strategy',
  about: /\bstrategySchema\b|\bStrategy\b|\bstrategy\.kind\b|\bSTRATEGIES\b/,
  adds: {
    'main/search/random-node.ts': `
import type { Strategy } from '../../preload/contract';
import type { Random } from '../base';
import { ExpandableNodes } from './expandable-nodes';
import type { Expansion, SearchAlgorithm } from './search-algorithm';
import { ROOT, SearchTree } from './tree';

/** Expands the root with probability \`rootShare\`, else a node by chance; agents by chance. */
export class RandomNode implements SearchAlgorithm {
  readonly tree = new SearchTree();
  readonly #expandable: ExpandableNodes;
  readonly #rootShare: number;
  readonly #random: Random;

  constructor(options: Extract<Strategy, { kind: 'random-node' }>, agentCount: number, random: Random) {
    this.#expandable = new ExpandableNodes(agentCount, this.tree);
    this.#rootShare = options.rootShare;
    this.#random = random;
  }

  selectExpansion(): Expansion | null {
    const nodes = [ROOT, ...Array.from({ length: this.tree.size }, (_, node) => node)].filter(
      (node) => this.#expandable.agentsAt(node).length > 0,
    );
    if (nodes.length === 0) return null;
    const goesWider = this.#random.uniform() < this.#rootShare;
    const parent = goesWider ? (nodes[0] as number) : (nodes[this.#random.integer(nodes.length)] as number);
    const agents = this.#expandable.agentsAt(parent);
    return { parent, agent: agents[this.#random.integer(agents.length)] as number, why: [] };
  }

  record(parent: number, agent: number): number {
    const node = this.tree.add(parent, agent);
    this.#expandable.nodeAdded(node);
    return node;
  }

  failed(): void {}

  close({ parent, agent }: Expansion): void {
    this.#expandable.close(parent, agent);
  }

  retire(agent: number): void {
    this.#expandable.retire(agent);
  }

  revive(agent: number): void {
    this.#expandable.revive(agent);
  }
}
`,
  },
  touches: {
    'preload/contract/strategy.ts': [
      [
        "export const strategySchema = z.discriminatedUnion('kind', [",
        "\n  z.object({ kind: z.literal('random-node'), rootShare: z.number().min(0).max(1).default(0.5) }),",
      ],
    ],
    'preload/contract/plans/strategy-fields.ts': [
      [
        "readonly [K in Strategy['kind']]: StrategyInfo<Extract<Strategy, { kind: K }>>;\n} = {",
        `
  'random-node': {
    name: 'Random node',
    line: 'Expands the root or a node by chance.',
    source: 'this test',
    defaults: { kind: 'random-node', rootShare: 0.5 },
    firstAttemptsOnly: false,
    options: {
      rootShare: {
        label: 'Share of the root',
        title: 'How often a first attempt is made',
        text: (value) => \`root share \${value}\`,
        input: { kind: 'number', min: 0, max: 1, step: 0.1 },
      },
    },
  },`,
      ],
    ],
    'main/search/algorithms.ts': [
      ["import { Mcts } from './mcts';", "\nimport { RandomNode } from './random-node';"],
      [
        'Create<Extract<Strategy, { kind: K }>> } = {',
        "\n  'random-node': (options, agentCount, random) => new RandomNode(options, agentCount, random),",
      ],
    ],
  },
  entry: `
import { PRESETS, strategyFields, strategySchema } from './preload/contract';
import { searchTree, verifyTree } from './main/search';
import { configWith, recordingOptions } from './tests/support/search-fixture';

const strategy = strategySchema.parse({ kind: 'random-node' });
const config = configWith({ strategy, nodes: 20, batch: 3 });
const { events, options } = recordingOptions({ config });
await searchTree(options);
export { events };
export const preset = PRESETS.find(({ id }) => id === 'random-node');
export const fields = strategyFields(strategy).map(({ label, text }) => [label, text]);
export const check = verifyTree({ config, problemId: options.problem.id, part: 'search', events });
`,
  check: (added) => {
    const nodes = (added.events as RunEvent[]).filter((event) => event.kind === 'node-added');
    expect(nodes).toHaveLength(20);
    expect(nodes.some(({ parent }) => parent === -1)).toBe(true);
    expect(nodes.some(({ parent }) => parent >= 0)).toBe(true);
    expect(added.check).toMatchObject({ nodes: 20, mismatch: null });
    expect(added.preset).toMatchObject({ name: 'Random node', method: { strategy: { rootShare: 0.5 } } });
    expect(added.fields).toEqual([['Share of the root', 'root share 0.5']]);
  },
};
