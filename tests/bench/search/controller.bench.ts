// Run: npx vitest run --config tests/bench/search/bench.config.ts controller
// With treequest beside it: TREEQUEST_PYTHON=<a python that can import treequest> npx vitest run --config ...
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { randomStream } from '../../../main/base';
import { createStrategy } from '../../../main/search';
import type { Strategy } from '../../../preload/contract';
import { EVERY_STRATEGY } from '../../support/strategies';

/**
 * What the search itself costs per expansion (ask with its reasons, and tell) with an instant generator, and how it
 * grows with the tree. CPU time, not wall time, so that a busy machine disturbs it less.
 */
const SIZES = [60, 500, 2_000, 10_000] as const;
const AGENTS = ['a', 'b'];

/** treequest's ABMCTSA with its defaults, ask and tell, as published with our measurements; another machine, another day. */
const PUBLISHED_MS: Readonly<Record<number, number>> = { 60: 35, 500: 1_900, 2000: 67_500 };

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

type Cost = {
  readonly ms: number;
  /** Options that were compared, on average, for one expansion: what the rule itself asks for. */
  readonly compared: number;
};

/** Scores rise with the parent's, so that trees become wide and deep. */
function searchOnce(options: Strategy, nodes: number, run: number): Cost {
  const random = randomStream('bench scores', run);
  const scores = new Float64Array(nodes);
  let compared = 0;
  const start = cpuMs();
  const strategy = createStrategy(options, AGENTS, randomStream('bench', run));
  for (let index = 0; index < nodes; index++) {
    const ask = strategy.ask();
    if (ask === null) throw new Error('Nothing to ask');
    for (const decision of ask.why) compared += decision.options.length;
    const before = ask.parent === -1 ? 0 : (scores[ask.parent] as number);
    const agent = AGENTS.indexOf(ask.agentId);
    const score = Math.min(1, Math.max(0, 0.6 * before + 0.5 * random.uniform() + 0.05 * agent));
    scores[index] = score;
    strategy.tell(ask.trial, { kind: 'node', index, score });
  }
  return { ms: cpuMs() - start, compared: compared / nodes };
}

function medianCost(options: Strategy, nodes: number, runs: number): Cost {
  const costs = Array.from({ length: runs }, (_, run) => searchOnce(options, nodes, run));
  return { ms: median(costs.map(({ ms }) => ms)), compared: median(costs.map(({ compared }) => compared)) };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

function nameOf(options: Strategy): string {
  const parts = [
    options.kind,
    'beliefs' in options ? options.beliefs : '',
    'selection' in options ? options.selection : '',
  ];
  if ('depthGuidance' in options && options.depthGuidance !== null) parts.push('guided');
  return parts.filter((part) => part !== '').join(' ');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const COMPARED = 'ab-mcts-a gaussian thompson';

test('what the controller costs per expansion', () => {
  print(
    'strategy                            N   whole tree ms   per expansion us   compared   growth of the whole (exponent)',
  );
  for (const options of EVERY_STRATEGY) {
    for (let run = 0; run < 5; run++) searchOnce(options, 60, run); // warm up
    let before: { nodes: number; ms: number } | null = null;
    for (const nodes of SIZES) {
      const runs = nodes <= 500 ? 11 : nodes <= 2_000 ? 5 : 3;
      const { ms, compared } = medianCost(options, nodes, runs);
      const growth =
        before === null ? '' : (Math.log(ms / before.ms) / Math.log(nodes / before.nodes)).toFixed(2);
      const time = `${ms.toFixed(2).padStart(13)}   ${((ms / nodes) * 1000).toFixed(1).padStart(16)}   ${compared.toFixed(1).padStart(8)}`;
      print(`${nameOf(options).padEnd(29)} ${String(nodes).padStart(7)}   ${time}   ${growth.padStart(6)}`);
      before = { nodes, ms };
    }
  }
});

const rowSchema = z.object({ nodes: z.number(), ms: z.number() });

/** treequest's own time in this run, or null where no Python with it was named. */
function treequestMs(nodes: number): number | null {
  const python = process.env.TREEQUEST_PYTHON;
  if (python === undefined) return null;
  const script = fileURLToPath(new URL('./treequest_controller.py', import.meta.url));
  return rowSchema.parse(JSON.parse(execFileSync(python, [script, String(nodes)], { encoding: 'utf8' }))).ms;
}

test('how much cheaper than treequest it is', () => {
  print('AB-MCTS-A, Gaussian, two agents   N   here ms   treequest ms   ratio   treequest measured');
  for (const nodes of [60, 500, 2_000]) {
    const options = EVERY_STRATEGY.find((strategy) => nameOf(strategy) === COMPARED) as Strategy;
    const oursMs = medianCost(options, nodes, 5).ms;
    const theirs = treequestMs(nodes);
    const theirsMs = theirs ?? PUBLISHED_MS[nodes] ?? Number.NaN;
    const row = `${oursMs.toFixed(2).padStart(7)}   ${theirsMs.toFixed(0).padStart(12)}   ${(theirsMs / oursMs).toFixed(0).padStart(5)}`;
    print(
      `${String(nodes).padStart(35)}   ${row}   ${theirs === null ? 'elsewhere, published' : 'in this run'}`,
    );
    expect(theirsMs).toBeGreaterThan(oursMs);
  }
});
