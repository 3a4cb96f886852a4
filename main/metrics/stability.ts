import type { Stability } from '../../preload/contract';
import type { Bootstrap } from './bootstrap';
import { type ConfigurationMetrics, fewestSamples } from './configuration-metrics';
import { gPassAtK } from './pass-at-k';

/** The paper reports k = 4, 8, 16; a table of 8 samples a problem ends at 8. */
const DRAWS = [4, 8, 16, 32];
/** tau = 1: all of k pass. Below 1/k it would be pass@k. */
const SHARES = [0.5, 0.75, 1];

/** G-Pass@k at tau of one configuration, where every problem has k samples. */
export function stabilityOf(metrics: ConfigurationMetrics, bootstrap: Bootstrap): Stability[] {
  const { configuration, samples } = metrics;
  const fewest = fewestSamples(samples);
  return DRAWS.filter((k) => k <= fewest).flatMap((k) =>
    SHARES.map((tau) => {
      const values = samples.map(
        (runs) =>
          runs.reduce((sum, run) => sum + (gPassAtK(run.samples, run.passed, k, tau) ?? 0), 0) / runs.length,
      );
      return { configuration, k, tau, ...bootstrap.mean(values), problems: values.length };
    }),
  );
}
