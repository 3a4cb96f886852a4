import { setImmediate as breathe } from 'node:timers/promises';
import type {
  Amount,
  AtHand,
  CellState,
  DiversityCell,
  Exhibit,
  ExhibitEntry,
  ExhibitFill,
  ExhibitResult,
  FilledCell,
  FilledExhibit,
  FilledSeries,
  Refusal,
  RunConfig,
} from '../../preload/contract/index';
import {
  COMPLEMENT_SENTENCE,
  cellKey,
  limitedBy,
  methodTitle,
  POCKET_SENTENCES,
  trainingsOfLine,
} from '../../preload/contract/plans/index';
import { failed, ok, type Result } from '../base/index';
import {
  atHandExhibit,
  type DeskFilling,
  deskExhibit,
  type ExhibitLibrary,
  rowsProblem,
} from '../exhibits/index';
import { fillExhibitInSteps } from '../metrics/index';
import type { RunComparisons, StudyService } from '../studies/index';
import type { TrainingService } from '../trainings/index';
import { fillingCautions } from './filling-cautions';
import { type FinishedRuns, fillingDiversity } from './filling-diversity';
import { type FilledLine, fillingLines } from './filling-lines';

const UNKNOWN: Amount = { seconds: null, gpuSeconds: null, tokens: null };

/**
 * Fills rows of an exhibit with a finished study of small language models, or with those that its file names, and lines over
 * trainings with trainings at hand; saves nothing.
 */
export type FillExhibit = (request: ExhibitFill) => Promise<Result<FilledExhibit, Refusal>>;

export function exhibitFilling(deps: {
  readonly exhibits: Pick<ExhibitLibrary, 'get'>;
  readonly studies: Pick<StudyService, 'list' | 'inTrash'>;
  readonly trainings: Pick<TrainingService, 'list' | 'curves'>;
  readonly comparison: Pick<RunComparisons, 'viewsOf' | 'diversity'>;
}): FillExhibit {
  const diversityOf = fillingDiversity(deps.comparison);
  const linesOf = fillingLines(deps.trainings);
  return async ({ exhibitId, studyId, filled, lines: wantedLines = [] }) => {
    const entry = await deps.exhibits.get(exhibitId);
    if (!entry.ok) return entry;
    const written = entry.value.exhibit;
    const requested = filled.map((one) => ({ ...one, studyId: one.studyId ?? studyId ?? '' }));
    // Its file says which studies stand in its rows: then they may be of any scale.
    const isAtHand = requested.every((one) => {
      const study = written.configurations.find(({ id }) => id === one.configurationId)?.study;
      return study?.id === one.studyId && study.configuration === one.configuration;
    });
    const wrong =
      (wantedLines.length > 0 ? noLinesReason(entry.value, isAtHand) : null) ??
      (isAtHand ? null : rowsProblem(written, filled));
    if (wrong !== null) return failed({ code: 'bad-input', message: wrong });
    const fillings: Filling[] = [];
    /** By configuration: why what its file names does not fill it. */
    const missing = new Map<string, Refusal>();
    for (const one of requested) {
      const runs = await finishedRuns(one, deps.studies);
      if (runs.ok) fillings.push({ ...one, ...runs.value });
      else missing.set(one.configurationId, runs.error);
    }
    const read = await linesOf(written, wantedLines);
    if (!read.ok) return read;
    const { lines, missing: missingLines } = read.value;
    const [refusal] = [...missing.values(), ...missingLines.values()];
    // What its file names may be removed; an order of its own is filled in full or not at all.
    const isOfFile = isAtHand && wantedLines.every((line) => isWritten(written, line));
    if (refusal !== undefined && (!isOfFile || fillings.length + lines.length === 0)) return failed(refusal);
    const shown = [
      ...fillings,
      ...[...missing.keys()].map((configurationId) => ({ configurationId, runs: [] })),
    ];
    const lineIds = wantedLines.map(({ seriesId }) => seriesId);
    const exhibit = isAtHand ? ok(atHandExhibit(written, shown, lineIds)) : deskExhibit(written, fillings);
    if (!exhibit.ok) return failed({ code: 'bad-input', message: exhibit.error });
    const diversity = await diversityOf(exhibit.value, fillings);
    if (!diversity.ok) return diversity;
    const result = await filledResult(
      exhibit.value,
      isAtHand ? 'own' : 'desk',
      { fillings, lines, missing, missingLines, diversity: diversity.value },
      deps.comparison,
    );
    if (!result.ok) return result;
    const { series, cautions: said = [] } = result.value;
    const damage = said.filter(({ kind }) => kind === 'damaged');
    const others = said.filter(({ kind }) => kind !== 'damaged');
    const cells = result.value.cells
      .map(withoutEmpty)
      .map((cell) => (isAtHand ? withRuns(cell, fillings) : cell));
    const limits = fillingCautions(exhibit.value, { cells, series, cautions: others }, [
      ...new Map(fillings.map(({ study }) => [study.id, study])).values(),
    ]);
    const cautions = [...damage, ...limits];
    const scales = [
      ...fillings.flatMap(({ runs }) => runs.map(({ scale }) => scale)),
      ...lines.map(({ atHand }) => atHand.scale),
    ];
    return ok({
      exhibit: exhibit.value,
      result: {
        ...limitedBy(
          [
            ...damage.map(({ text }) => text),
            ...(scales.includes('pocket') ? pocketSentences(fillings, lines) : []),
            ...limits.flatMap(({ kind, text }) => (kind === 'tests' ? [] : text)),
          ],
          result.value,
        ),
        cells,
        series: isAtHand ? series.map((line) => withSource(line, fillings, lines)) : series,
        ...(cautions.length === 0 ? {} : { cautions }),
        complete: result.value.complete && cautions.every(({ kind }) => kind !== 'missing'),
      },
    });
  };
}

/** Does the file name these trainings in this line? */
function isWritten({ series }: Exhibit, line: NonNullable<ExhibitFill['lines']>[number]): boolean {
  const written = series.find(({ id }) => id === line.seriesId);
  return written !== undefined && trainingsOfLine(written).join(' ') === line.trainings.join(' ');
}

/** Where something was trained, the result of the control without collaboration is named. */
function pocketSentences(fillings: readonly Filling[], lines: readonly FilledLine[]): readonly string[] {
  const servers = fillings.flatMap(({ runs }) => runs.flatMap(({ team }) => team.servers));
  const isTrained = lines.length > 0 || servers.some((one) => one.kind === 'pocket' && one.trained);
  return isTrained ? POCKET_SENTENCES : [COMPLEMENT_SENTENCE];
}

/** Trainings say nothing of a paper's own: they give lines of what the lab has written itself. */
function noLinesReason({ origin, exhibit }: ExhibitEntry, isAtHand: boolean): string | null {
  if (origin !== 'own') {
    return `Trainings at hand give lines of a figure of your own alone. Copy "${exhibit.title}" under another id first: More, Duplicate as your own; in a terminal mars2 exhibits print ${exhibit.id}, then save.`;
  }
  return isAtHand ? null : 'Fill rows of small language models and lines of trainings one after the other.';
}

type Filling = Omit<DeskFilling, 'runs'> & FinishedRuns & { readonly studyId: string };

/** The runs of a finished study's configuration. */
async function finishedRuns(
  { studyId, configuration }: { readonly studyId: string; readonly configuration: string },
  studies: Pick<StudyService, 'list' | 'inTrash'>,
): Promise<Result<FinishedRuns, Refusal>> {
  const view = studies.list().find(({ study }) => study.id === studyId);
  if (view === undefined) {
    // The trash is measured on the disk: only where a study is not in the list.
    const removed = (await studies.inTrash()).find((one) => one.studyId === studyId);
    const message =
      removed === undefined
        ? `There is no study ${studyId}.`
        : `"${removed.name}" is in the trash. Restore it: Studies, Trash.`;
    return failed({ code: 'not-found', message });
  }
  const names = [...new Set(view.study.runs.map((run) => run.configuration))];
  if (!names.includes(configuration)) {
    const message = `"${view.study.name}" has no configuration "${configuration}". It has: ${names.join(', ')}.`;
    return failed({ code: 'bad-input', message });
  }
  if (view.state.kind === 'missing') {
    const { message, hint } = view.state;
    return failed({ code: 'unavailable', message, ...(hint === undefined ? {} : { hint }) });
  }
  if (view.state.kind !== 'finished') {
    const message = `"${view.study.name}" is not finished. Resume it, then fill the exhibit.`;
    return failed({ code: 'bad-input', message });
  }
  const { study } = view;
  return ok({
    runs: study.runs.filter((run) => run.configuration === configuration),
    countedRegrade: study.countedRegrade,
    study,
  });
}

/** With the cautions of damaged journals. */
async function filledResult(
  exhibit: FilledExhibit['exhibit'],
  scale: 'desk' | 'own',
  measured: {
    readonly fillings: readonly Filling[];
    readonly lines: readonly FilledLine[];
    readonly missing: ReadonlyMap<string, Refusal>;
    readonly missingLines: ReadonlyMap<string, Refusal>;
    readonly diversity: DiversityCell[];
  },
  comparison: Pick<RunComparisons, 'viewsOf'>,
): Promise<Result<ExhibitResult, Refusal>> {
  const { fillings, lines, missing, missingLines, diversity } = measured;
  const runIds = new Set(fillings.flatMap(({ runs }) => runs.map(({ id }) => id)));
  const read = await comparison.viewsOf([...runIds].map((runId) => ({ runId })));
  if (!read.ok) return read;
  const { cells, series } = exhibit;
  const stateOf = (refusal: Refusal | undefined): CellState =>
    refusal === undefined ? { kind: 'done', reused: true } : { kind: 'missing', message: refusal.message };
  const states = [
    ...cells.map((cell) => [cellKey(cell), stateOf(missing.get(cell.configuration))] as const),
    ...series.map(({ id, configuration, curve }) => {
      const refusal = curve.kind === 'learning' ? missingLines.get(id) : missing.get(configuration);
      return [id, stateOf(refusal)] as const;
    }),
  ];
  const { views, damage } = read.value;
  const result = await fillExhibitInSteps(
    {
      ...{ exhibit, scale, reproductionId: null },
      runs: fillings.flatMap(({ configurationId, studyId, runs }) =>
        views
          .filter(({ view }) => runs.some(({ id }) => id === view.config.id))
          .map(({ view }) => ({ configurationId, studyId, view })),
      ),
      ...{ diversity, learning: lines, notComparable: new Map(), trainingIds: new Map() },
      states: new Map(states),
      costs: new Map(states.map(([key]) => [key, UNKNOWN])),
    },
    () => breathe(),
  );
  const { cautions = [] } = result;
  return ok({
    ...result,
    cautions: [...damage.map((one) => ({ kind: 'damaged' as const, ...one })), ...cautions],
  });
}

/** With what the runs behind it are. */
function withRuns(cell: FilledCell, fillings: readonly Filling[]): FilledCell {
  const runs = runsOf(cell, fillings);
  return runs.length === 0 ? cell : { ...cell, atHand: atHandOf(runs) };
}

/** With what the runs or trainings behind it are. */
function withSource(
  line: FilledSeries,
  fillings: readonly Filling[],
  lines: readonly FilledLine[],
): FilledSeries {
  const atHand = lines.find(({ seriesId }) => seriesId === line.id)?.atHand;
  if (atHand !== undefined) {
    return { ...line, atHand, trainingIds: atHand.trainings?.map(({ id }) => id) ?? [] };
  }
  const runs = runsOf(line, fillings);
  return runs.length === 0 ? line : { ...line, atHand: atHandOf(runs) };
}

function runsOf({ runs }: Pick<FilledCell, 'runs'>, fillings: readonly Filling[]): RunConfig[] {
  return fillings
    .flatMap((filling) => filling.runs)
    .filter(({ id }) => runs.some(({ runId }) => runId === id));
}

function atHandOf(runs: readonly RunConfig[]): AtHand {
  return {
    scale: runs[0]?.scale ?? 'own',
    seeds: [...new Set(runs.map(({ seed }) => seed))],
    benchmarks: [...new Set(runs.map(({ benchmarkId }) => benchmarkId))],
    models: [...new Set(runs.flatMap(({ team }) => team.servers.map(({ model }) => model)))],
    searches: searchesOf(runs),
    problems: Math.min(...runs.map(({ problemIds }) => problemIds.length)),
  };
}

function searchesOf(runs: readonly RunConfig[]): NonNullable<AtHand['searches']> {
  const searches = runs.map(({ search }) => ({ name: methodTitle(search), nodes: search.nodes }));
  return [...new Map(searches.map((search) => [`${search.name} ${search.nodes}`, search])).values()];
}

/** A cell whose measure the study did not make is not done. */
function withoutEmpty(cell: FilledCell): FilledCell {
  const state: CellState = { kind: 'missing', message: 'The study did not measure it.' };
  return cell.ours === null && cell.state.kind === 'done' ? { ...cell, state } : cell;
}
