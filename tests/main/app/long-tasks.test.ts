import { describe, expect, it, onTestFinished } from 'vitest';
import { createLongTasks } from '../../../main/app/long-tasks';
import { Emitter, ok, type Result } from '../../../main/base';
import type { Refusal, WorkbenchEvent } from '../../../preload/contract';

type ProgressEvent = Extract<WorkbenchEvent, { kind: 'progress' }>;

function bench() {
  const events = new Emitter<WorkbenchEvent>();
  const emitted: ProgressEvent[] = [];
  events.on((event) => {
    if (event.kind === 'progress') emitted.push(event);
  });
  const clock = { now: 0 };
  return { tasks: createLongTasks(events, () => clock.now), told: emitted, clock };
}

const reading = (done: number) => ({ activity: 'reading runs', done, total: 500, unit: 'runs' }) as const;

describe('a long task', () => {
  it('estimates the time left of its current stage from the pace, once there is enough of it', async () => {
    const { tasks, told, clock } = bench();
    await tasks.run('import', async (_, report) => {
      report(reading(100));
      clock.now = 1_000;
      report(reading(150));
      clock.now = 4_000;
      report(reading(300));
      clock.now = 5_000;
      report({ activity: 'working it out', done: 1, total: 9, unit: 'steps' });
      return ok(null);
    });
    expect(told.map(({ secondsLeft }) => secondsLeft)).toEqual([undefined, undefined, 4, undefined]);
  });

  it('hands its signal to many programs without a warning of Node', async () => {
    const { tasks } = bench();
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    await tasks.run('grade-file', async (signal) => {
      for (let at = 0; at < 12; at += 1) signal.addEventListener('abort', () => undefined);
      return ok(null);
    });
    // Warnings come with the next tick.
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  });

  it('of a kind is alone', async () => {
    const { tasks } = bench();
    const answers = await tasks.run('import', async () => ok(await tasks.run('import', async () => ok(1))));
    expect(answers).toMatchObject({ ok: true, value: { ok: false, error: { code: 'conflict' } } });
  });
});

describe('a task among others of its kind', () => {
  it('reports nothing for a task that is done immediately', async () => {
    const { tasks, told, clock } = bench();
    await tasks.runShared('comparison', async (_, report) => {
      report(reading(100));
      clock.now = 299;
      report(reading(500));
      return ok(null);
    });
    expect(told).toEqual([]);
  });

  it('leaves the telling to the newest, and is cancelled with it', async () => {
    const { tasks, told, clock } = bench();
    const begun = () => {
      let end = (): void => undefined;
      let say = (_done: number): void => undefined;
      const ended = tasks.runShared('comparison', (signal, report) => {
        say = (done) => report(reading(done));
        return new Promise<Result<boolean, Refusal>>((resolve) => {
          end = () => resolve(ok(signal.aborted));
        });
      });
      return { ended, end: () => end(), say: (done: number) => say(done) };
    };
    const [first, second] = [begun(), begun()];
    clock.now = 1_000;
    first.say(10);
    second.say(20);
    expect(told.map(({ done }) => done)).toEqual([20]);
    tasks.cancel('comparison');
    second.end();
    expect(await second.ended).toEqual(ok(true));
    clock.now = 2_000;
    first.say(30);
    expect(told.map(({ done }) => done)).toEqual([20, 30]);
    first.end();
    expect(await first.ended).toEqual(ok(true));
  });
});
