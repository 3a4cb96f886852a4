import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { controlSocketOf } from '../../../../main/app/control/server';
import { randomStream } from '../../../../main/base';
import { probeSandbox } from '../../../../main/grading';
import type { ExhibitResult } from '../../../../preload/contract';
import { saveBasePolicies } from '../../../support/base-policies';
import { buildWorkbench } from '../../../support/built-workbench';
import { eventually } from '../../../support/eventually';
import { cuttableWay, serviceBench } from '../../../support/service-bench';
import { tinyExhibit } from '../../../support/tiny-exhibit';
import { unwrap } from '../../../support/unwrap';
import { writeExhibits } from '../../../support/workbench-bench';

const sandboxProblem = await probeSandbox({ resourcesDir: resolve('resources'), allowUnsandboxed: false });
const PATIENCE_MS = 400_000;
const REQUEST = { exhibitId: 'tiny', scale: 'pocket' } as const;

let project = '';
/** What the exhibit shows, whatever happens meanwhile; of the first test that comes to its end. */
let numbers: unknown = null;
beforeAll(async () => {
  project = await buildWorkbench();
});

async function lab() {
  const bench = await serviceBench(project);
  await writeExhibits(bench.dataDir, [tinyExhibit()]);
  await saveBasePolicies(join(bench.dataDir, 'checkpoints'), ['reader', 'weak'], 11);
  await bench.started();
  const way = await cuttableWay(() => unwrap(controlSocketOf(bench.dataDir)));
  return { ...bench, way };
}

type Lab = Awaited<ReturnType<typeof lab>>;
type Ask = Awaited<ReturnType<Lab['connected']>>['ask'];

const stateOf = async (ask: Ask) => (await ask('reproduction.list', {}))[0]?.state.kind;

/** The numbers are those of every other run, and nothing was begun twice. */
async function expectWhole({ mars2 }: Lab, id: string): Promise<void> {
  const { output } = await mars2('reproductions', 'follow', id, '--json');
  const { cells } = JSON.parse(output.slice(output.indexOf('{'))) as ExhibitResult;
  const found = cells.map(({ row, column, ours }) => ({ row, column, ours }));
  expect(found.every(({ ours }) => ours !== null)).toBe(true);
  numbers ??= found;
  expect(found).toEqual(numbers);
  const trainings = await mars2('trainings', 'list', '--json');
  expect(JSON.parse(trainings.output.slice(trainings.output.indexOf('[')))).toHaveLength(2);
}

test.skipIf(sandboxProblem !== null)(
  'while a laptop sleeps for a day its service elsewhere finishes a reproduction; awake, the laptop shows what a window shows that stayed (skipped where no sandbox starts)',
  async () => {
    const service = await lab();
    const laptop = await service.connected(service.way.path);
    const office = await service.connected();
    const { id } = await laptop.ask('reproduction.start', REQUEST);
    const seen = [laptop, office].map(({ client }) => {
      const kinds = new Set<string>();
      client.events.on(({ kind }) => kinds.add(kind));
      return kinds;
    });
    await eventually('both to see it run', () => seen.every((kinds) => kinds.has('reproduction-changed')));
    const states: unknown[] = [];
    laptop.client.onConnection.on((state) => states.push(state));
    // The clock of the laptop alone: the service has its own.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    service.way.hold();
    await eventually('the cut', () => !laptop.client.isConnected());
    await eventually('the end there', async () => (await stateOf(office.ask)) === 'done', PATIENCE_MS);
    for (let hour = 0; hour < 24; hour++) await vi.advanceTimersByTimeAsync(3_600_000);
    service.way.mend();
    await eventually('the connection', async () => {
      await vi.advanceTimersByTimeAsync(5_000);
      return laptop.client.isConnected();
    });
    vi.useRealTimers();
    expect(states.at(-1)).toMatchObject({ isConnected: true });
    expect(await laptop.ask('reproduction.list', {})).toEqual(await office.ask('reproduction.list', {}));
    expect(await stateOf(laptop.ask)).toBe('done');
    await expectWhole(service, id);
  },
);

test.skipIf(sandboxProblem !== null)(
  'over kills of the service, of the connection and of who watches, at random points, a reproduction ends with the same numbers, and nothing is begun twice (skipped where no sandbox starts)',
  async () => {
    const service = await lab();
    const { ask } = await service.connected(service.way.path);
    const { id } = await ask('reproduction.start', REQUEST);
    const random = randomStream('kills of a service');
    const state = () => stateOf(ask).catch(() => 'away');
    for (let times = 0; times < 9 && (await state()) !== 'done'; times++) {
      const watching = service.spawned('reproductions', 'follow', id);
      await sleep(300 + random.uniform() * 3_000);
      if (times % 3 === 0) {
        const pid = await service.mars2('service', 'status', '--json').then(({ output }) => {
          const { openBy } = JSON.parse(output) as { openBy: { pid: number } | null };
          return openBy?.pid;
        });
        if (pid !== undefined) process.kill(pid, 'SIGKILL');
      } else if (times % 3 === 1) service.way.cut();
      watching.kill('SIGKILL');
    }
    await eventually('the end', async () => (await state()) === 'done', PATIENCE_MS);
    await expectWhole(service, id);
  },
);
