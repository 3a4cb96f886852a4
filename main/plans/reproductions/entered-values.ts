import { isDeepStrictEqual } from 'node:util';
import { hasEntered, withEnteredOf } from '../../../preload/contract/plans/index';
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
  const ownRecords = () => store.list().filter(({ record }) => !record.readOnly);
  const take = async (own: ReturnType<typeof ownRecords>): Promise<void> => {
    const current = own.length === 0 ? [] : (await exhibits.list()).exhibits;
    for (const { record } of own) {
      const entry = current.find(({ exhibit }) => exhibit.id === record.order.exhibitId);
      const exhibit = entry === undefined ? record.exhibit : withEnteredOf(record.exhibit, entry.exhibit);
      if (isDeepStrictEqual(exhibit, record.exhibit)) continue;
      orThrow(await store.change(record.id, (latest) => ({ ...latest, exhibit })));
      onChange(record.id);
    }
  };
  /** When the app opens: without entered values, reading all exhibits would be useless. */
  const takeFirst = async (): Promise<void> => {
    const ids = await exhibits.enteredIds();
    await take(
      ownRecords().filter(({ record }) => ids.has(record.order.exhibitId) || hasEntered(record.exhibit)),
    );
  };
  // Tables then lack what was entered; nothing that was measured is lost.
  const onFailure = (error: unknown): void =>
    onError({ name: 'reproductions', key: null, error, failures: 1, waitMs: 0 });
  let taking = takeFirst().catch(onFailure);
  const listening = exhibits.onChange(() => {
    taking = taking.then(() => take(ownRecords())).catch(onFailure);
  });
  return { isTaken: () => taking, dispose: () => listening.dispose() };
}
