import type { Refusal, ReproductionView } from '../../../preload/contract/index';
import { type Disposable, Emitter, failed, ok, type Result } from '../../base/index';
import type { Reproduction } from '../logic/reproductions/record';
import { viewOfReproduction } from '../logic/reproductions/view';
import type { ReproductionDeps } from './deps';
import { noReproduction, type ReproductionBook } from './reproduction-book';
import { createRunProgress } from './run-progress';

/** Changes are told no more often. */
const TELL_EVERY_MS = 1_000;

/** Reproductions as people see them, and telling what has changed of them. */
export type ReproductionViews = {
  /** Oldest first. */
  readonly all: () => ReproductionView[];
  readonly view: (id: string) => Result<ReproductionView, Refusal>;
  readonly of: (one: Reproduction) => ReproductionView;
  readonly tell: () => void;
  readonly tellSoon: () => void;
  readonly forget: (id: string) => void;
  readonly onChange: (listener: (view: ReproductionView) => void) => Disposable;
  readonly dispose: () => void;
};

export function createReproductionViews(
  around: Pick<ReproductionDeps, 'trainings' | 'studies' | 'clock' | 'slots' | 'events'> & {
    readonly book: ReproductionBook;
    readonly waitsFor: (id: string) => string | null;
  },
): ReproductionViews {
  const { trainings, studies, clock, slots, events, book, waitsFor } = around;
  const shares = createRunProgress(studies);
  const changes = new Emitter<ReproductionView>();
  /** What was told last of each: what looks the same is not told again. */
  const told = new Map<string, { readonly one: Reproduction; readonly words: string }>();
  let telling: NodeJS.Timeout | null = null;
  let toldAt = Number.NEGATIVE_INFINITY;
  let isOpen = true;

  const viewsOf = (all: readonly Reproduction[]): ReproductionView[] => {
    const live = {
      trainings: new Map(trainings.list().map((training) => [training.id, training])),
      runs: shares.now(),
      studiesAtWork: shares.studiesAtWork(),
      slots,
    };
    return all.map((one) => viewOfReproduction(one, { ...live, waitsFor: waitsFor(one.record.id) }));
  };
  const listed = (): Reproduction[] => book.all().filter(({ record }) => !record.removing);
  const of = (one: Reproduction): ReproductionView => viewsOf([one])[0] as ReproductionView;
  const tell = (): void => {
    telling = null;
    toldAt = clock.now();
    // Nothing but its record changes what has ended.
    const due = listed().filter((one) => one.record.endedAt === null || told.get(one.record.id)?.one !== one);
    for (const [at, view] of viewsOf(due).entries()) {
      const words = JSON.stringify(view);
      const isSame = told.get(view.id)?.words === words;
      told.set(view.id, { one: due[at] as Reproduction, words });
      if (!isSame) changes.emit(view);
    }
  };
  const tellSoon = (): void => {
    if (isOpen) telling ??= setTimeout(tell, Math.max(0, toldAt + TELL_EVERY_MS - clock.now()));
  };
  const listening = [
    trainings.onChange(tellSoon),
    events.on((event) => {
      if (event.kind === 'study-changed' && shares.hear(event.view)) void shares.look().then(tellSoon);
    }),
  ];
  return {
    all: () => viewsOf(listed()),
    view: (id) => {
      const one = book.get(id);
      return one === null ? failed(noReproduction(id)) : ok(of(one));
    },
    of,
    tell,
    tellSoon,
    forget: (id) => void told.delete(id),
    onChange: (listener) => changes.on(listener),
    dispose: () => {
      isOpen = false;
      for (const one of listening) one.dispose();
      if (telling !== null) clearTimeout(telling);
    },
  };
}
