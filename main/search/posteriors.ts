import type { Random } from '../base';

/**
 * Posterior distribution of an option's mean score (treequest, ab_mcts_a/prob_state.py). It keeps sufficient
 * statistics, so that an observation takes constant time.
 */
export type Posterior = {
  readonly count: number;
  /** The distribution, for display. */
  readonly summary: PosteriorSummary;
  /** `score` in [0, 1]. */
  readonly observe: (score: number) => void;
  /** One draw of the mean score; the Gaussian's may lie outside [0, 1]. */
  readonly draw: (random: Random) => number;
};

/**
 * A posterior after `observations` scores. student: location, scale and degrees of freedom; mean: only the sample
 * mean is known.
 */
export type PosteriorSummary =
  | {
      readonly kind: 'student';
      readonly observations: number;
      readonly mean: number;
      readonly scale: number;
      readonly degreesOfFreedom: number;
    }
  | { readonly kind: 'beta'; readonly observations: number; readonly alpha: number; readonly beta: number }
  | { readonly kind: 'mean'; readonly observations: number; readonly mean: number };

/** The prior of treequest: centre 0, weight of one observation, scale 0.316. */
const PRIOR = { mean: 0, kappa: 1, nu: 1, tauSquared: 0.1 } as const;

/** Normal-inverse-gamma; squared deviations by Welford's update, which avoids cancellation. */
export class GaussianPosterior implements Posterior {
  count = 0;
  #mean = 0;
  #squaredDeviations = 0;

  observe(score: number): void {
    this.count += 1;
    const deviation = score - this.#mean;
    this.#mean += deviation / this.count;
    this.#squaredDeviations += deviation * (score - this.#mean);
  }

  get posterior(): { mean: number; kappa: number; nu: number; tauSquared: number } {
    const kappa = PRIOR.kappa + this.count;
    const nu = PRIOR.nu + this.count;
    const shift = PRIOR.mean - this.#mean;
    const spread =
      PRIOR.nu * PRIOR.tauSquared +
      this.#squaredDeviations +
      (this.count * PRIOR.kappa * shift * shift) / kappa;
    const mean = (PRIOR.kappa * PRIOR.mean + this.count * this.#mean) / kappa;
    return { mean, kappa, nu, tauSquared: spread / nu };
  }

  get summary(): PosteriorSummary {
    const { mean, kappa, nu, tauSquared } = this.posterior;
    return {
      kind: 'student',
      observations: this.count,
      mean,
      scale: Math.sqrt(tauSquared / kappa),
      degreesOfFreedom: nu,
    };
  }

  /** One gamma draw, then one normal draw: the order is part of `RANDOM_VERSION`'s promise. */
  draw(random: Random): number {
    const { mean, kappa, nu, tauSquared } = this.posterior;
    const variance = (nu * tauSquared) / 2 / random.gamma(nu / 2);
    return mean + Math.sqrt(variance / kappa) * random.normal();
  }
}

/** Jeffreys prior; a score of 0.3 counts as 0.3 of a success and 0.7 of a failure. */
export class BetaPosterior implements Posterior {
  count = 0;
  #alpha = 0.5;
  #beta = 0.5;

  observe(score: number): void {
    this.count += 1;
    this.#alpha += score;
    this.#beta += 1 - score;
  }

  get posterior(): { alpha: number; beta: number } {
    return { alpha: this.#alpha, beta: this.#beta };
  }

  get summary(): PosteriorSummary {
    return { kind: 'beta', observations: this.count, alpha: this.#alpha, beta: this.#beta };
  }

  draw(random: Random): number {
    return random.beta(this.#alpha, this.#beta);
  }
}

export function newPosterior(kind: 'gaussian' | 'beta'): Posterior {
  return kind === 'gaussian' ? new GaussianPosterior() : new BetaPosterior();
}
