import type {
  ExhibitFill,
  ExperimentView,
  FilledExhibit,
  Refusal,
  ReportSource,
  ReproductionView,
  RunComparison,
} from '../../preload/contract/index';
import { exhibitAtScale, knownHues, lineHues, standInSentence } from '../../preload/contract/plans/index';
import { assertNever, failed, ok, type Result } from '../base/index';
import type { BundleOptions, ReportDeps } from './deps';
import { journalsDamage, planDamage } from './intact';
import { listedStudies } from './listed-studies';
import { comparisonFigures } from './logic/comparison-figures';
import { comparisonTables } from './logic/comparison-tables';
import { exhibitCosts } from './logic/exhibit-costs';
import { exhibitFigures } from './logic/exhibit-figures';
import { trainingNote } from './logic/exhibit-notes';
import { exhibitTable } from './logic/exhibit-tables';
import { experimentDocuments } from './logic/experiment-tables';
import { isOfExhibit } from './logic/main-documents';
import { basisOf } from './logic/reading';
import type { ReportTable } from './logic/report-table';
import { searchNotes } from './logic/search-notes';
import { joined, type SourceDocuments, withSentences } from './logic/source-documents';
import { USAGE_PARTS, usageTable } from './logic/usage-tables';
import { withoutSecrets } from './logic/without-secrets';
import { gradingsOf } from './source-gradings';
import { allRuns, leftOutNotes, runsOfReproduction, type SourceRuns } from './source-runs';

/** The runs of a source, and the reproduction that made them. */
export type SourceContent = SourceRuns & {
  /** For people and file names. */
  readonly name: string;
  readonly reproduction: ReproductionView | null;
  /** The rows of an exhibit that the runs fill; left out: none. */
  readonly fill?: ExhibitFill;
  /** An experiment of trainings, which has no runs; left out: none. */
  readonly experiment?: ExperimentView;
  /** GPU-hours and tokens of this month, null: of all; left out: it is about runs. */
  readonly usage?: { readonly month: string | null };
};

export const CANCELLED: Refusal = { code: 'cancelled', message: 'Cancelled; nothing was changed.' };

type Prices = 'with prices' | 'without prices';

function notFound(noun: 'study' | 'run' | 'reproduction' | 'experiment', id: string): Refusal {
  const list = noun === 'study' || noun === 'run' ? 'studies' : `${noun}s`;
  const hint = `It may have been removed. Those that there are: mars2 ${list} list`;
  return { code: 'not-found', message: `There is no ${noun} ${id}.`, hint };
}

/** Refused where the source does not exist. */
export function resolveSource(source: ReportSource, deps: ReportDeps): Result<SourceContent, Refusal> {
  switch (source.kind) {
    case 'study': {
      const study = listedStudies(deps).find(({ id }) => id === source.studyId);
      if (study === undefined) return failed(notFound('study', source.studyId));
      return ok({
        name: study.name,
        runs: study.runs.map(({ id }) => ({ runId: id })),
        reproduction: null,
      });
    }
    case 'runs': {
      const runIds = new Set(listedStudies(deps).flatMap(({ runs }) => runs.map(({ id }) => id)));
      const missing = source.runs.find(({ runId }) => !runIds.has(runId));
      if (missing !== undefined) return failed(notFound('run', missing.runId));
      return ok({ name: 'comparison', runs: source.runs, reproduction: null });
    }
    case 'reproduction': {
      const view = deps.reproductions.list().find(({ id }) => id === source.reproductionId);
      if (view === undefined) return failed(notFound('reproduction', source.reproductionId));
      return ok({ name: view.title, ...runsOfReproduction(view, deps), reproduction: view });
    }
    case 'usage':
      return ok({ name: 'usage', runs: [], reproduction: null, usage: { month: source.month } });
    case 'filled-exhibit':
      return ok(filledSource(source.fill, deps));
    case 'experiment': {
      const view = deps.experiments.list().find(({ id }) => id === source.experimentId);
      if (view === undefined) return failed(notFound('experiment', source.experimentId));
      return ok({ name: view.order.name, runs: [], reproduction: null, experiment: view });
    }
    default:
      return assertNever(source);
  }
}

function filledSource(fill: ExhibitFill, deps: ReportDeps): SourceContent {
  const studies = listedStudies(deps);
  const runs = new Set<string>();
  const names = new Set<string>();
  for (const { studyId = fill.studyId ?? '', configuration } of fill.filled) {
    const study = studies.find(({ id }) => id === studyId);
    // Its rows stay empty, as `fillExhibit` says; where it is all that fills the exhibit, that refuses.
    if (study === undefined) continue;
    names.add(study.name);
    for (const run of study.runs) if (run.configuration === configuration) runs.add(run.id);
  }
  return {
    name: names.size === 0 ? fill.exhibitId : `${fill.exhibitId} by ${[...names].join(', ')}`,
    runs: [...runs].map((runId) => ({ runId })),
    reproduction: null,
    fill,
  };
}

/**
 * Every table and figure of a source as data; the default ones first. Prices, training cut-offs and the GPUs of launches are settings of a lab:
 * without them equal journals give equal tables everywhere. A key in a name or label is hidden. Refused where a journal is
 * damaged.
 */
export async function buildDocuments(
  content: SourceContent,
  deps: ReportDeps,
  prices: Prices = 'with prices',
  options: BundleOptions = {},
): Promise<Result<SourceDocuments, Refusal>> {
  const runIds = allRuns(content).map(({ runId }) => runId);
  const damage = (await journalsDamage(runIds, deps)) ?? (await planDamage(content, deps));
  if (damage !== null) return failed(damage);
  const documents = await documentsOf(content, deps, prices, options);
  if (!documents.ok) return documents;
  const { tables, figures } = documents.value;
  const measuredOn = problemsOf(content, deps);
  const { notes, grading } = gradingsOf(content, deps);
  const graded = <T extends { readonly notes: readonly string[] }>(one: T): T => ({
    ...one,
    notes: [...one.notes, ...notes.filter((note) => !one.notes.includes(note))],
  });
  const named = tables.map((table) => ({
    ...graded(table),
    ...{ ...measuredOn, ...(grading === null ? {} : { grading }) },
  }));
  // Every figure shows what a table of the same has: the exhibit's is the first, then the comparison's.
  const bases = new Map(named.map((table) => [table.id, basisOf(table)]));
  const based = figures.map(graded).map((figure) => {
    const basis = bases.get(isOfExhibit(figure) ? 'exhibit' : 'results') || bases.get('results');
    return basis && figure.basis === undefined ? { ...figure, basis } : figure;
  });
  return ok(withoutSecrets({ tables: named, figures: based }) as SourceDocuments);
}

/** The benchmarks by id, which is the same everywhere (a lab may call the same problems otherwise), and how many problems. */
function problemsOf({ runs }: SourceContent, deps: ReportDeps): Pick<ReportTable, 'benchmark' | 'searched'> {
  // Tables of trainings name their own.
  if (runs.length === 0) return {};
  const chosen = new Set(runs.map(({ runId }) => runId));
  const configs = listedStudies(deps).flatMap((study) => study.runs.filter(({ id }) => chosen.has(id)));
  const benchmark = [...new Set(configs.map(({ benchmarkId }) => benchmarkId))].sort().join(' and ');
  const [searched, ...others] = new Set(configs.map(({ problemIds }) => problemIds.length));
  return { benchmark, ...(searched === undefined || others.length > 0 ? {} : { searched }) };
}

async function documentsOf(
  content: SourceContent,
  deps: ReportDeps,
  prices: Prices,
  options: BundleOptions,
): Promise<Result<SourceDocuments, Refusal>> {
  if (content.experiment !== undefined) {
    const result = await deps.experiments.result(content.experiment.id);
    if (!result.ok) return result;
    const details = await deps.experiments.details(content.experiment.id);
    if (!details.ok) return details;
    const lines = await deps.experiments.lines(content.experiment.id);
    if (!lines.ok) return lines;
    const source = { view: content.experiment, result: result.value, details: details.value };
    return ok(experimentDocuments(source, lines.value));
  }
  if (content.usage !== undefined) return usageDocuments(content.usage, deps);
  const compared = content.runs.length === 0 ? null : await deps.comparison.read(content.runs, options);
  if (content.reproduction === null) {
    const filled = content.fill === undefined ? null : await deps.fillExhibit(content.fill);
    if (filled?.ok === false) return filled;
    if (compared?.ok === false) return compared;
    const own = filled === null ? { tables: [], figures: [] } : filledDocuments(filled.value, content, deps);
    if (compared === null) return ok(own);
    // Where its rows differ in how they search, it says so of them.
    const isAlike = new Set(compared.value.searches).size < 2;
    const shown = isAlike ? withSentences(own, searchNotes(compared.value)) : own;
    return ok(joined(shown, comparisonDocuments(compared.value, prices)));
  }
  const { id, order: request } = content.reproduction;
  const exhibit = deps.reproductions.exhibitOf(id);
  if (exhibit === null) return failed(notFound('reproduction', id));
  const result = await deps.reproductions.result(request.exhibitId, request.scale, id);
  if (!result.ok) return result;
  if (options.signal?.aborted) return failed(CANCELLED);
  // A reproduction that has searched nothing yet has an empty table all the same.
  const comparison = compared?.ok ? compared.value : null;
  const seeds = request.seeds ?? exhibit.scales[request.scale]?.seeds ?? [];
  const exhibited = { exhibit, seeds, result: result.value };
  const own: SourceDocuments = {
    tables: exhibit.cells.length === 0 ? [] : [exhibitTable(exhibited), exhibitCosts(exhibited)],
    figures: exhibitFigures({
      ...exhibited,
      hues: huesOfLines(exhibit, request.scale, deps),
    }),
  };
  if (comparison === null) return ok(own);
  const standIns = standInSentence(exhibit, request.scale);
  const sentences = [
    ...leftOutNotes(content),
    ...(standIns === null ? [] : [standIns]),
    ...trainingNote(exhibited),
  ];
  return ok(
    joined(
      withSentences(own, searchNotes(comparison)),
      withSentences(comparisonDocuments(comparison, prices), sentences),
    ),
  );
}

/** A table by project, by job and by month. */
async function usageDocuments(
  { month }: NonNullable<SourceContent['usage']>,
  deps: ReportDeps,
): Promise<Result<SourceDocuments, Refusal>> {
  const tables: ReportTable[] = [];
  for (const { by } of USAGE_PARTS) {
    const usage = await deps.usage({ month, by });
    if (!usage.ok) return usage;
    tables.push(usageTable(usage.value, { month, by }));
  }
  return ok({ tables: tables.filter(({ rows }) => rows.length > 0), figures: [] });
}

/** `content`: the runs that fill the exhibit. */
function filledDocuments(
  { exhibit, result }: FilledExhibit,
  { runs }: SourceContent,
  deps: ReportDeps,
): SourceDocuments {
  const chosen = new Set(runs.map(({ runId }) => runId));
  const seeds = listedStudies(deps).flatMap((study) =>
    study.runs.flatMap(({ id, seed }) => (chosen.has(id) ? [seed] : [])),
  );
  const exhibited = { exhibit, seeds: [...new Set(seeds)], result };
  return {
    tables: exhibit.cells.length === 0 ? [] : [exhibitTable(exhibited)],
    figures: exhibitFigures({
      ...exhibited,
      hues: huesOfLines(exhibit, result.scale, deps),
    }),
  };
}

/** The window knows the studies that it lists alone: lines have the same colours in both. */
function huesOfLines(
  exhibit: FilledExhibit['exhibit'],
  scale: FilledExhibit['result']['scale'],
  deps: ReportDeps,
): ReadonlyMap<string, number> {
  const studies = listedStudies(deps).map((study) => ({ study, hues: deps.hues.ofStudy(study) }));
  return lineHues(exhibitAtScale(exhibit, scale), knownHues(studies));
}

function comparisonDocuments(comparison: RunComparison, prices: Prices): SourceDocuments {
  const shown = prices === 'with prices' ? comparison : withoutPrices(comparison);
  return { tables: comparisonTables(shown), figures: comparisonFigures(shown) };
}

function withoutPrices(comparison: RunComparison): RunComparison {
  const { analysis } = comparison;
  return {
    ...comparison,
    cutoffs: [],
    matched: comparison.matched.filter(({ axis }) => axis !== 'gpu-hours'),
    analysis: {
      ...analysis,
      costs: analysis.costs.map(({ gpuHours: _gpuHours, money: _money, ...cost }) => cost),
      curves: analysis.curves.filter(({ axis }) => axis !== 'gpu-hours' && axis !== 'money'),
    },
  };
}
