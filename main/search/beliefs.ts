import type { Random } from '../base';

/**
 * What the search believes about the mean score of an option (treequest, ab_mcts_a/prob_state.py). Beliefs keep
 * sufficient statistics, so that an observation costs the same however many came before it.
 */
export type Belief = {
  readonly count: number;
  /** Its distribution, to be shown. */
  readonly shape: BeliefShape;
  /** `score` in [0, 1]. */
  readonly observe: (score: number) => void;
  /** One draw of the mean score; the Gaussian's may lie outside [0, 1]. */
  readonly draw: (random: Random) => number;
};

/**
 * What is believed of a mean score, after `seen` scores. student: location, scale and degrees of freedom; mean: no
 * distribution is kept.
 */
export type BeliefShape =
  | {
      readonly kind: 'student';
      readonly seen: number;
      readonly mean: number;
      readonly scale: number;
      readonly degrees: number;
    }
  | { readonly kind: 'beta'; readonly seen: number; readonly alpha: number; readonly beta: number }
  | { readonly kind: 'mean'; readonly seen: number; readonly mean: number };

/** The prior of treequest: centre 0, weight of one observation, scale 0.316. */
const PRIOR = { mean: 0, kappa: 1, nu: 1, tauSquared: 0.1 } as const;

/** Normal-inverse-gamma; the spread is gathered by Welford's update, which does not cancel. */
export class GaussianBelief implements Belief {
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

  get shape(): BeliefShape {
    const { mean, kappa, nu, tauSquared } = this.posterior;
    return { kind: 'student', seen: this.count, mean, scale: Math.sqrt(tauSquared / kappa), degrees: nu };
  }

  /** One gamma draw, then one normal draw: the order is part of `RANDOM_VERSION`'s promise. */
  draw(random: Random): number {
    const { mean, kappa, nu, tauSquared } = this.posterior;
    const variance = (nu * tauSquared) / 2 / random.gamma(nu / 2);
    return mean + Math.sqrt(variance / kappa) * random.normal();
  }
}

/** Jeffreys prior; a score of 0.3 counts as 0.3 of a success and 0.7 of a failure. */
export class BetaBelief implements Belief {
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

  get shape(): BeliefShape {
    return { kind: 'beta', seen: this.count, alpha: this.#alpha, beta: this.#beta };
  }

  draw(random: Random): number {
    return random.beta(this.#alpha, this.#beta);
  }
}

export function newBelief(kind: 'gaussian' | 'beta'): Belief {
  return kind === 'gaussian' ? new GaussianBelief() : new BetaBelief();
}
