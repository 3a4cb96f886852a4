// Run: npx vitest run --config tests/bench/metrics/bench.config.ts
import { expect, test } from 'vitest';
import { randomStream } from '../../../main/base';
import {
  analyseStudy,
  analyseStudyInSteps,
  DEFAULT_RESAMPLES,
  LIVE_RESAMPLES,
  type ProblemFacts,
} from '../../../main/metrics';
import type { RunView } from '../../../preload/contract';
import { candidates, runViewOf } from '../../support/run-views';
import { configWith } from '../../support/search-fixture';

type Size = {
  readonly configurations: number;
  readonly problems: number;
  readonly nodes: number;
  readonly samples: number;
};

/** Candidates of many sizes and times, of which better configurations pass more. */
function studyOf({ configurations, problems, nodes, samples }: Size): RunView[] {
  const random = randomStream('analysis', nodes);
  const { search } = configWith({ nodes, samplesPerAgent: samples });
  return Array.from({ length: configurations }, (_, c) => {
    const letters = (count: number) =>
      Array.from({ length: count }, () =>
        random.uniform() < 0.02 + 0.002 * c ? 'p' : 'lww'[random.integer(3)],
      ).join('');
    const trees = Array.from({ length: problems }, (_, i) => [
      `q${i}`,
      {
        search: candidates(letters(nodes)),
        samples: [...candidates(letters(samples), 'a'), ...candidates(letters(samples), 'b')],
      },
    ]);
    const view = runViewOf(Object.fromEntries(trees), { configuration: `team ${c}`, search });
    const used = [...view.trees].map(([key, tree]) => {
      const own = tree.nodes.map((node) => ({
        ...node,
        promptTokens: 200 + random.integer(800),
        completionTokens: random.integer(4_000),
        generateMs: 1_000 * random.uniform(),
        gradeMs: 100 * random.uniform(),
      }));
      return [key, { ...tree, nodes: own }] as const;
    });
    return { ...view, trees: new Map(used) };
  });
}

function factsOf(problems: number): ReadonlyMap<string, ProblemFacts> {
  return new Map(
    Array.from({ length: problems }, (_, i) => [
      `q${i}`,
      {
        difficulty: (['easy', 'medium', 'hard'] as const)[i % 3] ?? null,
        platform: i % 2 === 0 ? 'leetcode' : 'atcoder',
        date: `2025-0${1 + (i % 5)}-01T00:00:00`,
      },
    ]),
  );
}

/** What the analysis of a study costs; it is computed again about once a second while a study runs. */
test('what an analysis costs, and for how long it keeps others waiting', async () => {
  const lines = ['configurations  problems  N   resamples  CPU ms longest step (ms, wall)'];
  for (const [size, resamples] of [
    [{ configurations: 3, problems: 60, nodes: 24, samples: 8 }, LIVE_RESAMPLES],
    [{ configurations: 3, problems: 60, nodes: 24, samples: 8 }, DEFAULT_RESAMPLES],
    [{ configurations: 3, problems: 175, nodes: 60, samples: 8 }, DEFAULT_RESAMPLES],
    [{ configurations: 20, problems: 175, nodes: 60, samples: 8 }, LIVE_RESAMPLES],
    [{ configurations: 20, problems: 175, nodes: 60, samples: 8 }, DEFAULT_RESAMPLES],
  ] as const) {
    const { configurations, problems, nodes } = size;
    const input = {
      studyId: 's',
      runs: studyOf(size),
      complete: true,
      seed: 1,
      resamples,
      facts: factsOf(problems),
    };
    const times = Array.from({ length: configurations > 3 ? 3 : 9 }, () => {
      const start = process.cpuUsage();
      expect(analyseStudy(input).pairs).toHaveLength((3 * configurations * (configurations - 1)) / 2);
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    }).sort((a, b) => a - b);
    let [longest, last] = [0, performance.now()];
    await analyseStudyInSteps(input, async () => {
      longest = Math.max(longest, performance.now() - last);
      await new Promise((resolve) => setImmediate(resolve));
      last = performance.now();
    });
    lines.push(
      [
        String(configurations).padEnd(15),
        String(problems).padEnd(9),
        String(nodes).padEnd(3),
        String(resamples).padEnd(10),
        (times[times.length >> 1] ?? 0).toFixed(1).padEnd(6),
        longest.toFixed(1),
      ].join(' '),
    );
  }
  process.stdout.write(`${lines.join('\n')}\n`);
});
