import { createStore, type StoreApi } from 'zustand/vanilla';
import { readStored, writeStored } from './stored-state';

/** Whoever does nothing for so long was away: what ended meanwhile is new to them. */
const AWAY_MS = 30 * 60_000;
/** The pointer moves often, and a minute more or less makes no difference. */
const SAVE_MS = 60_000;
const NAME = 'home.visit';
const SIGNS = ['pointermove', 'keydown', 'focus'] as const;

/** Milliseconds since the epoch. `since`: the last use before the present visit; null: this is the first. */
export type Visit = { readonly since: number | null; readonly usedAt: number };

/** The visit after a use of the window at `now`. */
export function visitAt(before: Visit | null, now: number): Visit {
  if (before === null) return { since: null, usedAt: now };
  return { since: now - before.usedAt >= AWAY_MS ? before.usedAt : before.since, usedAt: now };
}

/** null: nothing is stored, or what is stored lies in the future of a clock that was set back. */
export function readVisit(text: string | null, now: number): Visit | null {
  const [since, usedAt] = (text ?? '').split(' ').map(Number);
  if (usedAt === undefined || !Number.isFinite(usedAt) || usedAt > now) return null;
  return { since: since !== undefined && since > 0 && since <= usedAt ? since : null, usedAt };
}

export type LastVisit = {
  /** When the window was used last before the person came back, so that lists can say what is new; null: not known. */
  readonly since: StoreApi<number | null>;
  readonly dispose: () => void;
};

/** Notes when the window is used, over restarts. */
export function createLastVisit(now: () => number = Date.now): LastVisit {
  let visit = visitAt(readVisit(readStored(NAME), now()), now());
  const since = createStore<number | null>(() => visit.since);
  const save = (): void => writeStored(NAME, `${visit.since ?? 0} ${visit.usedAt}`);
  const used = (): void => {
    if (now() - visit.usedAt < SAVE_MS) return;
    visit = visitAt(visit, now());
    since.setState(visit.since, true);
    save();
  };
  save();
  // Absent outside of a window.
  for (const sign of SIGNS) globalThis.addEventListener?.(sign, used, { passive: true });
  return {
    since,
    dispose: () => {
      for (const sign of SIGNS) globalThis.removeEventListener?.(sign, used);
    },
  };
}
