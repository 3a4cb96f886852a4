import { describe, expect, onTestFinished, test } from 'vitest';
import type { Call } from '../../../../main/app/dispatch';
import { withLocalForwards } from '../../../../main/app/service/local-forwards';
import { eventsThrough } from '../../../../main/app/service/through-machine';
import { Emitter, ok } from '../../../../main/base';
import { createPortForwards, type ForwardRequest } from '../../../../main/machines';
import type { PortForward, WorkbenchEvent } from '../../../../preload/contract';
import { eventually } from '../../../support/eventually';
import { openFleet, sshSpec } from '../../../support/fleet-bench';
import { serverThere } from '../../../support/node-ssh';
import { sampleJob } from '../../../support/sample-jobs';
import { hasSshd, startSshd } from '../../../support/sshd';

/** The commands about ports of a workbench that reaches one machine by ssh. */
async function workbench(machineId: string) {
  const sshd = await startSshd();
  onTestFinished(() => sshd.stop());
  const { fleet, becomes } = await openFleet(sshd.sshArgs, [sshSpec(sshd, machineId)]);
  fleet.connect(machineId);
  await becomes(machineId, 'connected');
  const nodeOf = async () => ok(null);
  const forwards = createPortForwards({ fleet, nodeOf, clock: { now: () => Date.now() } });
  onTestFinished(() => forwards.dispose());
  const events = new Emitter<WorkbenchEvent>();
  forwards.onChange((all) => events.emit({ kind: 'forwards-changed', forwards: [...all] }));
  const jobs: unknown[] = [];
  const call: Call = async (name, payload) => {
    if (name === 'machine.forwards') return ok([...forwards.list()]);
    if (name === 'machine.forward') return forwards.open(payload as ForwardRequest);
    if (name === 'job.list') return ok(jobs);
    return forwards.close((payload as { readonly forwardId: string }).forwardId);
  };
  return { fleet, forwards, events, call, jobs };
}

/** A window here, which shows the service of the machine `login`; from there, gpu1 is reached. */
async function bench() {
  const [here, there] = [await workbench('login'), await workbench('gpu1')];
  const call = withLocalForwards(there.call, here.call, 'login');
  const { events, dispose } = eventsThrough(there.events, here.events, call);
  onTestFinished(dispose);
  const seen: (readonly PortForward[])[] = [];
  events.on((event) => {
    if (event.kind === 'forwards-changed') seen.push(event.forwards);
  });
  const forward = (machineId: string, port: number, jobId: string | null = null) =>
    call('machine.forward', { machineId, port, jobId }, 'terminal');
  const list = async () => {
    const answer = await call('machine.forwards', {}, 'terminal');
    return answer.ok ? (answer.value as PortForward[]) : [];
  };
  return { here, there, call, events, forward, list, seen };
}

const textAt = async (localPort: number) =>
  fetch(`http://127.0.0.1:${localPort}/`).then(
    (answer) => answer.text(),
    () => 'nobody',
  );

describe.skipIf(!hasSshd)('ports through the service of a machine (needs sshd)', () => {
  test('one of a machine that only the service reaches is led on to this computer, listed with its address here, and closed on both sides', async () => {
    const { here, there, call, forward, list, seen } = await bench();
    const opened = await forward('gpu1', await serverThere());
    if (!opened.ok) throw new Error(opened.error.message);
    const view = opened.value as PortForward;
    const [between] = there.forwards.list();
    expect(here.forwards.list()).toMatchObject([{ machineId: 'login', port: between?.localPort }]);
    expect(view.localPort).toBe(here.forwards.list()[0]?.localPort);
    expect(view).toMatchObject({ machineId: 'gpu1', port: between?.port });
    expect(await textAt(view.localPort)).toBe('there');
    expect(await list()).toEqual([view]);
    await eventually('the event', () => seen.at(-1)?.[0]?.localPort === view.localPort);
    expect(await forward('gpu1', view.port)).toEqual(opened);
    expect(await call('machine.closeForward', { forwardId: view.id }, 'terminal')).toMatchObject({
      ok: true,
    });
    expect([here.forwards.list(), there.forwards.list(), await list()]).toEqual([[], [], []]);
    expect(await textAt(view.localPort)).toBe('nobody');
  });

  test('it ends here when it ends there, and what another window has forwarded is not listed here', async () => {
    const { here, there, forward, list } = await bench();
    await there.call(
      'machine.forward',
      { machineId: 'gpu1', port: 9, jobId: null, localPort: null },
      'window',
    );
    expect(await list()).toEqual([]);
    await forward('gpu1', await serverThere());
    expect(await list()).toHaveLength(1);
    there.fleet.disconnect('gpu1');
    await eventually('the end here', () => here.forwards.list().length === 0);
  });

  test('one of the machine itself needs no step between, and that of its job ends with the job', async () => {
    const { here, there, events, forward, list } = await bench();
    const port = await serverThere();
    expect(await forward('local', port, 'job-1')).toMatchObject({ error: { code: 'conflict' } });
    const job = { ...sampleJob(), id: 'job-1', machineId: 'local' };
    there.jobs.push(job);
    const opened = await forward('local', port, 'job-1');
    expect(opened).toMatchObject({ ok: true, value: { machineId: 'local', jobId: 'job-1', port } });
    expect(there.forwards.list()).toEqual([]);
    const [listed] = await list();
    expect(opened).toEqual({ ok: true, value: listed });
    expect(await textAt(listed?.localPort ?? 0)).toBe('there');
    there.jobs.pop();
    const endedAt = '2026-01-01T00:00:00.000Z';
    there.events.emit({ kind: 'job-changed', job: { ...job, state: { kind: 'exited', code: 0, endedAt } } });
    await eventually('the end of the forward', () => here.forwards.list().length === 0);
    expect(events.listenerCount).toBe(1);
  });
});
