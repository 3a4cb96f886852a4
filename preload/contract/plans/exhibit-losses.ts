import type { Exhibit } from '../exhibit';
import { trainingsOfLine } from './trainings-at-hand';

/** What is removed, by its id. */
type Removed = { readonly kind: 'study' | 'training'; readonly id: string };

/** Exhibits named in one sentence; the others are counted. */
const MAX_NAMED = 3;

/** Which tables and figures of a lab's own lose something with it, in a sentence; empty: none does. */
export function exhibitLosses(
  { kind, id }: Removed,
  exhibits: readonly { readonly exhibit: Exhibit }[],
): string {
  const users = exhibits.filter(({ exhibit: { configurations, series } }) =>
    kind === 'study'
      ? configurations.some(({ study }) => study?.id === id)
      : // Files may name a training by the first letters of its id.
        series.some((line) => trainingsOfLine(line).some((named) => id.startsWith(named))),
  );
  if (users.length === 0) return '';
  const named = users
    .slice(0, MAX_NAMED)
    .map(({ exhibit: { place, title, id: exhibitId } }) => `${place} \u00b7 ${title} (${exhibitId})`);
  const more = users.length > MAX_NAMED ? ` and ${users.length - MAX_NAMED} more` : '';
  return `It fills ${kind === 'study' ? 'cells or lines' : 'lines'} of ${named.join(', ')}${more}, which stay empty without it.`;
}
