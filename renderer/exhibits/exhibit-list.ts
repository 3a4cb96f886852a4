import type { ExhibitEntry } from '../../preload/contract/exhibit';
import type { ReproductionView } from '../../preload/contract/reproduction';
import type { ExhibitScale } from '../state/index';

export type ListedPaper = {
  readonly title: string;
  readonly arxiv: string | null;
  readonly entries: readonly ExhibitEntry[];
};

/** Exhibits by their paper, papers and exhibits in the order in which they come. */
export function papersOf(entries: readonly ExhibitEntry[]): readonly ListedPaper[] {
  const papers = new Map<string, ListedPaper>();
  for (const entry of entries) {
    const { title, arxiv } = entry.exhibit.paper;
    const paper = papers.get(title);
    papers.set(title, {
      title,
      arxiv: paper?.arxiv ?? arxiv,
      entries: [...(paper?.entries ?? []), entry],
    });
  }
  return [...papers.values()];
}

/** How far the newest reproduction of an exhibit at a scale is, in values of its table; null: there is none. */
export function standingOf(
  exhibitId: string,
  scale: ExhibitScale,
  reproductions: readonly ReproductionView[],
): { readonly view: ReproductionView; readonly done: number; readonly total: number } | null {
  const own = reproductions.filter((one) => one.order.exhibitId === exhibitId && one.scale === scale);
  const [first] = own;
  if (first === undefined) return null;
  const view = own.reduce((newest, one) => (one.createdAt > newest.createdAt ? one : newest), first);
  const cells = view.steps.filter(({ kind }) => kind === 'cell');
  return {
    view,
    done: cells.filter(({ state }) => state.kind === 'done').length,
    total: cells.length,
  };
}
