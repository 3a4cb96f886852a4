import type {
  Amount,
  CellState,
  CountedConfig,
  DiversityCell,
  Exhibit,
  ExhibitResult,
  MetricName,
  RunView,
  SeedSpread,
  TrainingCurve,
} from '../../../preload/contract';
import { BOOTSTRAP_SEED, Bootstrap, type Estimate } from '../bootstrap';
import { type ConfigurationMetrics, measureConfiguration } from '../configuration-metrics';
import { withExactEnds } from '../exact-rates';
import { seedSpread } from '../seed-spread';
import { knownMean, TwoLevelBootstrap } from '../two-level-bootstrap';

/** With this many resamples, each end of a 95 % interval is accurate to about a twentieth of its width. */
const RESAMPLES = 2_000;

/** A configuration with its runs measured one by one, by seed. */
export type MeasuredSeeds = readonly ConfigurationMetrics[];

/** Of its runs, with the tests whose verdicts count. */
export function configsOf(seeds: MeasuredSeeds = []): readonly CountedConfig[] {
  return seeds.flatMap(({ runs }) => runs.map(({ config }) => config));
}

/** Yields after every run, so that a caller can let other work run in between. */
export function* measureSeeds(views: readonly RunView[]): Generator<void, MeasuredSeeds> {
  const seeds: ConfigurationMetrics[] = [];
  for (const view of views.toSorted((a, b) => a.config.seed - b.config.seed)) {
    seeds.push(measureConfiguration([view]));
    yield;
  }
  return seeds;
}

/** A mean with its interval, and the numbers of problems and seeds behind it. */
export type SeedsEstimate = Estimate & {
  readonly problems: number;
  readonly seeds: number;
  readonly seedSpread?: SeedSpread;
  /** For several seeds: each seed's own mean, by its number; left out where the numbers are not given. */
  readonly seedValues?: Readonly<Record<string, number>>;
};

/** One object serves all cells of an exhibit. */
export class SeedsBootstrap {
  readonly #one = new Bootstrap(BOOTSTRAP_SEED, RESAMPLES);
  readonly #several = new TwoLevelBootstrap(BOOTSTRAP_SEED, RESAMPLES);

  /**
   * The mean over the problems that every seed has, each the mean over its seeds, in the unit of the values: one map of
   * a value per problem for each seed. 95 % bootstrap over problems; of several seeds over both (docs/metrics.md). null
   * without a common problem. `numbers`: of the seeds.
   */
  mean(
    seeds: ReadonlyArray<ReadonlyMap<string, number>>,
    numbers: readonly number[] = [],
  ): SeedsEstimate | null {
    const problems = [...(seeds[0]?.keys() ?? [])].filter((id) => seeds.every((own) => own.has(id)));
    if (problems.length === 0) return null;
    const rows = seeds.map((own) => Float64Array.from(problems, (id) => own.get(id) as number));
    const [only] = rows;
    const estimate =
      rows.length === 1 && only !== undefined ? this.#one.mean(only) : this.#several.mean(rows);
    return {
      ...withExactEnds(estimate, problems.length),
      ...{ problems: problems.length, seeds: seeds.length },
      ...seedSpread(rows),
      ...(numbers.length < 2
        ? {}
        : { seedValues: Object.fromEntries(rows.map((own, at) => [numbers[at], knownMean([...own])])) }),
    };
  }

  /** The same of a metric. */
  metric(seeds: MeasuredSeeds, metric: MetricName): SeedsEstimate | null {
    return this.mean(
      seeds.map(({ values }) => values[metric]),
      seeds.map(({ runs }) => runs[0].config.seed),
    );
  }
}

/** A run of a configuration of the exhibit. */
export type ExhibitRun = {
  /** Of the exhibit. */
  readonly configurationId: string;
  readonly studyId: string;
  readonly view: RunView;
};

/** All input for filling an exhibit. Keys of cells are "row.column"; keys of series are their ids. */
export type ExhibitInput = {
  readonly exhibit: Exhibit;
  readonly scale: ExhibitResult['scale'];
  readonly reproductionId: string | null;
  /** In any order; one per configuration and seed. */
  readonly runs: readonly ExhibitRun[];
  /** `configuration`: the exhibit configuration's label. */
  readonly diversity: readonly DiversityCell[];
  /** One curve per seed of the model and quantity that the series shows. */
  readonly learning: readonly { readonly seriesId: string; readonly curves: readonly TrainingCurve[] }[];
  /** Cells and series without an entry are empty. */
  readonly states: ReadonlyMap<string, CellState>;
  /** Notes that only the plan has, e.g. that the problems are of another window. */
  readonly notComparable: ReadonlyMap<string, readonly string[]>;
  readonly costs: ReadonlyMap<string, Amount>;
  /** By configuration id. */
  readonly trainingIds: ReadonlyMap<string, readonly string[]>;
};
