import { setMaxListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TreeSchedule } from '../../../main/studies/logic/tree-schedule';
import { PrioritySemaphore } from '../../../main/studies/priority-semaphore';
import { TreePool } from '../../../main/studies/tree-pool';

// Same cases in every run.
fc.configureGlobal({ seed: 1 });

type Plan = { readonly servers: readonly string[]; readonly trials: number };
type Played = {
  /** Requests that each server had at work, round by round. */
  readonly busy: ReadonlyMap<string, readonly number[]>;
  readonly opened: readonly number[];
  readonly ended: readonly number[];
  readonly maxOpen: number;
};

const tick = () => new Promise<void>((done) => setImmediate(done));

/**
 * Plays a study by rounds: each request takes one round at its server, then the tree is graded for `gradeRounds` and
 * asks again. A tree's requests go to its servers in turn.
 */
async function play(plans: readonly Plan[], slots: Record<string, number>, gradeRounds = 0): Promise<Played> {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  let opened: TreePool | null = null;
  const gates = new Map(
    Object.entries(slots).map(([name, limit]) => [name, new PrioritySemaphore(limit, () => opened?.pump())]),
  );
  const schedule = new TreeSchedule(
    plans.map((plan) => ({ ...plan, width: 1 })),
    gates,
  );
  const order: number[] = [];
  const ended: number[] = [];
  const busy = new Map(Object.keys(slots).map((name) => [name, [] as number[]]));
  let maxOpen = 0;
  let waiters: Array<() => void> = [];
  const round = () => new Promise<void>((next) => waiters.push(next));
  const trees = new TreePool({
    servers: plans.map(({ servers }) => servers),
    slots: gates,
    schedule,
    signal: stop.signal,
    search: async (at) => {
      order.push(at);
      maxOpen = Math.max(maxOpen, order.length - ended.length);
      const { servers, trials } = plans[at] as Plan;
      for (let trial = 0; trial < trials; trial++) {
        const opening = gates
          .get(servers[trial % servers.length] as string)
          ?.acquire(() => schedule.rank(at), stop.signal);
        trees.firstRequestQueued(at);
        const leave = await opening;
        await round();
        leave?.();
        for (let i = 0; i < gradeRounds; i++) await round();
        schedule.trialDone(at);
      }
      ended.push(at);
    },
  });
  opened = trees;
  let over = false;
  const end = trees.run().then(() => {
    over = true;
  });
  await tick();
  for (; !over; await tick()) {
    for (const [name, gate] of gates) busy.get(name)?.push(gate.inFlight);
    const now = waiters;
    waiters = [];
    for (const next of now) next();
  }
  await end;
  return { busy, opened: order, ended, maxOpen };
}

const trees = (count: number, trials: number): Plan[] =>
  Array.from({ length: count }, () => ({ servers: ['s'], trials }));

/** Share of the slots that were busy in these rounds. */
const share = (busy: readonly number[], slots: number): number =>
  busy.reduce((sum, now) => sum + now, 0) / busy.length / slots;

describe('trees of one server', () => {
  it('175 of 60 keep 64 slots busy from the first round to the last tenth', async () => {
    const { busy } = await play(trees(175, 60), { s: 64 });
    const rounds = busy.get('s') ?? [];
    // 10,500 requests in 64 slots: 164.1 rounds and no fewer.
    expect(rounds.length).toBeLessThanOrEqual(167);
    expect(rounds.slice(0, -8).every((now) => now === 64)).toBe(true);
    expect(share(rounds.slice(-17), 64)).toBeGreaterThan(0.92);
  });

  it('keep the slots busy although they are graded for as long as they are written', async () => {
    const { busy, maxOpen: mostOpen } = await play(trees(175, 20), { s: 16 }, 1);
    const rounds = busy.get('s') ?? [];
    expect(share(rounds.slice(0, Math.floor(rounds.length * 0.9)), 16)).toBeGreaterThan(0.95);
    expect(mostOpen).toBeLessThan(60);
  });

  it('are opened in their order, as many as are needed, and the oldest are ready first', async () => {
    const { opened, ended, maxOpen: mostOpen } = await play(trees(400, 10), { s: 8 });
    expect(opened).toEqual(Array.from({ length: 400 }, (_, i) => i));
    expect(mostOpen).toBeLessThanOrEqual(20);
    // Nobody starves: a tree is ready before those come to an end that began long after it.
    for (const [at, tree] of ended.slice(0, 360).entries()) expect(Math.abs(tree - at)).toBeLessThan(24);
  });

  it('fewer than the slots are all open at once', async () => {
    const { busy, maxOpen: mostOpen } = await play(trees(5, 4), { s: 64 });
    expect(mostOpen).toBe(5);
    expect(busy.get('s')).toHaveLength(4);
  });
});

describe('trees of several servers', () => {
  it('keep both busy, however the runs are mixed', async () => {
    const plans = Array.from(
      { length: 150 },
      (_, i): Plan => ({
        servers: [['a'], ['a'], ['a', 'b']][i % 3] as string[],
        trials: 12,
      }),
    );
    const { busy } = await play(plans, { a: 8, b: 4 });
    const a = busy.get('a') ?? [];
    expect(share(a.slice(0, Math.floor(a.length * 0.9)), 8)).toBeGreaterThan(0.95);
  });

  it('are all done, for any sizes', async () => {
    const plan = fc.record({
      servers: fc.constantFrom(['a'], ['b'], ['a', 'b']),
      trials: fc.integer({ min: 0, max: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(plan, { maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 0, max: 3 }),
        async (plans, a, b, gradeRounds) => {
          const { ended, busy } = await play(plans, { a, b }, gradeRounds);
          expect([...ended].sort((x, y) => x - y)).toEqual(plans.map((_, i) => i));
          expect(Math.max(0, ...(busy.get('a') ?? []))).toBeLessThanOrEqual(a);
        },
      ),
      { numRuns: 60 },
    );
  });
});
