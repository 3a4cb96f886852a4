import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLocation } from '../../../renderer/state/location';
import type { Route } from '../../../renderer/state/routes';

/** A window's hash and history, in memory: entries as a browser keeps them. */
function pretendWindow() {
  const entries = ['#/'];
  let at = 0;
  let writes = 0;
  const listeners = new Map<string, Set<() => void>>();
  const notify = (name: string): void => {
    for (const listener of listeners.get(name) ?? []) listener();
  };
  const travel = (by: number): void => {
    at = Math.min(entries.length - 1, Math.max(0, at + by));
    notify('popstate');
  };
  const page = {
    location: {
      get hash() {
        return entries[at] ?? '';
      },
    },
    history: {
      replaceState: (_state: unknown, _title: string, url: string) => {
        writes++;
        entries[at] = url;
      },
      pushState: (_state: unknown, _title: string, url: string) => {
        entries.splice(++at, entries.length, url);
      },
      back: () => travel(-1),
      forward: () => travel(1),
    },
    addEventListener: (name: string, listener: () => void) => {
      listeners.set(name, (listeners.get(name) ?? new Set()).add(listener));
    },
    removeEventListener: (name: string, listener: () => void) => listeners.get(name)?.delete(listener),
  };
  return {
    // The parts of a window that are asked for, without the hundreds of others.
    page: page as unknown as Window,
    entries,
    writes: () => writes,
    notify,
  };
}

const node = (index: number): Route => ({
  kind: 'run',
  studyId: 's',
  runId: 's.c.1',
  problemId: 'p',
  part: 'search',
  node: index,
  tab: 'tree',
});

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('the place', () => {
  it('is always the newest, while the address bar follows a held key ten times a second', () => {
    const { page, writes } = pretendWindow();
    const { store, go } = createLocation(page);
    for (let step = 1; step <= 300; step++) {
      go(node(step), { replace: true });
      expect(store.getState().route).toMatchObject({ node: step });
      vi.advanceTimersByTime(16);
    }
    expect(writes()).toBeLessThanOrEqual(50);
    vi.advanceTimersByTime(100);
    expect(page.location.hash).toBe(`#${store.getState().path}`);
    expect(page.location.hash).toContain('/nodes/300');
  });

  it('is written before one continues from it, so that back leads there', () => {
    const { page, entries } = pretendWindow();
    const { store, go, back } = createLocation(page);
    go(node(1));
    go(node(2), { replace: true });
    go(node(3), { replace: true });
    go({ kind: 'studies' });
    expect(entries.at(-2)).toContain('/nodes/3');
    go({ kind: 'jobs', jobId: null });
    back();
    back();
    expect(store.getState().route).toMatchObject({ node: 3 });
  });

  it('is written before a link that is clicked changes the hash by itself', () => {
    const { page, entries, notify } = pretendWindow();
    const { go } = createLocation(page);
    go(node(1));
    go(node(2), { replace: true });
    go(node(3), { replace: true });
    notify('click');
    expect(entries.at(-1)).toContain('/nodes/3');
  });

  it('keeps what waits when one goes back at once, and when the page closes', () => {
    const { page, entries, notify } = pretendWindow();
    const { go, back, forward } = createLocation(page);
    go(node(1));
    go(node(2), { replace: true });
    go(node(3), { replace: true });
    back();
    forward();
    expect(page.location.hash).toContain('/nodes/3');
    go(node(4), { replace: true });
    go(node(5), { replace: true });
    notify('pagehide');
    expect(entries.at(-1)).toContain('/nodes/5');
  });

  it('is where the browser goes by itself', () => {
    const { page, entries, notify } = pretendWindow();
    const { store, go } = createLocation(page);
    go(node(1), { replace: true });
    go(node(2), { replace: true });
    entries[0] = '#/studies';
    notify('hashchange');
    vi.advanceTimersByTime(1_000);
    expect(store.getState().route).toEqual({ kind: 'studies' });
    expect(entries).toEqual(['#/studies']);
  });
});
