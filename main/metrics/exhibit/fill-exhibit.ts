import type {
  ExhibitCell,
  ExhibitConfiguration,
  ExhibitReference,
  ExhibitResult,
  ExhibitSeries,
  FilledCell,
  FilledSeries,
  RunView,
} from '../../../preload/contract';
import { ALIKE_NOTE, cellKey, exhibitAtScale, standInText } from '../../../preload/contract/plans';
import { assertNever, counted, runSteps, runStepsYielding } from '../../base';
import { conclusionTexts, limitOf } from '../conclusion';
import type { TreeMeasure } from '../configuration-metrics';
import { comparability, type ValueKind } from './comparability';
import { type EqualTokens, withTokensOf } from './equal-tokens';
import {
  configsOf,
  type ExhibitInput,
  type ExhibitRun,
  type MeasuredSeeds,
  measureSeeds,
  SeedsBootstrap,
} from './exhibit-input';
import { exhibitConclusions, exhibitMethod } from './exhibit-sentences';
import { highestCells } from './highest-cells';
import { lineDifferences } from './line-differences';
import { learningPoints, nodePoints } from './series-points';
import { testsCautions } from './tests-caution';

/** Fills the exhibit with the measurements so far. Equal input gives equal bytes. */
export function fillExhibit(input: ExhibitInput): ExhibitResult {
  return runSteps(fillingSteps(input));
}

/** The same, letting other work run in between: `yieldControl` is awaited after every step of some milliseconds. */
export function fillExhibitInSteps(
  input: ExhibitInput,
  yieldControl: () => Promise<void>,
): Promise<ExhibitResult> {
  return runStepsYielding(fillingSteps(input), yieldControl);
}

/** A configuration's runs, and what they measured. */
type Filling = {
  readonly input: ExhibitInput;
  readonly bootstrap: SeedsBootstrap;
  readonly runsOf: (configurationId: string) => readonly ExhibitRun[];
  readonly seedsOf: (configurationId: string) => MeasuredSeeds;
};

function* fillingSteps(input: ExhibitInput): Generator<void, ExhibitResult> {
  const { exhibit, scale, reproductionId } = input;
  const measured = new Map<string, MeasuredSeeds>();
  const runs = new Map<string, ExhibitRun[]>();
  for (const run of input.runs)
    runs.set(run.configurationId, [...(runs.get(run.configurationId) ?? []), run]);
  const short: string[] = [];
  const countedPrograms: NonNullable<ExhibitResult['counted']> = [];
  for (const [id, own] of runs) {
    const configuration = exhibit.configurations.find((other) => other.id === id);
    const cut = countedViews(configuration, own, runs.get(configuration?.tokensOf ?? ''));
    short.push(...cut.short.map((text) => standInText(exhibit, scale, text)));
    countedPrograms.push(...cut.counted);
    measured.set(id, yield* measureSeeds(cut.views));
  }
  const filling: Filling = {
    input,
    bootstrap: new SeedsBootstrap(),
    runsOf: (id) => runs.get(id) ?? [],
    seedsOf: (id) => measured.get(id) ?? [],
  };
  const cells: FilledCell[] = [];
  for (const cell of exhibit.cells) {
    cells.push(filledCell(filling, cell));
    yield;
  }
  const series: FilledSeries[] = [];
  for (const exhibitSeries of exhibit.series) {
    series.push(yield* filledSeries(filling, exhibitSeries));
  }
  const { conclusions: differences, tests } = yield* lineDifferences(exhibit, scale, filling.seedsOf);
  const highest = highestCells(exhibit, cells, filling.seedsOf);
  const cautions = testsCautions(exhibitAtScale(exhibit, scale), (id) => configsOf(measured.get(id)));
  return {
    exhibitId: exhibit.id,
    scale,
    reproductionId,
    cells: cells.map((cell) => {
      const [test, highestOf] = [tests.get(cellKey(cell)), highest.get(cell)];
      return {
        ...cell,
        ...(highestOf === undefined ? {} : { highestOf }),
        ...(test === undefined ? {} : { test }),
      };
    }),
    series,
    ...conclusionTexts(
      exhibitConclusions(exhibit, {
        cells,
        series,
        scale,
        measured: [...cautions.map(({ text }) => limitOf(text)), ...differences, ...short.map(limitOf)],
      }),
    ),
    differences: differences.flatMap(({ long }) => (long === ALIKE_NOTE ? [] : [long])),
    ...(cautions.length === 0 ? {} : { cautions }),
    ...(countedPrograms.length === 0 ? {} : { counted: countedPrograms }),
    method: exhibitMethod(exhibit, scale, differences.length > 0),
    complete: isComplete([...cells, ...series]),
  };
}

/** The views with the programs that count: those of a configuration with another's tokens up to these. */
function countedViews(
  configuration: ExhibitConfiguration | undefined,
  own: readonly ExhibitRun[],
  others: readonly ExhibitRun[] = [],
): {
  readonly views: RunView[];
  readonly short: string[];
  readonly counted: NonNullable<ExhibitResult['counted']>;
} {
  if (configuration?.tokensOf === undefined)
    return { views: own.map(({ view }) => view), short: [], counted: [] };
  const cut = own.flatMap(({ view }) => {
    const other = others.find((run) => run.view.config.seed === view.config.seed);
    return other === undefined ? [] : [withTokensOf(view, other.view)];
  });
  const sum = (part: Exclude<keyof EqualTokens, 'view'>): number =>
    cut.reduce((total, cell) => total + cell[part], 0);
  const { id, label } = configuration;
  const problems = sum('problems');
  return {
    views: cut.map(({ view }) => view),
    counted:
      problems === 0
        ? []
        : [
            {
              configuration: id,
              programs: sum('programs') / problems,
              written: sum('written') / problems,
              ...(sum('limit') === 0 ? {} : { tokens01: sum('tokens') / sum('limit') }),
            },
          ],
    short:
      sum('short') === 0
        ? []
        : [
            `"${label}" had no programs left before it had spent as many tokens in ${sum('short')} of ${counted(sum('problems'), 'tree')}, so it is at a disadvantage there.`,
          ],
  };
}

/** True if every measurable value is measured, and there is at least one. */
function isComplete(cells: ReadonlyArray<Pick<FilledCell, 'state'>>): boolean {
  const kinds = cells.map(({ state }) => state.kind);
  return kinds.includes('done') && kinds.every((kind) => kind === 'done' || kind === 'missing');
}

function filledCell(filling: Filling, cell: ExhibitCell): FilledCell {
  const { input } = filling;
  const { row, column, configuration, measure } = cell;
  const key = cellKey(cell);
  const ours = measuredValue(filling, cell);
  const [reference] = cell.reference;
  return {
    row,
    column,
    state: input.states.get(key) ?? { kind: 'empty' },
    ours,
    difference: ours === null || reference === undefined ? null : differenceTo(ours.value, reference),
    notComparable: notComparableReasons(
      filling,
      key,
      configuration,
      measure.kind === 'metric' ? measure.metric : 'diversity',
      ours,
    ),
    runs: runRefsOf(filling, configuration),
    trainingIds: [...(input.trainingIds.get(configuration) ?? [])],
    cost: input.costs.get(key) ?? { seconds: 0, gpuSeconds: 0, tokens: 0 },
  };
}

function measuredValue(
  { input, bootstrap, seedsOf, runsOf }: Filling,
  { configuration, measure }: ExhibitCell,
): FilledCell['ours'] {
  switch (measure.kind) {
    case 'metric':
      return bootstrap.metric(seedsOf(configuration), measure.metric);
    case 'diversity': {
      const written = input.exhibit.configurations.find(({ id }) => id === configuration)?.label ?? '';
      // Measurements of earlier versions are under the paper's name instead of the stand-in's.
      const labels = [standInText(input.exhibit, input.scale, written), written];
      const cell = input.diversity.find(
        (cell) =>
          labels.includes(cell.configuration) && cell.measure === measure.measure && cell.k === measure.k,
      );
      if (cell === undefined) return null;
      const { value, low, high, problems, seedSpread } = cell;
      const seeds = runsOf(configuration).length;
      return { value, low, high, problems, seeds, ...(seedSpread === undefined ? {} : { seedSpread }) };
    }
    default:
      return assertNever(measure);
  }
}

/** Rates are compared with percent. */
function differenceTo(value: number, { value: reference, unit }: ExhibitReference): number {
  return unit === 'number' ? value - reference : 100 * value - reference;
}

function* filledSeries(filling: Filling, series: ExhibitSeries): Generator<void, FilledSeries> {
  const { input, bootstrap, seedsOf } = filling;
  const { id, configuration, curve } = series;
  const points =
    curve.kind === 'nodes'
      ? yield* nodePoints(seedsOf(configuration), curve.measure, bootstrap)
      : learningPoints(input.learning.find(({ seriesId }) => seriesId === id)?.curves ?? [], curve);
  const problems = curve.kind === 'nodes' ? commonProblems(seedsOf(configuration), curve.measure) : null;
  return {
    id,
    state: input.states.get(id) ?? { kind: 'empty' },
    points,
    notComparable: notComparableReasons(
      filling,
      id,
      configuration,
      curve.kind === 'nodes' ? curve.measure : 'learning',
      points.length === 0 ? null : { problems },
    ),
    runs: curve.kind === 'nodes' ? runRefsOf(filling, configuration) : [],
    trainingIds: [...(input.trainingIds.get(configuration) ?? [])],
  };
}

function commonProblems(seeds: MeasuredSeeds, measure: TreeMeasure): number {
  const [first, ...others] = seeds.map(({ values }) => values[measure]);
  return [...(first?.keys() ?? [])].filter((id) => others.every((own) => own.has(id))).length;
}

function runRefsOf({ runsOf }: Filling, configurationId: string): FilledCell['runs'] {
  return runsOf(configurationId).map(({ studyId, view }) => ({ studyId, runId: view.config.id }));
}

/**
 * Reasons why a value is not comparable: the plan's, and for a measured value those of its runs. `problems` null: the
 * value is not over problems.
 */
function notComparableReasons(
  { input, runsOf, seedsOf }: Filling,
  key: string,
  configurationId: string,
  measured: ValueKind,
  value: { readonly problems: number | null } | null,
): string[] {
  const planned = [...(input.notComparable.get(key) ?? [])];
  const configuration = input.exhibit.configurations.find(({ id }) => id === configurationId);
  if (value === null || configuration === undefined) return planned;
  // Diversity is a mean over solved problems, but the number of searched problems counts here.
  const problems = measured === 'diversity' ? finishedProblems(seedsOf(configurationId)) : value.problems;
  const runs = runsOf(configurationId).map(({ view }) => view.config);
  const own = comparability(input, configuration, measured, runs, problems);
  return [...new Set([...planned, ...own])];
}

function finishedProblems(seeds: MeasuredSeeds): number {
  return Math.min(...seeds.map(({ done }) => done.length));
}
