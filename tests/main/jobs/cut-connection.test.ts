import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasEnded, type JobService, type JobSpec } from '../../../main/jobs';
import type { JobState } from '../../../preload/contract';
import { type CutMachine, cutMachine } from '../../support/cut-machine';
import { eventually } from '../../support/eventually';
import { type JobBench, openJobBench } from '../../support/job-bench';
import { unwrap } from '../../support/unwrap';

let line: CutMachine;
let bench: JobBench;
beforeEach(async () => {
  // The line is the same one after a start of the app.
  let made: CutMachine | null = null;
  bench = await openJobBench({
    machine: (home) => {
      made ??= cutMachine(home);
      line = made;
      return line.machine;
    },
  });
});
afterEach(async () => {
  line.mend();
  await bench.dispose();
});

function lineOf(script: string): JobSpec {
  return { machineId: 'lab', name: 'a job', purpose: 'command', command: { kind: 'line', line: script } };
}

const stateOf = async (id: string, jobs: JobService = bench.jobs): Promise<JobState> =>
  (await unwrap(jobs.view(id))).state;

function until(kind: JobState['kind'], id: string, jobs: JobService = bench.jobs): Promise<JobState> {
  return eventually(`"${kind}"`, async () => {
    jobs.probeSoon();
    const state = await stateOf(id, jobs);
    return state.kind === kind ? state : null;
  });
}

describe('a machine that does not answer', () => {
  test('makes its jobs unknown, not failed, and they run on when it answers again', async () => {
    const { id } = await unwrap(bench.jobs.launch(lineOf('sleep 1000')));
    line.cut();
    expect(await bench.jobs.inspect(id)).toMatchObject({ ok: false, error: { code: 'unreachable' } });
    expect(await stateOf(id)).toMatchObject({ kind: 'unknown', last: 'running' });
    line.mend();
    expect(await until('running', id)).toMatchObject({ pid: expect.any(Number) });
    const { timeline } = await unwrap(bench.jobs.view(id));
    expect(timeline.map(({ what }) => what)).toEqual(['starting', 'running', 'unknown', 'running']);
    expect(timeline.at(-1)?.why).toBe('The machine answers again.');
  });

  test('keeps no job out of the list, also after a start of the app', async () => {
    const { id } = await unwrap(bench.jobs.launch(lineOf('sleep 1000')));
    line.cut();
    const later = await bench.restarted();
    expect(later.views().map((view) => view.id)).toEqual([id]);
    await later.ready();
    expect(await stateOf(id, later)).toMatchObject({ kind: 'unknown', last: 'running' });
  });

  test('begins what was ordered meanwhile as soon as it answers', async () => {
    line.cut();
    const { id, view } = await unwrap(bench.jobs.launch(lineOf('echo begun')));
    expect(view.state).toMatchObject({ kind: 'unknown', last: 'starting' });
    line.mend();
    expect(await until('exited', id)).toMatchObject({ code: 0 });
  });

  test('begins what was ordered meanwhile also after a start of the app', async () => {
    line.cut();
    const { id } = await unwrap(bench.jobs.launch(lineOf('echo begun')));
    const later = await bench.restarted();
    line.mend();
    expect(await until('exited', id, later)).toMatchObject({ code: 0 });
    expect((await unwrap(later.readLog(id, 'output', 0, 100))).text).toBe('begun\n');
  });

  test('stops what was to be stopped as soon as it answers, also after a start of the app', async () => {
    const { id } = await unwrap(bench.jobs.launch(lineOf('sleep 1000')));
    line.cut();
    expect(await bench.jobs.stop(id, 100)).toMatchObject({ ok: false, error: { code: 'unreachable' } });
    const later = await bench.restarted();
    line.mend();
    expect(await until('exited', id, later)).toMatchObject({ code: 143 });
  });

  test('never begins what was stopped before it answered', async () => {
    line.cut();
    const { id } = await unwrap(bench.jobs.launch(lineOf('echo begun')));
    await bench.jobs.stop(id, 0);
    line.mend();
    expect(await until('exited', id)).toMatchObject({ code: null });
    expect((await unwrap(bench.jobs.readLog(id, 'output', 0, 100))).text).toBe('');
  });
});

describe('a line that is cut in the middle of a start', () => {
  // More calls than a start has: the last of them are not cut.
  const cases = Array.from({ length: 12 }, (_, calls) => calls).flatMap((calls) =>
    (['question', 'answer'] as const).map((lost) => ({ calls, lost })),
  );
  test.each(cases)('behind call $calls ($lost lost): it starts once', async ({ calls, lost }) => {
    line.cutAt(calls, lost);
    const { id } = await unwrap(bench.jobs.launch(lineOf('echo once >> ../../witness; sleep 0.2')));
    line.mend();
    await until('exited', id);
    expect(await readFile(join(bench.folder, 'witness'), 'utf8')).toBe('once\n');
    expect((await unwrap(bench.jobs.view(id))).attempts).toBe(1);
  });
});

describe('a line that is cut in the middle of a stop', () => {
  test.each([0, 1, 2].flatMap((calls) => (['question', 'answer'] as const).map((lost) => ({ calls, lost }))))(
    'behind call $calls ($lost lost): it ends all the same',
    async ({ calls, lost }) => {
      const { id } = await unwrap(bench.jobs.launch(lineOf('sleep 1000')));
      line.cutAt(calls, lost);
      await bench.jobs.stop(id, 200);
      line.mend();
      const state = await eventually('its end', async () => {
        bench.jobs.probeSoon();
        const seen = await stateOf(id);
        return hasEnded(seen) ? seen : null;
      });
      expect(state).toMatchObject({ kind: 'exited', code: 143 });
    },
  );
});
