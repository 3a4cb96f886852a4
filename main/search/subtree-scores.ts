import type { ScoreGroup } from './mixed-model';

/** For pruning, scores count as the same if they are equal when rounded to 1/100. */
const SCORE_STEPS = 100;

/** Sufficient statistics of the scores of a subtree. */
export class SubtreeScores {
  #count = 0;
  #mean = 0;
  #squaredDeviations = 0;
  /** Counts by rounded score; most subtrees are a leaf, and a single score needs no map. */
  #firstScore = -1;
  #tally: Map<number, number> | null = null;
  #largestTally = 0;

  get group(): ScoreGroup {
    return { count: this.#count, mean: this.#mean, squaredDeviations: this.#squaredDeviations };
  }

  get count(): number {
    return this.#count;
  }

  /** Share of the most frequent rounded score among all. */
  get sameScoreShare(): number {
    return this.#count === 0 ? 0 : this.#largestTally / this.#count;
  }

  /** Welford's update, which avoids cancellation. */
  observe(score: number): void {
    this.#count += 1;
    const deviation = score - this.#mean;
    this.#mean += deviation / this.#count;
    this.#squaredDeviations += deviation * (score - this.#mean);

    const rounded = Math.round(score * SCORE_STEPS);
    if (this.#count === 1) {
      this.#firstScore = rounded;
      this.#largestTally = 1;
      return;
    }
    if (this.#tally === null) this.#tally = new Map([[this.#firstScore, 1]]);
    const count = (this.#tally.get(rounded) ?? 0) + 1;
    this.#tally.set(rounded, count);
    this.#largestTally = Math.max(this.#largestTally, count);
  }
}
