import type { CompareRoute } from './compare-routes';
import { parsePath, pathOf } from './routes';
import { readStored, writeStored } from './stored-state';

const NAME = 'compare.last';

/** Keeps which runs are compared, not in which tab; a route that names none is not kept. */
export function rememberComparison({ kind, studyId, runs }: CompareRoute): void {
  if (studyId === null && runs === undefined) return;
  writeStored(NAME, pathOf({ kind, studyId, ...(runs === undefined ? {} : { runs }) }));
}

/** null: nothing was compared yet. */
export function lastComparison(): CompareRoute | null {
  const route = parsePath(readStored(NAME) ?? '/');
  return route.kind === 'compare' ? route : null;
}
