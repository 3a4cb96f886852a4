import type { ComparedRuns } from '../../preload/contract/run-comparison';

/** The tabs of a comparison. */
export const COMPARE_VIEWS = ['table', 'pairs', 'problems', 'agents', 'diversity', 'settings'] as const;
export type CompareView = (typeof COMPARE_VIEWS)[number];

export type CompareRoute = {
  readonly kind: 'compare';
  /** All runs of this study; null: those of `runs`, else those compared last or of the newest finished study. */
  readonly studyId: string | null;
  /** Any runs of any studies; not set for a study. */
  readonly runs?: ComparedRuns;
  /** Left out: the table. */
  readonly view?: CompareView;
};

/**
 * The route of "/compare", "/compare/STUDY" or "/compare?run=RUN&run=RUN&as=LABEL" ("as" gives the run before it
 * another name), or null.
 */
export function parseComparePath(parts: readonly string[], query: URLSearchParams): CompareRoute | null {
  const [first, studyId = null, ...rest] = parts;
  if (first !== 'compare' || rest.length > 0) return null;
  const tab = COMPARE_VIEWS.find((choice) => choice === query.get('view'));
  const view = tab === undefined || tab === 'table' ? {} : { view: tab };
  if (studyId !== null) return { kind: 'compare', studyId, ...view };
  const runs: ComparedRuns = [];
  for (const [name, value] of query) {
    const last = runs.at(-1);
    if (name === 'run' && value !== '') runs.push({ runId: value });
    else if (name === 'as' && value !== '' && last !== undefined) last.label = value;
  }
  return { kind: 'compare', studyId: null, ...(runs.length === 0 ? {} : { runs }), ...view };
}

/** Inverse of `parseComparePath`. */
export function pathOfCompare({ studyId, runs = [], view = 'table' }: CompareRoute): string {
  const query = new URLSearchParams();
  if (studyId === null) {
    for (const { runId, label } of runs) {
      query.append('run', runId);
      if (label !== undefined) query.append('as', label);
    }
  }
  if (view !== 'table') query.append('view', view);
  const path = studyId === null ? '/compare' : `/compare/${encodeURIComponent(studyId)}`;
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}
