import { isDeepStrictEqual } from 'node:util';
import type { Analysis } from '../../preload/contract/index';
import { orThrow } from '../base/index';
import { headlineOf } from './logic/headline';
import type { StudyResults } from './study-results';
import type { StudyStore } from './study-store';

/**
 * The same results; what lists show of an analysis is saved in the study's record whenever one is made or read, so that
 * no list reads an analysis or a journal.
 */
export function withHeadlines(
  results: StudyResults,
  options: {
    readonly store: StudyStore;
    /** The record of this study has another headline now. */
    readonly onSaved: (studyId: string) => void;
    readonly onError: (studyId: string, error: unknown) => void;
  },
): StudyResults {
  const { store, onSaved, onError } = options;
  const keep = async (studyId: string, analysis: Analysis): Promise<void> => {
    const record = store.find(studyId);
    if (!record.ok || record.value.finishedAt === null || !analysis.complete) return;
    const headline = headlineOf(analysis);
    if (headline === null || isDeepStrictEqual(headline, record.value.headline)) return;
    try {
      orThrow(await store.change(studyId, (old) => ({ ...old, headline })));
      onSaved(studyId);
    } catch (error) {
      onError(studyId, error);
    }
  };
  const analysis: StudyResults['analysis'] = async (studyId) => {
    const read = await results.analysis(studyId);
    if (read.ok) await keep(studyId, read.value);
    return read;
  };
  const finishedAt = (studyId: string): string | null => {
    const record = store.find(studyId);
    return record.ok ? record.value.finishedAt : null;
  };
  return {
    ...results,
    analysis,
    outcomes: async (studyId) => {
      const before = finishedAt(studyId);
      const read = await results.outcomes(studyId);
      // Its journals say that it is finished, which its record did not, e.g. after an extension that was taken back.
      if (before === null && finishedAt(studyId) !== null) await analysis(studyId);
      return read;
    },
    save: async (study, views, parts) => {
      await results.save(study, views, parts);
      // It was just made, so nothing is read again.
      if (parts.analysis) await analysis(study.id);
    },
  };
}
