import type { Refusal, ReproductionView } from '../../../preload/contract/index';
import { type Disposable, Emitter, ok, type Result } from '../../base/index';
import type { Reproduction } from '../logic/reproductions/record';
import { viewOfReproduction } from '../logic/reproductions/view';
import type { ReproductionDeps } from './deps';
import type { ReproductionStore } from './reproduction-store';
import { createRunProgress } from './run-progress';

/** Changes are emitted no more often. */
const EMIT_EVERY_MS = 1_000;

/** Reproductions as people see them, and events for what has changed of them. */
export type ReproductionViews = {
  /** Oldest first. */
  readonly all: () => ReproductionView[];
  readonly view: (id: string) => Result<ReproductionView, Refusal>;
  readonly of: (reproduction: Reproduction) => ReproductionView;
  readonly emitChanges: () => void;
  readonly emitChangesSoon: () => void;
  readonly forget: (id: string) => void;
  readonly onChange: (listener: (view: ReproductionView) => void) => Disposable;
  readonly dispose: () => void;
};

export function createReproductionViews(
  deps: Pick<ReproductionDeps, 'trainings' | 'studies' | 'clock' | 'slots' | 'events' | 'onError'> & {
    readonly store: ReproductionStore;
    readonly waitsFor: (id: string) => string | null;
  },
): ReproductionViews {
  const { trainings, studies, clock, slots, events, store, waitsFor } = deps;
  const progress = createRunProgress(studies);
  const changes = new Emitter<ReproductionView>();
  /** What was emitted last of each: what looks the same is not emitted again. */
  const emitted = new Map<string, { readonly reproduction: Reproduction; readonly text: string }>();
  let timer: NodeJS.Timeout | null = null;
  let emittedAt = Number.NEGATIVE_INFINITY;
  let isOpen = true;

  const viewsOf = (all: readonly Reproduction[]): ReproductionView[] => {
    const live = {
      trainings: new Map(trainings.list().map((training) => [training.id, training])),
      runs: progress.now(),
      studiesAtWork: progress.studiesAtWork(),
      slots,
    };
    return all.map((reproduction) =>
      viewOfReproduction(reproduction, { ...live, waitsFor: waitsFor(reproduction.record.id) }),
    );
  };
  const listed = (): Reproduction[] => store.list().filter(({ record }) => !record.removing);
  const of = (reproduction: Reproduction): ReproductionView => viewsOf([reproduction])[0] as ReproductionView;
  const emitChanges = (): void => {
    timer = null;
    emittedAt = clock.now();
    // The view of an ended one changes only with its record.
    const due = listed().filter(
      (reproduction) =>
        reproduction.record.endedAt === null ||
        emitted.get(reproduction.record.id)?.reproduction !== reproduction,
    );
    for (const [at, view] of viewsOf(due).entries()) {
      const text = JSON.stringify(view);
      const isSame = emitted.get(view.id)?.text === text;
      emitted.set(view.id, { reproduction: due[at] as Reproduction, text });
      if (!isSame) changes.emit(view);
    }
  };
  const emitChangesSoon = (): void => {
    if (isOpen) timer ??= setTimeout(emitChanges, Math.max(0, emittedAt + EMIT_EVERY_MS - clock.now()));
  };
  const listeners = [
    trainings.onChange(emitChangesSoon),
    events.on((event) => {
      if (event.kind !== 'study-changed' || !progress.observe(event.view)) return;
      progress.update().then(emitChangesSoon, (error: unknown) => {
        deps.onError({ name: 'reproductions', key: null, error, failures: 1, waitMs: 0 });
      });
    }),
  ];
  return {
    all: () => viewsOf(listed()),
    view: (id) => {
      const reproduction = store.find(id);
      return reproduction.ok ? ok(of(reproduction.value)) : reproduction;
    },
    of,
    emitChanges,
    emitChangesSoon,
    forget: (id) => void emitted.delete(id),
    onChange: (listener) => changes.on(listener),
    dispose: () => {
      isOpen = false;
      for (const listener of listeners) listener.dispose();
      if (timer !== null) clearTimeout(timer);
    },
  };
}
