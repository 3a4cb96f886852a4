import { isDeepStrictEqual } from 'node:util';
import { withEnteredOf } from '../../../preload/contract/plans/index';
import { type Disposable, orThrow } from '../../base/index';
import type { ReproductionDeps } from './deps';
import type { ReproductionStore } from './reproduction-store';

/** The paper's values that the lab has entered belong to tables that were measured before, and to their bundles. */
export function takeEnteredValues(
  deps: Pick<ReproductionDeps, 'exhibits' | 'onError'> & {
    readonly store: Pick<ReproductionStore, 'list' | 'change'>;
  },
  onChange: (reproductionId: string) => void,
): Disposable & {
  /** Resolves once all records have what was entered until now. */
  readonly isTaken: () => Promise<void>;
} {
  const { store, exhibits, onError } = deps;
  const take = async (): Promise<void> => {
    const own = store.list().filter(({ record }) => !record.readOnly);
    const current = own.length === 0 ? [] : (await exhibits.list()).exhibits;
    for (const { record } of own) {
      const entry = current.find(({ exhibit }) => exhibit.id === record.order.exhibitId);
      const exhibit = entry === undefined ? record.exhibit : withEnteredOf(record.exhibit, entry.exhibit);
      if (isDeepStrictEqual(exhibit, record.exhibit)) continue;
      orThrow(await store.change(record.id, (latest) => ({ ...latest, exhibit })));
      onChange(record.id);
    }
  };
  let taking = Promise.resolve();
  const takeNext = (): void => {
    taking = taking.then(take).catch((error: unknown) => {
      // Tables then lack what was entered; nothing that was measured is lost.
      onError({ name: 'reproductions', key: null, error, failures: 1, waitMs: 0 });
    });
  };
  takeNext();
  const listening = exhibits.onChange(takeNext);
  return { isTaken: () => taking, dispose: () => listening.dispose() };
}
