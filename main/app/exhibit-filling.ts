import { setImmediate as breathe } from 'node:timers/promises';
import type {
  Amount,
  CellState,
  DiversityCell,
  ExhibitFill,
  ExhibitResult,
  FilledExhibit,
  Refusal,
  StudyView,
} from '../../preload/contract/index';
import { cellKey, POCKET_SENTENCES } from '../../preload/contract/plans/index';
import { failed, ok, type Result } from '../base/index';
import {
  atHandExhibit,
  type DeskFilling,
  deskExhibit,
  type ExhibitLibrary,
  whyNotRows,
} from '../exhibits/index';
import { fillExhibitInSteps } from '../metrics/index';
import type { RunComparisons, StudyService } from '../studies/index';
import { type FinishedRuns, fillingDiversity } from './filling-diversity';

const UNKNOWN: Amount = { seconds: null, gpuSeconds: null, tokens: null };

/** Fills rows of an exhibit with a finished study of small language models, or with those that its file names; saves nothing. */
export type FillExhibit = (request: ExhibitFill) => Promise<Result<FilledExhibit, Refusal>>;

export function exhibitFilling(deps: {
  readonly exhibits: Pick<ExhibitLibrary, 'get'>;
  readonly studies: Pick<StudyService, 'list'>;
  readonly comparison: Pick<RunComparisons, 'viewsOf' | 'diversity'>;
}): FillExhibit {
  const diversityOf = fillingDiversity(deps.comparison);
  return async ({ exhibitId, studyId, filled }) => {
    const entry = await deps.exhibits.get(exhibitId);
    if (!entry.ok) return entry;
    const written = entry.value.exhibit;
    const wanted = filled.map((one) => ({ ...one, studyId: one.studyId ?? studyId }));
    // Its file says which studies stand in its rows: then they may be of any scale.
    const isAtHand = wanted.every((one) => {
      const study = written.configurations.find(({ id }) => id === one.configurationId)?.study;
      return study?.id === one.studyId && study.configuration === one.configuration;
    });
    const wrong = isAtHand ? null : whyNotRows(written, filled);
    if (wrong !== null) return failed({ code: 'bad-input', message: wrong });
    const fillings: Filling[] = [];
    for (const one of wanted) {
      const runs = finishedRuns(one, deps.studies.list());
      if (!runs.ok) return runs;
      fillings.push({ ...one, ...runs.value });
    }
    const exhibit = isAtHand ? ok(atHandExhibit(written, fillings)) : deskExhibit(written, fillings);
    if (!exhibit.ok) return failed({ code: 'bad-input', message: exhibit.error });
    const diversity = await diversityOf(exhibit.value, fillings);
    if (!diversity.ok) return diversity;
    const result = await filledResult(
      exhibit.value,
      isAtHand ? 'own' : 'desk',
      { fillings, diversity: diversity.value },
      deps.comparison,
    );
    if (!result.ok) return result;
    const { cells, sentences } = result.value;
    const isPocket = fillings.some(({ runs }) => runs.some(({ scale }) => scale === 'pocket'));
    return ok({
      exhibit: exhibit.value,
      result: {
        ...result.value,
        cells: cells.map(withoutEmpty).map((cell) => (isAtHand ? withRuns(cell, fillings) : cell)),
        sentences: [...(isPocket ? POCKET_SENTENCES : []), ...sentences],
      },
    });
  };
}

type Filling = Omit<DeskFilling, 'runs'> & FinishedRuns & { readonly studyId: string };

/** The runs of a finished study's configuration. */
function finishedRuns(
  { studyId, configuration }: { readonly studyId: string; readonly configuration: string },
  studies: readonly StudyView[],
): Result<FinishedRuns, Refusal> {
  const view = studies.find(({ study }) => study.id === studyId);
  if (view === undefined) return failed({ code: 'not-found', message: `There is no study ${studyId}.` });
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
  const { runs, countedRegrade } = view.study;
  return ok({ runs: runs.filter((run) => run.configuration === configuration), countedRegrade });
}

async function filledResult(
  exhibit: FilledExhibit['exhibit'],
  scale: 'desk' | 'own',
  { fillings, diversity }: { readonly fillings: readonly Filling[]; readonly diversity: DiversityCell[] },
  comparison: Pick<RunComparisons, 'viewsOf'>,
): Promise<Result<ExhibitResult, Refusal>> {
  const runIds = new Set(fillings.flatMap(({ runs }) => runs.map(({ id }) => id)));
  const views = await comparison.viewsOf([...runIds].map((runId) => ({ runId })));
  if (!views.ok) return views;
  const { cells, series } = exhibit;
  const keys = [...cells.map(cellKey), ...series.map(({ id }) => id)];
  const done: CellState = { kind: 'done', reused: true };
  return ok(
    await fillExhibitInSteps(
      {
        ...{ exhibit, scale, reproductionId: null },
        runs: fillings.flatMap(({ configurationId, studyId, runs }) =>
          views.value
            .filter(({ view }) => runs.some(({ id }) => id === view.config.id))
            .map(({ view }) => ({ configurationId, studyId, view })),
        ),
        ...{ diversity, learning: [], notComparable: new Map(), trainingIds: new Map() },
        states: new Map(keys.map((key) => [key, done])),
        costs: new Map(keys.map((key) => [key, UNKNOWN])),
      },
      () => breathe(),
    ),
  );
}

type FilledCell = FilledExhibit['result']['cells'][number];

/** With what the runs behind it are. */
function withRuns(cell: FilledCell, fillings: readonly Filling[]): FilledCell {
  const runs = fillings
    .flatMap((filling) => filling.runs)
    .filter(({ id }) => cell.runs.some(({ runId }) => runId === id));
  const [first] = runs;
  if (first === undefined) return cell;
  const atHand = {
    scale: first.scale,
    seeds: [...new Set(runs.map(({ seed }) => seed))],
    benchmarks: [...new Set(runs.map(({ benchmarkId }) => benchmarkId))],
    models: [...new Set(runs.flatMap(({ team }) => team.servers.map(({ model }) => model)))],
  };
  return { ...cell, atHand };
}

/** A cell whose measure the study did not make is not done. */
function withoutEmpty(cell: FilledCell): FilledCell {
  const state: CellState = { kind: 'missing', message: 'The study did not measure it.' };
  return cell.ours === null ? { ...cell, state } : cell;
}
