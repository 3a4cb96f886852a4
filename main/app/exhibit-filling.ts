import { setImmediate as breathe } from 'node:timers/promises';
import type { Amount, CellState, ExhibitFill, FilledExhibit, Refusal } from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import { deskExhibit, type ExhibitLibrary, whyNotRows } from '../exhibits/index';
import { fillExhibitInSteps } from '../metrics/index';
import type { RunComparisons, StudyService } from '../studies/index';

const UNKNOWN: Amount = { seconds: null, gpuSeconds: null, tokens: null };

/** Fills rows of an exhibit with a finished study of small language models; saves nothing. */
export type FillExhibit = (request: ExhibitFill) => Promise<Result<FilledExhibit, Refusal>>;

export function exhibitFilling(deps: {
  readonly exhibits: Pick<ExhibitLibrary, 'get'>;
  readonly studies: Pick<StudyService, 'list'>;
  readonly comparison: Pick<RunComparisons, 'viewsOf'>;
}): FillExhibit {
  return async ({ exhibitId, studyId, filled }) => {
    const entry = await deps.exhibits.get(exhibitId);
    if (!entry.ok) return entry;
    const wrong = whyNotRows(entry.value.exhibit, filled);
    if (wrong !== null) return failed({ code: 'bad-input', message: wrong });
    const view = deps.studies.list().find(({ study }) => study.id === studyId);
    if (view === undefined) return failed({ code: 'not-found', message: `There is no study ${studyId}.` });
    const names = [...new Set(view.study.runs.map(({ configuration }) => configuration))];
    const unknown = filled.find(({ configuration }) => !names.includes(configuration));
    if (unknown !== undefined) {
      const message = `"${view.study.name}" has no configuration "${unknown.configuration}". It has: ${names.join(', ')}.`;
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
    const fillings = filled.map(({ configurationId, configuration }) => ({
      configurationId,
      configuration,
      runs: view.study.runs.filter((run) => run.configuration === configuration),
    }));
    const exhibit = deskExhibit(entry.value.exhibit, fillings);
    if (!exhibit.ok) return failed({ code: 'bad-input', message: exhibit.error });
    const views = await deps.comparison.viewsOf(
      fillings.flatMap(({ runs }) => runs.map(({ id }) => ({ runId: id }))),
    );
    if (!views.ok) return views;
    const { cells, series } = exhibit.value;
    const keys = [...cells.map(({ row, column }) => `${row}.${column}`), ...series.map(({ id }) => id)];
    const done: CellState = { kind: 'done', reused: true };
    const result = await fillExhibitInSteps(
      {
        ...{ exhibit: exhibit.value, scale: 'desk', reproductionId: null },
        runs: fillings.flatMap(({ configurationId, runs }) =>
          views.value
            .filter(({ view }) => runs.some(({ id }) => id === view.config.id))
            .map(({ view }) => ({ configurationId, studyId, view })),
        ),
        ...{ diversity: [], learning: [], notComparable: new Map(), trainingIds: new Map() },
        states: new Map(keys.map((key) => [key, done])),
        costs: new Map(keys.map((key) => [key, UNKNOWN])),
      },
      () => breathe(),
    );
    return ok({ exhibit: exhibit.value, result: { ...result, cells: result.cells.map(withoutEmpty) } });
  };
}

/** A cell whose measure the study did not make is not done. */
function withoutEmpty(cell: FilledExhibit['result']['cells'][number]): typeof cell {
  const state: CellState = { kind: 'missing', message: 'The study did not measure it.' };
  return cell.ours === null ? { ...cell, state } : cell;
}
