import type { Random } from '../base';

/** Scores of one group: how many, their mean, and the sum of their squared deviations from it. */
export type ScoreGroup = {
  readonly count: number;
  readonly mean: number;
  readonly squaredDeviations: number;
};

/** Priors of treequest: mu ~ Normal(0.5, 0.2), sigmaAlpha ~ HalfNormal(0.2), sigmaY ~ HalfNormal(0.3). */
const MIXED_PRIORS = { centre: 0.5, spread: 0.2, sigmaAlpha: 0.2, sigmaY: 0.3 } as const;
const PRIOR_PRECISION = 1 / MIXED_PRIORS.spread ** 2;

/** Smallest and largest sigma of the grid; see `SigmaGrid` for the tails. */
const SMALLEST_SIGMA = 0.005;
const LARGEST_SIGMA = 1.25;
const ALPHA_POINTS = 32;
const Y_POINTS = 40;

/** Group sizes up to this have their weights cached; most groups are small. */
const CACHED_SIZES = 48;

/**
 * Points for (sigmaAlpha, sigmaY), evenly spaced in the logarithm (steps of 19 % and 15 %), each with the prior
 * probability of its cell; the cells at the ends take the tails. Equal scores make the likelihood grow without bound as
 * sigmaY goes to 0, so that the model has no proper posterior there; the smallest point bounds it. It stands for half
 * of the 1/100 to which scores are rounded for pruning.
 */
export class SigmaGrid {
  readonly alphaVariances: Float64Array;
  readonly yVariances: Float64Array;
  readonly logYVariances: Float64Array;
  readonly logPriors: Float64Array;
  /** Buffers for one draw at a time: a search draws at every node on its path, and each draw needs some 50 KB. */
  readonly scratch: GridSums;
  /** Of the model that drew last, cumulative over the points; it holds until that model changes. */
  readonly posterior: Float64Array;
  drawnFrom: MixedModel | null = null;
  readonly #tables: (GroupWeights | undefined)[] = [];

  constructor() {
    const alphas = logSpaced(ALPHA_POINTS);
    const ys = logSpaced(Y_POINTS);
    const alphaPriors = cellProbabilities(alphas, MIXED_PRIORS.sigmaAlpha);
    const yPriors = cellProbabilities(ys, MIXED_PRIORS.sigmaY);
    const size = ALPHA_POINTS * Y_POINTS;
    this.alphaVariances = new Float64Array(size);
    this.yVariances = new Float64Array(size);
    this.logPriors = new Float64Array(size);
    this.logYVariances = new Float64Array(size);
    this.scratch = newSums(size);
    this.posterior = new Float64Array(size);
    for (let point = 0; point < size; point++) {
      const a = Math.floor(point / Y_POINTS);
      const y = point % Y_POINTS;
      this.alphaVariances[point] = (alphas[a] as number) ** 2;
      this.yVariances[point] = (ys[y] as number) ** 2;
      this.logYVariances[point] = 2 * Math.log(ys[y] as number);
      this.logPriors[point] = Math.log((alphaPriors[a] as number) * (yPriors[y] as number));
    }
  }

  get size(): number {
    return this.logPriors.length;
  }

  /** Of the mean of a group of `count` scores about mu. */
  weightsOf(count: number): GroupWeights {
    const cached = this.#tables[count];
    if (cached !== undefined) return cached;
    const precisions = new Float64Array(this.size);
    const logs = new Float64Array(this.size);
    for (let point = 0; point < this.size; point++) {
      const precision =
        1 / ((this.alphaVariances[point] as number) + (this.yVariances[point] as number) / count);
      precisions[point] = precision;
      logs[point] = Math.log(precision);
    }
    const weights = { precisions, logs };
    if (count <= CACHED_SIZES) this.#tables[count] = weights;
    return weights;
  }
}

type GroupWeights = { readonly precisions: Float64Array; readonly logs: Float64Array };

function logSpaced(points: number): number[] {
  const step = Math.log(LARGEST_SIGMA / SMALLEST_SIGMA) / (points - 1);
  return Array.from({ length: points }, (_, i) => SMALLEST_SIGMA * Math.exp(i * step));
}

/** Of a half-normal with this scale; the borders lie midway in the logarithm. */
function cellProbabilities(points: readonly number[], scale: number): number[] {
  const border = (i: number): number => {
    if (i === 0) return 0;
    if (i === points.length) return Number.POSITIVE_INFINITY;
    return Math.sqrt((points[i - 1] as number) * (points[i] as number));
  };
  return points.map((_, i) => halfNormalBetween(border(i) / scale, border(i + 1) / scale));
}

/** Probability that |Z| lies between two bounds, by Simpson's rule on the density: 200 steps of at most 0.03. */
function halfNormalBetween(from: number, to: number): number {
  const steps = 200;
  const end = Math.min(to, Math.max(6, from + 1)); // beyond 6 standard deviations lie 2e-9
  const width = (end - from) / steps;
  let sum = 0;
  for (let i = 0; i <= steps; i++) {
    const weight = i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2;
    sum += weight * Math.exp(-0.5 * (from + i * width) ** 2);
  }
  return (sum * width * Math.sqrt(2 / Math.PI)) / 3;
}

/** Groups of one size: how many, and the sums of their means and of the squares, from the prior's centre. */
type SizeClass = { groups: number; shifts: number; squares: number };

/** Per grid point: the precision that the groups give mu, their pull on it, and their part of the log posterior. */
type GridSums = {
  readonly precisions: Float64Array;
  readonly pulls: Float64Array;
  readonly logs: Float64Array;
};

/** With this many distinct group sizes, a model keeps sums over the grid: the cost is then per changed group. */
const MIN_SIZES_FOR_SUMS = 8;

/** Log weights this far below the largest are 4e-18 of it. */
const NEGLIGIBLE = 40;

/** Parameters drawn from the posterior, and posterior-predictive scores given them. */
export type MixedDraw = {
  readonly sigmaAlpha: number;
  readonly sigmaY: number;
  readonly mu: number;
  /** The next score of a group of the model. */
  readonly scoreOf: (group: ScoreGroup) => number;
  /** The first score of an unseen group. */
  readonly unseenScore: () => number;
};

/**
 * The mixed model of AB-MCTS-M (arXiv 2503.04412; treequest, ab_mcts_m/pymc_interface.py): a score of group j is
 * Normal(alpha_j, sigmaY), alpha_j is Normal(mu, sigmaAlpha). Given the two sigmas everything is normal and linear, so
 * mu and the alphas integrate out in closed form from the groups' counts, means and squared deviations; the sigmas are
 * summed over a fixed grid. treequest samples the same posterior with NUTS; this is exact up to the grid, gives
 * independent draws, and costs a few passes over the grid.
 */
export class MixedModel {
  readonly #grid: SigmaGrid;
  /** Empty once `#sums` is used. */
  readonly #classes = new Map<number, SizeClass>();
  #sums: GridSums | null = null;
  #groups = 0;
  #scores = 0;
  #squaredDeviations = 0;

  constructor(grid: SigmaGrid) {
    this.#grid = grid;
  }

  add(group: ScoreGroup): void {
    this.#count(group, 1);
  }

  /** Removes a group exactly as it was added, before it is added again with more scores. */
  remove(group: ScoreGroup): void {
    this.#count(group, -1);
  }

  /** One uniform draw for the sigmas, then one normal draw for mu, then one per requested score. */
  draw(random: Random): MixedDraw {
    const grid = this.#grid;
    const sums = this.#sums ?? grid.scratch;
    if (grid.drawnFrom !== this) {
      if (this.#sums === null) this.#sumClasses(sums);
      accumulateWeights(this.#logPosterior(sums));
      grid.drawnFrom = this;
    }
    const point = drawFrom(grid.posterior, random);
    const alphaVariance = grid.alphaVariances[point] as number;
    const yVariance = grid.yVariances[point] as number;
    const precision = (sums.precisions[point] as number) + PRIOR_PRECISION;
    const pull = (sums.pulls[point] as number) / precision;
    const mu = MIXED_PRIORS.centre + pull + random.normal() / Math.sqrt(precision);
    return {
      sigmaAlpha: Math.sqrt(alphaVariance),
      sigmaY: Math.sqrt(yVariance),
      mu,
      // alpha_j and the score given alpha_j are both normal: one draw with the sum of the variances.
      scoreOf: ({ count, mean }) => {
        const own = count / yVariance + 1 / alphaVariance;
        const alpha = ((count * mean) / yVariance + mu / alphaVariance) / own;
        return alpha + Math.sqrt(1 / own + yVariance) * random.normal();
      },
      unseenScore: () => mu + Math.sqrt(alphaVariance + yVariance) * random.normal(),
    };
  }

  #count(group: ScoreGroup, sign: 1 | -1): void {
    const shift = group.mean - MIXED_PRIORS.centre;
    if (this.#grid.drawnFrom === this) this.#grid.drawnFrom = null;
    this.#groups += sign;
    this.#scores += sign * group.count;
    this.#squaredDeviations += sign * group.squaredDeviations;
    if (this.#sums !== null) {
      const change = { groups: sign, shifts: sign * shift, squares: sign * shift * shift };
      accumulate(this.#sums, change, this.#grid.weightsOf(group.count));
      return;
    }
    const sizeClass = this.#classes.get(group.count) ?? { groups: 0, shifts: 0, squares: 0 };
    sizeClass.groups += sign;
    sizeClass.shifts += sign * shift;
    sizeClass.squares += sign * shift * shift;
    if (sizeClass.groups === 0)
      this.#classes.delete(group.count); // together with its rounding errors
    else this.#classes.set(group.count, sizeClass);
    if (this.#classes.size < MIN_SIZES_FOR_SUMS) return;
    this.#sums = this.#sumClasses(newSums(this.#grid.size));
    this.#classes.clear();
  }

  #sumClasses(sums: GridSums): GridSums {
    sums.precisions.fill(0);
    sums.pulls.fill(0);
    sums.logs.fill(0);
    for (const [count, sizeClass] of this.#classes) accumulate(sums, sizeClass, this.#grid.weightsOf(count));
    return sums;
  }

  /** Of every grid point, up to a constant. */
  #logPosterior({ precisions, pulls, logs }: GridSums): Float64Array {
    const { logPriors, yVariances, logYVariances } = this.#grid;
    const inner = this.#scores - this.#groups;
    const spread = Math.max(0, this.#squaredDeviations);
    const { posterior } = this.#grid;
    for (let point = 0; point < posterior.length; point++) {
      const precision = (precisions[point] as number) + PRIOR_PRECISION;
      const pull = pulls[point] as number;
      const within = inner * (logYVariances[point] as number) + spread / (yVariances[point] as number);
      const centred = (pull * pull) / precision - Math.log(precision);
      posterior[point] = (logPriors[point] as number) + (logs[point] as number) + 0.5 * (centred - within);
    }
    return posterior;
  }
}

function newSums(size: number): GridSums {
  return {
    precisions: new Float64Array(size),
    pulls: new Float64Array(size),
    logs: new Float64Array(size),
  };
}

function accumulate(sums: GridSums, { groups, shifts, squares }: SizeClass, weights: GroupWeights): void {
  const { precisions, pulls, logs } = sums;
  for (let point = 0; point < logs.length; point++) {
    const precision = weights.precisions[point] as number;
    precisions[point] = (precisions[point] as number) + groups * precision;
    pulls[point] = (pulls[point] as number) + shifts * precision;
    logs[point] =
      (logs[point] as number) + 0.5 * (groups * (weights.logs[point] as number) - squares * precision);
  }
}

/** Turns log weights into cumulative weights, the largest of them 1. */
function accumulateWeights(logWeights: Float64Array): void {
  let largest = Number.NEGATIVE_INFINITY;
  for (let point = 0; point < logWeights.length; point++) {
    largest = Math.max(largest, logWeights[point] as number);
  }
  let sum = 0;
  for (let point = 0; point < logWeights.length; point++) {
    const below = (logWeights[point] as number) - largest;
    if (below > -NEGLIGIBLE) sum += Math.exp(below);
    logWeights[point] = sum;
  }
}

/** Draws a point with probability proportional to its weight. */
function drawFrom(cumulative: Float64Array, random: Random): number {
  const target = random.uniform() * (cumulative.at(-1) ?? 0);
  let point = 0;
  while ((cumulative[point] as number) <= target) point += 1;
  return point;
}
