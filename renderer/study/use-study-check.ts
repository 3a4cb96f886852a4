import { type StudyCheck, useWorkbench } from '../state/index';

/** Opens or closes a dialog of the study. The route says which is open, so that lists and the palette can open it too. */
export function useStudyCheck(studyId: string): (check: StudyCheck | null) => void {
  const { location } = useWorkbench();
  return (check) =>
    location.go({ kind: 'study', studyId, ...(check === null ? {} : { check }) }, { replace: true });
}
