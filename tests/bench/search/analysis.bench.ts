// Run: npx vitest run --config tests/bench/search/bench.config.ts
import { expect, test } from 'vitest';
import { randomStream } from '../../../main/base';
import { analyseStudy, DEFAULT_RESAMPLES, LIVE_RESAMPLES } from '../../../main/metrics';
import { candidates, runViewOf } from '../../support/run-views';
import { configWith } from '../../support/search-world';

/** What the analysis of a study costs; it is made anew about once a second while a study runs. */
test('what an analysis of 3 configurations x 60 problems costs', () => {
  const lines = ['N    resamples   ms'];
  for (const nodes of [24, 60]) {
    const random = randomStream('analysis', nodes);
    const letters = (count: number) =>
      Array.from({ length: count }, () => 'plwwwwwwww'[random.integer(10)]).join('');
    const { search } = configWith({ nodes, samplesPerAgent: 8 });
    const runs = ['single', 'homogeneous', 'heterogeneous'].map((configuration) => {
      const problems = Array.from({ length: 60 }, (_, i) => [
        `q${i}`,
        { search: candidates(letters(nodes)), samples: candidates(letters(8)) },
      ]);
      return runViewOf(Object.fromEntries(problems), { configuration, search });
    });
    for (const resamples of [LIVE_RESAMPLES, DEFAULT_RESAMPLES]) {
      const times = Array.from({ length: 9 }, () => {
        const start = performance.now();
        expect(analyseStudy({ studyId: 's', runs, complete: true, seed: 1, resamples }).pairs).toHaveLength(
          9,
        );
        return performance.now() - start;
      }).sort((a, b) => a - b);
      lines.push(`${String(nodes).padEnd(4)} ${String(resamples).padEnd(11)} ${times[4]?.toFixed(1)}`);
    }
  }
  process.stdout.write(`${lines.join('\n')}\n`);
});
