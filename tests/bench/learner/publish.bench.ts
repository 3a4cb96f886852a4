import { test } from 'vitest';
import { openLearningEngine } from '../../support/learning-engine';

/**
 * Publishing to a real vLLM on processors, in its three ways: seconds, and what the proof says after updates of all sizes.
 * MARS2_VLLM_PYTHON names a Python with vLLM (as `npm test` makes one in the cache).
 */
test.each(['adapter', 'reload', 'restart'] as const)('publishes by %s', async (publish) => {
  const engine = await openLearningEngine({ publish });
  try {
    for (const rate of [1e-2, 1e-4, 1e-6]) {
      const { gap } = await engine.update(rate);
      const values = await engine.publish();
      const part = (key: string, digits: number): string => (values[key] ?? Number.NaN).toExponential(digits);
      process.stdout.write(
        `${publish}, rate ${rate}: ${values['publish-seconds']?.toFixed(2)} s, slope ${values['publish-slope']?.toFixed(4)}, ` +
          `proven ${values['publish-proven']}, gap ${part('publish-gap', 1)} nats; while writing at most ${gap.toExponential(1)}\n`,
      );
    }
  } finally {
    await engine.dispose();
  }
});
