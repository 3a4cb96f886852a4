import type { ScoreGroup } from './mixed-model';

/** Scores equal to 1/100 are the same for pruning. */
const SAME_SCORE_STEPS = 100;

/** What the scores of a subtree have in common; grows by one score at a time and never shrinks. */
export class SubtreeScores {
  #count = 0;
  #mean = 0;
  #squaredDeviations = 0;
  /** Rounded scores; a single one needs no map, and most subtrees are a leaf. */
  #only = -1;
  #tally: Map<number, number> | null = null;
  #mostAlike = 0;

  get group(): ScoreGroup {
    return { count: this.#count, mean: this.#mean, squaredDeviations: this.#squaredDeviations };
  }

  get count(): number {
    return this.#count;
  }

  /** Scores that are the same to 1/100, at most, as a share of all. */
  get shareAlike(): number {
    return this.#count === 0 ? 0 : this.#mostAlike / this.#count;
  }

  /** Welford's update, which does not cancel. */
  observe(score: number): void {
    this.#count += 1;
    const deviation = score - this.#mean;
    this.#mean += deviation / this.#count;
    this.#squaredDeviations += deviation * (score - this.#mean);

    const rounded = Math.round(score * SAME_SCORE_STEPS);
    if (this.#count === 1) {
      this.#only = rounded;
      this.#mostAlike = 1;
      return;
    }
    if (this.#tally === null) this.#tally = new Map([[this.#only, 1]]);
    const alike = (this.#tally.get(rounded) ?? 0) + 1;
    this.#tally.set(rounded, alike);
    this.#mostAlike = Math.max(this.#mostAlike, alike);
  }
}
