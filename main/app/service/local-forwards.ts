import {
  type Answer,
  type CommandName,
  commands,
  type JobView,
  jobHasEnded,
  LOCAL_MACHINE,
  type Payload,
  type PortForward,
  type Refusal,
  type Value,
} from '../../../preload/contract/index';
import { failed, ok } from '../../base/index';
import type { Call } from '../dispatch';

/** Before the id of a port of the service's own machine, which that service does not forward. */
const OWN = 'own:';

const { 'machine.forward': FORWARD, 'machine.closeForward': CLOSE } = commands;

/**
 * The commands about forwarded ports of a service on another machine, for somebody here. The service forwards to the
 * loopback of its machine, which no browser here reaches: from there this computer's own workbench leads each port on.
 * `here`: its commands.
 */
export function withLocalForwards(there: Call, here: Call, machineId: string): Call {
  const callRemote = asker(there);
  const ports = portsOf(here, machineId);
  /** The ports that this computer forwards on, by their id there; each ends with the forward there. */
  const led = new Map<string, string>();
  /** Jobs of the service's own machine, by the id of their port here, which ends with them. */
  const jobs = new Map<string, string>();

  const runningJobs = async (): Promise<Answer<ReadonlySet<string>>> => {
    const list = await callRemote('job.list', {});
    if (!list.ok) return list;
    return ok(new Set(list.value.filter(isRunning).map(({ id }) => id)));
  };

  const openOwn = async (port: number, jobId: string | null, localPort: number | null) => {
    if (jobId !== null) {
      const running = await runningJobs();
      if (!running.ok) return running;
      if (!running.value.has(jobId)) return failed(NOT_RUNNING);
    }
    const opened = await ports.open(port, port, localPort);
    if (!opened.ok) return opened;
    if (jobId !== null) jobs.set(opened.value.id, jobId);
    return ok(viewOfOwn(opened.value, jobId));
  };
  const open = async (payload: unknown): Promise<Answer<unknown>> => {
    const request = FORWARD.payload.safeParse(payload);
    if (!request.success) return there('machine.forward', payload, 'terminal');
    const { port, jobId, localPort } = request.data;
    if (request.data.machineId === LOCAL_MACHINE) return openOwn(port, jobId, localPort);
    const before = await callRemote('machine.forwards', {});
    if (!before.ok) return before;
    const opened = await callRemote('machine.forward', { ...request.data, localPort: null });
    if (!opened.ok) return opened;
    const { id, localPort: between } = opened.value;
    const onward = await ports.open(between, port, localPort);
    if (onward.ok) {
      led.set(id, onward.value.id);
      return ok({ ...opened.value, localPort: onward.value.localPort });
    }
    if (!before.value.some((one) => one.id === id))
      await callRemote('machine.closeForward', { forwardId: id });
    return onward;
  };
  const endOver = async (theirs: readonly PortForward[]): Promise<void> => {
    for (const [thereId, hereId] of led) {
      if (theirs.some(({ id }) => id === thereId)) continue;
      led.delete(thereId);
      await ports.close(hereId);
    }
    if (jobs.size === 0) return;
    const running = await runningJobs();
    for (const [hereId, jobId] of running.ok ? jobs : []) {
      if (running.ok && running.value.has(jobId)) continue;
      jobs.delete(hereId);
      await ports.close(hereId);
    }
  };
  const list = async (): Promise<Answer<PortForward[]>> => {
    const theirs = await callRemote('machine.forwards', {});
    if (!theirs.ok) return theirs;
    await endOver(theirs.value);
    const ours = await ports.list();
    if (!ours.ok) return ours;
    // What another computer's window has forwarded is not forwarded to this one.
    const ledOn = theirs.value.flatMap((one): PortForward[] => {
      const onward = ours.value.find(({ port }) => port === one.localPort);
      return onward === undefined
        ? []
        : [{ ...one, localPort: onward.localPort, brokenBy: onward.brokenBy ?? one.brokenBy }];
    });
    const own = ours.value.filter(({ port }) => !theirs.value.some((one) => one.localPort === port));
    return ok(
      [...ledOn, ...own.map((one) => viewOfOwn(one, jobs.get(one.id) ?? null))].sort((a, b) =>
        a.since < b.since ? -1 : 1,
      ),
    );
  };
  const close = async (payload: unknown): Promise<Answer<unknown>> => {
    const request = CLOSE.payload.safeParse(payload);
    if (!request.success) return there('machine.closeForward', payload, 'terminal');
    const { forwardId } = request.data;
    const [theirs, ours] = [await callRemote('machine.forwards', {}), await ports.list()];
    if (!theirs.ok) return theirs;
    if (!ours.ok) return ours;
    const own = ours.value.find(({ id }) => `${OWN}${id}` === forwardId);
    if (own !== undefined) {
      jobs.delete(own.id);
      return ports.close(own.id);
    }
    const closed = theirs.value.find(({ id }) => id === forwardId);
    const onward = ours.value.find(({ port }) => port === closed?.localPort);
    if (onward !== undefined) await ports.close(onward.id);
    return callRemote('machine.closeForward', { forwardId });
  };
  return async (name, payload, host) => {
    if (name === 'machine.forwards') return list();
    if (name === 'machine.forward') return open(payload);
    return name === 'machine.closeForward' ? close(payload) : there(name, payload, host);
  };
}

type Ask = <N extends CommandName>(name: N, payload: Payload<N>) => Promise<Answer<Value<N>>>;

const asker =
  (call: Call): Ask =>
  async <N extends CommandName>(name: N, payload: Payload<N>) =>
    (await call(name, payload, 'terminal')) as Answer<Value<N>>;

/** Ports of a machine itself that lead to this computer. */
function portsOf(here: Call, machineId: string) {
  const ask = asker(here);
  return {
    list: async (): Promise<Answer<PortForward[]>> => {
      const all = await ask('machine.forwards', {});
      if (!all.ok) return all;
      return ok(all.value.filter((one) => one.machineId === machineId && one.jobId === null));
    },
    /** `wanted`: the number here, if it is free. */
    open: async (
      port: number,
      defaultLocalPort: number,
      localPort: number | null,
    ): Promise<Answer<PortForward>> => {
      const request = { machineId, port, jobId: null };
      const same = await ask('machine.forward', { ...request, localPort: localPort ?? defaultLocalPort });
      if (same.ok || localPort !== null || same.error.code !== 'conflict') return same;
      return ask('machine.forward', { ...request, localPort: null });
    },
    close: (forwardId: string) => ask('machine.closeForward', { forwardId }),
  };
}

const viewOfOwn = (one: PortForward, jobId: string | null): PortForward => ({
  ...one,
  id: `${OWN}${one.id}`,
  machineId: LOCAL_MACHINE,
  jobId,
});

const isRunning = ({ state }: JobView): boolean => !jobHasEnded(state);

const NOT_RUNNING: Refusal = {
  code: 'conflict',
  message: 'The job does not run there now, so it has no port.',
  hint: 'Forward the port while the job runs.',
};
