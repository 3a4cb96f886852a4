// Run: npx vitest run --config tests/bench/saturation/bench.config.ts shape
import { expect, test } from 'vitest';
import { ok, randomStream } from '../../../main/base';
import { searchTree } from '../../../main/search';
import { type NodeAdded, PRESETS, type SearchOptions } from '../../../preload/contract';
import { configWith, problemWith, recordingOptions } from '../../support/search-fixture';

const TREES = 100;
const NODES = 60;

/** Searches trees with made-up answers where a refinement is mostly a little better than its parent. */
async function shapeOf(
  search: Partial<SearchOptions>,
): Promise<{ depth: number; deepest: number; firsts: number; best: number }> {
  const sum = { depth: 0, deepest: 0, firsts: 0, best: 0 };
  for (let tree = 0; tree < TREES; tree++) {
    const random = randomStream('shape', tree);
    const problem = problemWith({ id: `shape/${tree}` });
    const { events, options } = recordingOptions({
      problem,
      config: configWith({ nodes: NODES, ...search }, ['a', 'b'], tree),
      generate: async (request) => {
        const before = Number(/quality (\d+)/.exec(request.messages.at(-1)?.content ?? '')?.[1] ?? 0);
        const quality = Math.max(
          0,
          Math.min(8, before + random.integer(3) - (random.integer(3) === 0 ? 2 : 0)),
        );
        // In the order of arrival the slowest comes last.
        for (let i = random.integer(20); i > 0; i--) await null;
        return ok({
          answer: `\`\`\`python\n# quality ${quality}\n\`\`\``,
          promptTokens: 1,
          completionTokens: 1,
        });
      },
      grade: async (program) => {
        const quality = Number(/quality (\d+)/.exec(program)?.[1] ?? 0);
        const results = Array.from({ length: 3 }, (_, at) => ({
          verdict: quality > 2 * at ? ('passed' as const) : ('wrong-answer' as const),
          actual: null,
          error: null,
          cpuMs: 1,
          wallMs: 1,
        }));
        return {
          verdict: results.every(({ verdict }) => verdict === 'passed') ? 'passed' : 'wrong-answer',
          results,
        };
      },
    });
    expect(await searchTree(options)).toEqual({ kind: 'searched' });
    const nodes = events.filter((event): event is NodeAdded => event.kind === 'node-added');
    const depths: number[] = [];
    for (const { parent } of nodes) depths.push(parent === -1 ? 1 : (depths[parent] ?? 0) + 1);
    sum.depth += depths.reduce((all, depth) => all + depth, 0) / NODES / TREES;
    sum.deepest += Math.max(...depths) / TREES;
    sum.firsts += depths.filter((depth) => depth === 1).length / NODES / TREES;
    sum.best += Math.max(...nodes.map(({ score }) => score)) / TREES;
  }
  return sum;
}

test('what trials under way together do to the shape of a tree', async () => {
  const lines = [
    `means over ${TREES} trees of ${NODES} nodes`,
    'preset      batch  order    first attempts  mean depth  deepest  best score',
  ];
  for (const id of ['ab-mcts-a', 'mars2-t']) {
    const method = PRESETS.find((preset) => preset.id === id)?.method;
    if (method === undefined) throw new Error(`No preset ${id}`);
    for (const [batch, order] of [
      [1, 'asked'],
      [4, 'asked'],
      [4, 'arrival'],
      [16, 'asked'],
      [16, 'arrival'],
      [60, 'asked'],
    ] as const) {
      const { strategy, score } = method;
      const shape = await shapeOf({ strategy, score, batch, order });
      lines.push(
        `${id.padEnd(11)} ${String(batch).padStart(5)}  ${order.padEnd(8)} ${`${(100 * shape.firsts).toFixed(0)} %`.padStart(14)}  ${shape.depth.toFixed(2).padStart(10)}  ${shape.deepest.toFixed(1).padStart(7)}  ${shape.best.toFixed(2).padStart(10)}`,
      );
    }
  }
  process.stdout.write(`${lines.join('\n')}\n`);
});
