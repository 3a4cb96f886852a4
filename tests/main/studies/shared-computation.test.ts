import { describe, expect, it } from 'vitest';
import { ok } from '../../../main/base';
import { CANCELLED, type Compute, createSharedComputation } from '../../../main/studies/shared-computation';

/** A computation that takes until `end`; `report` passes progress on. */
function slow() {
  let made = 0;
  let stops: { readonly aborted: boolean } = { aborted: false };
  let onProgress: Parameters<Compute<number>>[1] = () => undefined;
  let end = (): void => undefined;
  const make: Compute<number> = (stop, report) => {
    made += 1;
    [stops, onProgress] = [stop, report];
    return new Promise((resolve) => {
      end = () => resolve(ok(made));
    });
  };
  return {
    make,
    made: () => made,
    isStopped: () => stops.aborted,
    report: (done: number) => onProgress({ activity: 'reading runs', done, total: 9, unit: 'runs' }),
    end: () => end(),
  };
}

describe('a computation that several callers request', () => {
  it('runs once, and its result is cached', async () => {
    const work = slow();
    const shared = createSharedComputation<number>(2);
    const both = [shared.get('a', work.make), shared.get('a', work.make)];
    work.end();
    expect(await Promise.all(both)).toEqual([ok(1), ok(1)]);
    expect(await shared.get('a', work.make)).toEqual(ok(1));
    expect(work.made()).toBe(1);
  });

  it('without a key runs for each caller', async () => {
    const shared = createSharedComputation<number>(2);
    const [one, other] = [slow(), slow()];
    const both = [shared.get(null, one.make), shared.get(null, other.make)];
    one.end();
    other.end();
    await Promise.all(both);
    expect([one.made(), other.made()]).toEqual([1, 1]);
  });

  it('reports progress to every caller, also to a later one', async () => {
    const work = slow();
    const shared = createSharedComputation<number>(2);
    const reports: string[] = [];
    const first = shared.get('a', work.make, { progress: ({ done }) => reports.push(`first ${done}`) });
    work.report(1);
    const later = shared.get('a', work.make, { progress: ({ done }) => reports.push(`later ${done}`) });
    work.report(2);
    work.end();
    await Promise.all([first, later]);
    expect(reports).toEqual(['first 1', 'first 2', 'later 2']);
  });

  it('continues for the others when one caller stops waiting', async () => {
    const work = slow();
    const shared = createSharedComputation<number>(2);
    const stopping = new AbortController();
    const cancelled = shared.get('a', work.make, { signal: stopping.signal });
    const patient = shared.get('a', work.make);
    stopping.abort();
    expect(await cancelled).toEqual({ ok: false, error: CANCELLED });
    expect(work.isStopped()).toBe(false);
    work.end();
    expect(await patient).toEqual(ok(1));
  });

  it('is cancelled when the last caller stops waiting, and computed again for the next', async () => {
    const work = slow();
    const shared = createSharedComputation<number>(2);
    const stopping = new AbortController();
    const waiting = shared.get('a', work.make, { signal: stopping.signal });
    stopping.abort();
    expect(await waiting).toEqual({ ok: false, error: CANCELLED });
    expect(work.isStopped()).toBe(true);
    const again = shared.get('a', work.make);
    work.end();
    expect(await again).toEqual(ok(2));
  });
});
