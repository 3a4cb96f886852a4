// Run: npx vitest run --config tests/bench/search/bench.config.ts
import { expect, test } from 'vitest';
import { randomStream } from '../../../main/base';
import { AbMctsA, type AbMctsOptions } from '../../../main/search';

/** What the search itself costs per expansion, generation and grading left out, and how it grows with the tree. */
const SIZES = [60, 500, 2_000, 10_000] as const;

const OPTIONS: readonly AbMctsOptions[] = (['gaussian', 'beta'] as const).flatMap((beliefs) =>
  (['thompson', 'ucb', 'stack'] as const).map((selection) => ({ beliefs, selection })),
);

/** Rising with the parent's score, so that trees become wide and deep. */
function searchOnce(options: AbMctsOptions, nodes: number, run: number): number {
  const random = randomStream('bench scores', run);
  const search = new AbMctsA(options, 2, randomStream('bench', run));
  const scores = new Float64Array(nodes);
  const start = process.hrtime.bigint();
  for (let i = 0; i < nodes; i++) {
    const { parent, agent } = search.select();
    const before = parent === -1 ? 0 : (scores[parent] as number);
    scores[i] = Math.min(1, Math.max(0, 0.6 * before + 0.5 * random.uniform() + 0.05 * agent));
    search.record(parent, agent, scores[i] as number);
  }
  return Number(process.hrtime.bigint() - start) / 1e6;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

test('what the controller costs per expansion', () => {
  for (const options of OPTIONS) for (let run = 0; run < 20; run++) searchOnce(options, 60, run); // warm up
  const lines = [
    'beliefs   selection      N   whole tree ms   per expansion us   growth of the whole (exponent)',
  ];
  for (const options of OPTIONS) {
    let before: { nodes: number; ms: number } | null = null;
    for (const nodes of SIZES) {
      const runs = nodes <= 500 ? 21 : nodes <= 2_000 ? 7 : 3;
      const ms = median(Array.from({ length: runs }, (_, run) => searchOnce(options, nodes, run)));
      const growth =
        before === null ? '' : (Math.log(ms / before.ms) / Math.log(nodes / before.nodes)).toFixed(2);
      const name = `${options.beliefs.padEnd(9)} ${options.selection.padEnd(9)}`;
      const time = `${ms.toFixed(2).padStart(13)}   ${((ms / nodes) * 1000).toFixed(1).padStart(16)}`;
      lines.push(`${name} ${String(nodes).padStart(6)}   ${time}   ${growth.padStart(6)}`);
      before = { nodes, ms };
    }
  }
  process.stdout.write(`${lines.join('\n')}\n`);
  expect(lines).toHaveLength(1 + OPTIONS.length * SIZES.length);
});
