import type { ReproductionView } from '../../../preload/contract/reproduction';

/** A reproduction with the number of its exhibit's values that are measured, and of all. */
type ReproductionProgress = {
  readonly view: ReproductionView;
  readonly done: number;
  readonly total: number;
};

export function progressOf(view: ReproductionView): ReproductionProgress {
  const cells = view.steps.filter(({ kind }) => kind === 'cell');
  const done = cells.filter(({ state }) => state.kind === 'done').length;
  return { view, done, total: cells.length };
}

/** Of the newest reproduction of an exhibit at a scale; null: there is none. */
export function latestProgress(
  exhibitId: string,
  scale: ReproductionView['scale'],
  reproductions: readonly ReproductionView[],
): ReproductionProgress | null {
  const own = reproductions.filter(
    (reproduction) => reproduction.order.exhibitId === exhibitId && reproduction.scale === scale,
  );
  const [first] = own;
  if (first === undefined) return null;
  return progressOf(own.reduce((newest, view) => (view.createdAt > newest.createdAt ? view : newest), first));
}
