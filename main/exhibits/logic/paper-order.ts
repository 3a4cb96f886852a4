import type { ExhibitEntry } from '../../../preload/contract/index';

/**
 * Built-in exhibits first, the older paper before the newer; in a paper as it numbers its figures and tables, and behind
 * them by name those whose number is not known.
 */
export function inPaperOrder<Entry extends Pick<ExhibitEntry, 'exhibit' | 'origin'>>(
  entries: readonly Entry[],
): Entry[] {
  return [...entries].sort(
    (one, other) =>
      Number(one.origin === 'own') - Number(other.origin === 'own') ||
      compare(paperOf(one), paperOf(other)) ||
      numberOf(one) - numberOf(other) ||
      compare(one.exhibit.place, other.exhibit.place),
  );
}

/** Numbers at arXiv grow with time; papers without one stand behind. */
function paperOf({ exhibit: { paper } }: Pick<ExhibitEntry, 'exhibit'>): string {
  return `${paper.arxiv ?? '~'} ${paper.title}`;
}

/** Of "Figure 3" or "Table 2". */
function numberOf({ exhibit }: Pick<ExhibitEntry, 'exhibit'>): number {
  const match = /^(?:Figure|Table) (\d{1,3})\b/.exec(exhibit.place);
  return match === null ? Number.MAX_SAFE_INTEGER : Number(match[1]);
}

/** The same in every language of the system. */
function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
