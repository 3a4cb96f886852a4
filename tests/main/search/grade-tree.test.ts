import { describe, expect, it } from 'vitest';
import { gradeNodes, searchTree, ungradedNodes } from '../../../main/search';
import type { Grade, RunEvent } from '../../../preload/contract';
import { configWith, gradeOf, recordingOptions, timeless } from '../../support/search-fixture';

async function searchedEvents(): Promise<RunEvent[]> {
  const { events, options } = recordingOptions({ config: configWith({ nodes: 20 }) });
  await searchTree(options);
  return events;
}

async function graded(
  events: readonly RunEvent[],
  changes: { grade?: typeof gradeOf; parallel?: number; stop?: { aborted: boolean } } = {},
): Promise<{ kind: string; added: RunEvent[]; calls: string[] }> {
  const added: RunEvent[] = [];
  const calls: string[] = [];
  const { grade = gradeOf, parallel = 3, stop = { aborted: false } } = changes;
  const { kind } = await gradeNodes({
    problemId: 'world/0',
    part: 'search',
    events,
    grade: (program) => {
      calls.push(program);
      return grade(program);
    },
    record: async (event) => {
      added.push(event);
    },
    now: () => 0,
    stop,
    parallel,
  });
  return { kind, added, calls };
}

const fault: Grade = { verdict: 'sandbox-fault', results: [] };

describe('private grading of a tree', () => {
  it('grades every node in the order of the nodes, with any durations', async () => {
    const events = await searchedEvents();
    const uneven = async (program: string): Promise<Grade> => {
      for (let i = 0; i < 40 - 10 * Number(program.at(-2)); i++) await Promise.resolve();
      return gradeOf(program);
    };
    const { kind, added } = await graded(events, { grade: uneven, parallel: 8 });
    expect(kind).toBe('graded');
    expect(added.map((event) => event.kind === 'node-graded' && event.index)).toEqual(
      Array.from({ length: 20 }, (_, i) => i),
    );
    expect(added).toEqual((await graded(events, { parallel: 1 })).added);
    expect(ungradedNodes([...events, ...added], 'world/0', 'search')).toEqual([]);
  });

  it('runs equal programs once', async () => {
    const { calls } = await graded(await searchedEvents());
    expect(calls).toHaveLength(new Set(calls).size);
  });

  it('a node without a program gets that verdict and is not run', async () => {
    const events = await searchedEvents();
    const empty = events.find((event) => event.kind === 'node-added' && event.programDigest === null);
    const { added } = await graded(events);
    const grade = added.find(
      (event) => event.kind === 'node-graded' && empty?.kind === 'node-added' && event.index === empty.index,
    );
    expect(grade).toMatchObject({ privateVerdict: 'no-code', privateVerdicts: [] });
  });

  it('a fault of the sandbox is recorded as one', async () => {
    const { added } = await graded(await searchedEvents(), { grade: async () => fault });
    expect(
      added.some((event) => event.kind === 'node-graded' && event.privateVerdict === 'sandbox-fault'),
    ).toBe(true);
  });

  it('after any number of grades continues to the same events', async () => {
    const events = await searchedEvents();
    const whole = (await graded(events)).added;
    for (let prefix = 0; prefix <= whole.length; prefix++) {
      const before = whole.slice(0, prefix);
      const { added } = await graded([...events, ...before]);
      expect(timeless([...before, ...added])).toEqual(timeless(whole));
    }
  });

  it('when stopped leaves a prefix', async () => {
    const events = await searchedEvents();
    const whole = (await graded(events)).added;
    const stop = { aborted: false };
    let calls = 0;
    const grade = async (program: string): Promise<Grade> => {
      if (++calls === 3) stop.aborted = true;
      return stop.aborted ? fault : gradeOf(program);
    };
    const { kind, added } = await graded(events, { grade, stop });
    expect(kind).toBe('stopped');
    expect(added).toEqual(whole.slice(0, added.length));
  });
});
