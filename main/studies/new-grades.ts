import type { WorkbenchEvent } from '../../preload/contract/index';
import type { Emitter } from '../base/index';
import type { StudyDeps } from './active-study';
import type { StudyResults } from './study-results';
import type { RunningStudy } from './study-views';

const ANALYSIS_EVENT_MS = 1_000;

/** Says that the table of a running study has changed since the last event about it, which was not just now. */
export function emitNewGrades(
  studyId: string,
  study: Pick<RunningStudy, 'hasNewGrades' | 'analysedAt'>,
  {
    deps,
    events,
    results,
  }: {
    readonly deps: Pick<StudyDeps, 'now'>;
    readonly events: Pick<Emitter<WorkbenchEvent>, 'emit'>;
    readonly results: Pick<StudyResults, 'analysisIsDue'>;
  },
): void {
  const now = deps.now();
  if (!study.hasNewGrades || now - study.analysedAt < ANALYSIS_EVENT_MS) return;
  // Who asks earlier gets the last table, which lacks the new grades, and would not hear of them again.
  if (!results.analysisIsDue(studyId)) return;
  study.hasNewGrades = false;
  study.analysedAt = now;
  events.emit({ kind: 'analysis-changed', studyId });
}
