import type {
  ComparedRuns,
  Refusal,
  ReportSource,
  ReproductionView,
  RunComparison,
  Study,
} from '../../preload/contract/index';
import { seriesNames } from '../../preload/contract/plans/index';
import { assertNever, failed, ok, type Result } from '../base/index';
import type { BundleWaiting, ReportSurroundings } from './around';
import { comparisonFigures } from './logic/comparison-figures';
import { comparisonTables } from './logic/comparison-tables';
import { exhibitFigures } from './logic/exhibit-figures';
import { exhibitCosts, exhibitTable } from './logic/exhibit-tables';
import type { ReportFigure } from './logic/report-figure';
import type { ReportTable } from './logic/report-table';

/** What a source is made of: its studies with the runs that it names, and the reproduction that made them. */
export type SourceContent = {
  /** For people and file names. */
  readonly name: string;
  readonly runs: ComparedRuns;
  readonly reproduction: ReproductionView | null;
};

export type SourceDocuments = {
  readonly tables: readonly ReportTable[];
  readonly figures: readonly ReportFigure[];
};

/** The answer to whoever has stopped waiting. */
export const CALLED_OFF: Refusal = { code: 'cancelled', message: 'Cancelled; nothing was changed.' };

type Prices = 'with prices' | 'without prices';

function notThere(what: string, id: string): Refusal {
  return { code: 'not-found', message: `There is no ${what} ${id}.`, hint: 'It may have been removed.' };
}

/** Runs that a reproduction's cells stand on, under the labels of its exhibit's configurations. */
function runsOfReproduction(view: ReproductionView, around: ReportSurroundings): ComparedRuns {
  const exhibit = around.reproductions.exhibitOf(view.id);
  const labels = new Map(exhibit?.configurations.map(({ id, label }) => [id, label]));
  const known = new Set(
    around.registry
      .read()
      .studies.flatMap(({ study, removed }) => (removed ? [] : study.runs.map(({ id }) => id))),
  );
  const runs = view.steps.flatMap((step) => {
    const [configuration] = step.configurations;
    if (step.kind !== 'search' || step.runId === null || !known.has(step.runId)) return [];
    const label = configuration === undefined ? undefined : labels.get(configuration);
    return [{ runId: step.runId, ...(label === undefined ? {} : { label }) }];
  });
  return [...new Map(runs.map((run) => [run.runId, run])).values()];
}

/** Finds what a source names. Refused where it is not there. */
export function contentOf(source: ReportSource, around: ReportSurroundings): Result<SourceContent, Refusal> {
  switch (source.kind) {
    case 'study': {
      const study = listedStudies(around).find(({ id }) => id === source.studyId);
      if (study === undefined) return failed(notThere('study', source.studyId));
      return ok({
        name: study.name,
        runs: study.runs.map(({ id }) => ({ runId: id })),
        reproduction: null,
      });
    }
    case 'runs': {
      const known = new Set(listedStudies(around).flatMap(({ runs }) => runs.map(({ id }) => id)));
      const missing = source.runs.find(({ runId }) => !known.has(runId));
      if (missing !== undefined) return failed(notThere('run', missing.runId));
      return ok({ name: 'comparison', runs: source.runs, reproduction: null });
    }
    case 'reproduction': {
      const view = around.reproductions.list().find(({ id }) => id === source.reproductionId);
      if (view === undefined) return failed(notThere('reproduction', source.reproductionId));
      return ok({ name: view.title, runs: runsOfReproduction(view, around), reproduction: view });
    }
    default:
      return assertNever(source);
  }
}

export function listedStudies(around: Pick<ReportSurroundings, 'registry'>): readonly Study[] {
  return around.registry.read().studies.flatMap(({ study, removed }) => (removed ? [] : [study]));
}

/**
 * Every table and figure of a source as data; first those that are meant when none is named. Prices and the GPUs of
 * launches are settings of a lab: without them equal journals give equal tables everywhere.
 */
export async function documentsOf(
  content: SourceContent,
  around: ReportSurroundings,
  prices: Prices = 'with prices',
  waiting: BundleWaiting = {},
): Promise<Result<SourceDocuments, Refusal>> {
  const compared = content.runs.length === 0 ? null : await around.comparison.read(content.runs, waiting);
  if (content.reproduction === null) {
    if (compared === null) return ok({ tables: [], figures: [] });
    return compared.ok ? ok(ofComparison(compared.value, prices)) : compared;
  }
  const { id, order } = content.reproduction;
  const exhibit = around.reproductions.exhibitOf(id);
  if (exhibit === null) return failed(notThere('reproduction', id));
  const result = await around.reproductions.result(order.exhibitId, order.scale, id);
  if (!result.ok) return result;
  if (waiting.signal?.aborted) return failed(CALLED_OFF);
  // A reproduction that has searched nothing yet has an empty table all the same.
  const comparison = compared?.ok ? compared.value : null;
  const exhibited = { exhibit, result: result.value, analysis: comparison?.analysis ?? null };
  const own: SourceDocuments = {
    tables: exhibit.cells.length === 0 ? [] : [exhibitTable(exhibited), exhibitCosts(exhibited)],
    figures: exhibitFigures({ ...exhibited, hues: around.hues.of(seriesNames(exhibit)) }),
  };
  if (comparison === null) return ok(own);
  const more = ofComparison(comparison, prices);
  return ok({ tables: [...own.tables, ...more.tables], figures: [...own.figures, ...more.figures] });
}

function ofComparison(comparison: RunComparison, prices: Prices): SourceDocuments {
  const shown = prices === 'with prices' ? comparison : withoutPrices(comparison);
  return { tables: comparisonTables(shown), figures: comparisonFigures(shown) };
}

function withoutPrices(comparison: RunComparison): RunComparison {
  const { analysis } = comparison;
  return {
    ...comparison,
    analysis: {
      ...analysis,
      costs: analysis.costs.map(({ gpuHours: _gpuHours, money: _money, ...cost }) => cost),
      curves: analysis.curves.filter(({ axis }) => axis !== 'gpu-hours' && axis !== 'money'),
    },
  };
}
