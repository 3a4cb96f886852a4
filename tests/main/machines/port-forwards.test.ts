import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ok } from '../../../main/base';
import { createPortForwards, type ForwardRequest } from '../../../main/machines';
import { eventually } from '../../support/eventually';
import { openFleet, sshSpec } from '../../support/fleet-bench';
import { serverThere, sshOfLoginNode } from '../../support/node-ssh';
import { CLUSTER_HERE } from '../../support/slurm';
import { freePort, hasSshd, startSshd } from '../../support/sshd';
import { unwrap } from '../../support/unwrap';

const clock = { now: () => Date.now() };

function ofMachine(port: number, change: Partial<ForwardRequest> = {}): ForwardRequest {
  return { machineId: 'lab', port, jobId: null, localPort: null, ...change };
}

async function answerAt(port: number): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/`)).text();
}

/** Local addresses on which something listens at this port, as the kernel writes them. */
async function listenersAt(port: number): Promise<readonly string[]> {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  );
  const rows = tables.join('\n').split('\n');
  return rows.flatMap((row) => {
    const [, local = '', , state] = row.trim().split(/\s+/);
    return local.endsWith(`:${hex}`) && state === '0A' ? [local.split(':')[0] ?? ''] : [];
  });
}

describe.skipIf(!hasSshd)('ports of a machine behind ssh', () => {
  async function lab() {
    const sshd = await startSshd();
    onTestFinished(() => sshd.stop());
    const bench = await openFleet(sshd.sshArgs, [sshSpec(sshd)]);
    const forwards = createPortForwards({ fleet: bench.fleet, nodeOf: async () => ok(null), clock });
    onTestFinished(() => forwards.dispose());
    return { sshd, forwards, ...bench };
  }

  test('one is reached at an address of this computer alone, is listed, and is closed', async () => {
    const { forwards } = await lab();
    const port = await serverThere();
    const seen: number[] = [];
    forwards.onChange((all) => seen.push(all.length));
    const forward = await unwrap(forwards.open(ofMachine(port)));
    expect(await answerAt(forward.localPort)).toBe('there');
    expect(await listenersAt(forward.localPort)).toEqual(['0100007F']);
    expect(forwards.list()).toEqual([forward]);
    expect(forward).toMatchObject({ machineId: 'lab', port, node: null, brokenBy: null });
    // Asked for again, also at once, it is the same.
    const again = await Promise.all([1, 2].map(() => unwrap(forwards.open(ofMachine(port)))));
    expect(again).toEqual([forward, forward]);
    expect(await forwards.open(ofMachine(port, { localPort: 1 }))).toMatchObject({
      error: { code: 'conflict', message: expect.stringContaining(`port ${forward.localPort}`) },
    });
    expect(forwards.close(forward.id)).toEqual(ok(null));
    expect(forwards.list()).toEqual([]);
    expect(seen).toEqual([1, 0]);
    await expect(answerAt(forward.localPort)).rejects.toThrow();
    expect(forwards.close(forward.id)).toMatchObject({ error: { code: 'not-found' } });
  });

  test('the same number is taken where it is free; a number that is asked for and taken is refused', async () => {
    const { forwards } = await lab();
    const port = await freePort();
    expect(await unwrap(forwards.open(ofMachine(port)))).toMatchObject({ localPort: port });
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    const address = await eventually('a listener', () => taken.address());
    const localPort = typeof address === 'object' ? address.port : 0;
    expect(await forwards.open(ofMachine(9, { localPort }))).toMatchObject({
      error: {
        code: 'conflict',
        message: expect.stringContaining(`Port ${localPort} of this computer cannot be used`),
      },
    });
    expect(forwards.list()).toHaveLength(1);
  });

  test('after a cut it works again at the same address, and says meanwhile that it does not', async () => {
    const { forwards, sshd, becomes } = await lab();
    const port = await serverThere();
    const { localPort } = await unwrap(forwards.open(ofMachine(port)));
    await sshd.down();
    await becomes('lab', 'unreachable');
    expect(forwards.list()).toMatchObject([{ localPort, brokenBy: 'Machine lab does not answer now.' }]);
    await sshd.up();
    await becomes('lab', 'connected');
    await eventually('the same address', () =>
      answerAt(localPort).then(
        (text) => text === 'there',
        () => false,
      ),
    );
    expect(forwards.list()).toMatchObject([{ localPort, brokenBy: null }]);
  });

  test('it ends when the machine is disconnected or removed, and none is left behind', async () => {
    const { forwards, fleet, becomes } = await lab();
    const port = await serverThere();
    const first = await unwrap(forwards.open(ofMachine(port)));
    fleet.disconnect('lab');
    expect(forwards.list()).toEqual([]);
    expect(await listenersAt(first.localPort)).toEqual([]);
    expect(await forwards.open(ofMachine(port))).toMatchObject({ error: { code: 'unreachable' } });
    fleet.connect('lab');
    await becomes('lab', 'connected');
    const second = await unwrap(forwards.open(ofMachine(port)));
    await unwrap(fleet.remove('lab'));
    expect(forwards.list()).toEqual([]);
    expect(await listenersAt(second.localPort)).toEqual([]);
  });

  test('a server that forbids it is named, and nothing is listed', async () => {
    const sshd = await startSshd({ forwarding: false });
    onTestFinished(() => sshd.stop());
    const { fleet } = await openFleet(sshd.sshArgs, [sshSpec(sshd)]);
    const forwards = createPortForwards({ fleet, nodeOf: async () => ok(null), clock });
    expect(await forwards.open(ofMachine(9))).toMatchObject({
      error: { code: 'unavailable', message: expect.stringContaining('forbids port forwarding') },
    });
    expect(forwards.list()).toEqual([]);
  });

  test('of this computer no port is forwarded, and the address is named', async () => {
    const { forwards } = await lab();
    expect(await forwards.open(ofMachine(6006, { machineId: 'local' }))).toMatchObject({
      error: { code: 'conflict', hint: 'Open http://127.0.0.1:6006.' },
    });
    expect(await forwards.open(ofMachine(1, { machineId: 'gone' }))).toMatchObject({
      error: { code: 'not-found' },
    });
  });
});

describe.skipIf(!hasSshd)('ports of a Slurm job on its node (needs sshd)', () => {
  const ofJob = (port: number) => ofMachine(port, { machineId: 'cluster', jobId: 'job-1' });

  async function withCluster() {
    const node = await sshOfLoginNode('gpu01');
    const { fleet } = await openFleet([], [CLUSTER_HERE]);
    const nodeOf = async () => ok('gpu01');
    const forwards = createPortForwards({ fleet, nodeOf, clock, retryMs: 50 });
    onTestFinished(() => forwards.dispose());
    return { node, forwards };
  }

  test('one is reached over the login node, is opened again after a cut, and ends with the job', async () => {
    const { node, forwards } = await withCluster();
    const port = await serverThere();
    const forward = await unwrap(forwards.open(ofJob(port)));
    expect(forward).toMatchObject({ node: 'gpu01', jobId: 'job-1', port });
    expect(await answerAt(forward.localPort)).toBe('there');
    await node.killSessions();
    await eventually(
      'the cut',
      () => forwards.list()[0]?.brokenBy === 'The connection to gpu01 ended; it is opened again.',
    );
    await eventually('the way', () => forwards.list()[0]?.brokenBy === null);
    expect(forwards.list()).toEqual([forward]);
    expect(await answerAt(forward.localPort)).toBe('there');
    forwards.closeOfJob('job-1');
    expect(forwards.list()).toEqual([]);
    await eventually('its end', async () => (await listenersAt(forward.localPort)).length === 0);
  });

  test('a node that refuses afterwards ends it, and that is said once', async () => {
    const { node, forwards } = await withCluster();
    const said: string[] = [];
    forwards.onLost((message) => said.push(message));
    const port = await serverThere();
    await unwrap(forwards.open(ofJob(port)));
    await node.down();
    await eventually('the loss', () => said.length > 0);
    expect(forwards.list()).toEqual([]);
    expect(said).toEqual([
      expect.stringMatching(
        new RegExp(
          `^Port ${port} of gpu01 is no longer forwarded. The job runs on gpu01, but Cluster could not`,
        ),
      ),
    ]);
  });
});
