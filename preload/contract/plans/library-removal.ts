import { studyIsRunning } from '../folds/study-is-running';
import type { StudyView } from '../study';
import { counted } from './number-text';

/** What an import says that found the same content in the library. */
export function alreadyImportedText(id: string): string {
  return `This file was already imported as "${id}"; nothing was changed.`;
}

/** A benchmark or a recording of the library. */
export type LibraryItem = { readonly kind: 'benchmark' | 'recording'; readonly id: string };

/** Ids of generated benchmarks. */
const GENERATED = /^pocket-(?:train|validation|test)-/;

/** Studies named in one sentence; the others are counted. */
const MAX_NAMED = 3;

/** The studies that search its problems or replay its samples. */
function studiesWith({ kind, id }: LibraryItem, studies: readonly StudyView[]): readonly StudyView[] {
  return studies.filter(({ study }) =>
    study.runs.some(({ benchmarkId, team }) =>
      kind === 'benchmark'
        ? benchmarkId === id
        : team.servers.some((server) => server.kind === 'recorded' && server.recordingId === id),
    ),
  );
}

/** Why the item cannot be removed now; null: it can. */
export function removalProblem(
  item: LibraryItem,
  studies: readonly StudyView[],
): { readonly message: string; readonly hint: string } | null {
  const working = studiesWith(item, studies).find(({ state }) => studyIsRunning(state));
  if (working === undefined) return null;
  return {
    message: `The ${item.kind} "${item.id}" cannot be removed: the study "${working.study.name}" is running and needs it.`,
    hint: 'Stop the study, or wait until it is finished.',
  };
}

/** What its removal costs, in sentences that window and terminal show before it. `recordings`: that answer the benchmark. */
export function removalText(item: LibraryItem, studies: readonly StudyView[], recordings: number): string {
  const users = studiesWith(item, studies);
  const named = users.slice(0, MAX_NAMED).map(({ study }) => `"${study.name}"`);
  const more = users.length - named.length;
  const names = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const again = GENERATED.test(item.id)
    ? 'Until it is generated again, which a quickstart study does, they cannot be resumed'
    : `Until the same file is imported again with the id ${item.id}, they cannot be resumed`;
  const lost =
    item.kind === 'recording'
      ? `${again}.`
      : `${again} or graded again, and statements, tests and prompts of their problems cannot be shown.`;
  return [
    users.length === 0
      ? 'No study uses it.'
      : `${counted(users.length, 'study uses', 'studies use')} it: ${names}.`,
    ...(users.length === 0 ? [] : [`Their tables, curves, trees and programs stay. ${lost}`]),
    ...(recordings === 0
      ? []
      : [
          recordings === 1
            ? '1 recording answers its problems, and cannot be used without it.'
            : `${recordings} recordings answer its problems, and cannot be used without it.`,
        ]),
  ].join(' ');
}
