import { expect, test } from 'vitest';
import { dispatcher } from '../../../main/app/dispatch';
import { Emitter } from '../../../main/base';
import { parseGpuId } from '../../../main/cli/machine-commands';
import type { CommandName, JobView, MachineView, Payload, WorkbenchEvent } from '../../../preload/contract';
import { sampleGpu } from '../../support/sample-gpus';
import { sampleJob } from '../../support/sample-jobs';
import { createSampleWorkbench } from '../../support/sample-workbench';
import { typeCommand } from '../../support/typed-command';

/** What `mars2 machines list` prints of this machine. */
function listed(machine: MachineView, jobs: readonly JobView[] = []) {
  const call = dispatcher(
    {
      'machine.list': async () => ({ ok: true, value: [machine] }),
      'machine.probe': async () => ({ ok: true, value: machine }),
      'job.list': async () => ({ ok: true, value: [...jobs] }),
    },
    (error) => {
      throw error;
    },
  );
  return typeCommand({ call, events: new Emitter<WorkbenchEvent>() }, 'machines', 'list');
}

test('the list of machines says which reservations were not read, below the GPUs', async () => {
  const reservationProblem = '2 reservation files are ignored (of bob, mallory).';
  const machine: MachineView = {
    spec: { kind: 'local', id: 'local', name: 'This computer' },
    connection: { kind: 'off' },
    facts: null,
    gpus: { at: '2026-01-05T09:30:00.000Z', driver: null, gpus: [sampleGpu(0)], problems: [], history: {} },
    reservations: [],
    reservationProblem,
  };
  const { out } = await listed(machine);
  expect(out.trimEnd().split('\n').at(-1)).toBe(`  ${reservationProblem}`);
});

test('a GPU that a job of ours holds has its name, also before the job uses it', async () => {
  const { out } = await listed(
    {
      spec: { kind: 'local', id: 'local', name: 'This computer' },
      connection: { kind: 'off' },
      facts: null,
      gpus: { at: '2026-01-05T09:30:00.000Z', driver: null, gpus: [sampleGpu(0)], problems: [], history: {} },
      reservations: [],
    },
    [
      sampleJob({
        machineId: 'local',
        name: 'k1',
        state: { kind: 'running', pid: 1 },
        gpuIds: [sampleGpu(0).id],
      }),
    ],
  );
  expect(out.trimEnd().split('\n').at(-1)).toMatch(/ k1 \(assigned\)$/);
});

test('the GPUs of a machine stand in a straight table: unknown users by name, reservations with end and note', async () => {
  const at = new Date(2026, 0, 5, 9, 30).toISOString();
  const process = { pid: 7, user: null, command: null, memoryMib: 9_000, startedAt: null };
  const until = new Date(2026, 0, 5, 12, 7).toISOString();
  const { out } = await listed({
    spec: { kind: 'local', id: 'local', name: 'This computer' },
    connection: { kind: 'off' },
    facts: null,
    gpus: {
      ...{ at, driver: null, problems: [], history: {} },
      gpus: [
        { ...sampleGpu(0), processes: [process] },
        { ...sampleGpu(1), processes: [] },
      ],
    },
    reservations: [{ gpuId: sampleGpu(1).id, user: 'user1', note: 'my ablation', until }],
  });
  const [head = '', rule = '', busy = '', kept = ''] = out.split('\n').slice(3);
  expect(rule).toMatch(/^ {2}-+ {2}-/);
  expect([head, busy, kept].map((line) => line.search(/who|unknown|reserved/))).toEqual([
    ...[rule, rule, rule].map((line) => line.lastIndexOf('  -') + 2),
  ]);
  expect(busy).toMatch(/unknown user$/);
  expect(kept).toMatch(/reserved by user1 until 12:07 \(my ablation\)$/);
});

test('the list of machines has a head, and memory as the window has it', async () => {
  const sample = createSampleWorkbench();
  const call = <N extends CommandName>(name: N, payload: Payload<N>) => sample.api.call(name, payload);
  const host = { call, events: new Emitter<WorkbenchEvent>() } as never;
  const { out } = await typeCommand(host, 'machines', 'list');
  const [head, , ...lines] = out.split('\n');
  expect(head).toMatch(/^machine +name +host +state$/);
  expect(lines.find((line) => line.startsWith('local '))).toMatch(/This computer +- +-$/);
  expect(out).toMatch(/ core(s?), \d+(\.\d)? GiB/);
});

test('a GPU is named by its number in the list, or by its id', () => {
  const gpus = [sampleGpu(0), sampleGpu(1)];
  expect(parseGpuId('1', gpus)).toBe(gpus[1]?.id);
  expect(parseGpuId(gpus[0]?.id ?? '', gpus)).toBe(gpus[0]?.id);
  expect(parseGpuId('7', gpus)).toBe('7');
});

test('a host is not added with a port behind it: the refusal says how ssh takes one', async () => {
  const sample = createSampleWorkbench();
  const call = <N extends CommandName>(name: N, payload: Payload<N>) => sample.api.call(name, payload);
  const host = { call, events: new Emitter<WorkbenchEvent>() } as never;
  const { code, err } = await typeCommand(host, 'machines', 'add', 'user1@gpu-z:2222');
  expect([code, err]).toEqual([2, expect.stringContaining('ssh://user1@gpu-z:2222')]);
  expect(sample.calls).not.toContain('machine.add');
});
