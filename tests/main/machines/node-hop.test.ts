import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import { createLocalMachine, forwardToNode, readFreePorts } from '../../../main/machines';
import { listenerScript } from '../../../main/machines/logic/ports-probe';
import { eventually } from '../../support/eventually';
import { serverThere, sshOfLoginNode } from '../../support/node-ssh';
import { CLUSTER_HERE } from '../../support/slurm';
import { hasSshd } from '../../support/sshd';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

async function loginNode() {
  return createLocalMachine(await temporaryFolder(), CLUSTER_HERE);
}

const nothing = () => undefined;

test('a job on the login node itself is reached straight', async () => {
  const port = await serverThere();
  const way = await unwrap(forwardToNode(await loginNode(), `${hostname()}.cluster.example`, port, nothing));
  expect(way.localPort).toBe(port);
});

test('a job that has not reported its node is queried again', async () => {
  expect(await forwardToNode(await loginNode(), null, 1, nothing)).toMatchObject({
    error: { code: 'unreachable' },
  });
});

test.each([
  '-oProxyCommand=touch proof',
  '$(touch proof)',
  'gpu01\ntouch proof',
  "gpu01'; touch proof; '",
  '',
])('a node called %j is not a host name, and no ssh is started', async (node) => {
  expect(await forwardToNode(await loginNode(), node, 1, nothing)).toMatchObject({
    error: { code: 'unavailable', message: expect.stringContaining('not the name of a host') },
  });
});

test('a port of which only ended connections are left is not taken for open', async () => {
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const free = async () =>
    readFreePorts((await unwrap((await loginNode()).run(listenerScript(port)))).stdout);
  expect(await free()).toEqual([]);
  // The side that ends a connection first keeps it in the kernel's list for a minute.
  await once(connect(port, '127.0.0.1').resume(), 'close');
  server.close();
  await once(server, 'close');
  expect(await free()).toEqual([port]);
});

describe.skipIf(!hasSshd)('over the login node to another (needs sshd)', () => {
  test('a server answers here, and the end of the tunnel is reported', async () => {
    const node = await sshOfLoginNode('gpu01');
    const port = await serverThere();
    let broken = 0;
    const way = await unwrap(forwardToNode(await loginNode(), 'gpu01', port, () => broken++));
    expect(way.localPort).not.toBe(port);
    const answer = await fetch(`http://127.0.0.1:${way.localPort}/`);
    expect(await answer.text()).toBe('there');
    await node.killSessions();
    await eventually('the end', () => broken === 1);
    way.dispose();
  });

  test('an end before the caller has the way is reported once it has', async () => {
    const node = await sshOfLoginNode('gpu01');
    const login = await loginNode();
    const slow: typeof login = {
      ...login,
      spawn: async (...words) => {
        const hop = await login.spawn(...words);
        if (hop.ok) void hop.value.ended.then(() => ends++);
        return hop;
      },
      forward: async (port, localPort) => {
        await node.killSessions();
        await eventually('the end of the hop', () => ends === 1);
        return login.forward(port, localPort);
      },
    };
    let ends = 0;
    const seen: unknown[] = [];
    const way = await forwardToNode(slow, 'gpu01', await serverThere(), () => seen.push(way.ok));
    expect(seen).toEqual([]);
    await eventually('the report', () => seen.length === 1);
    expect(seen).toEqual([true]);
  });

  test('a node that refuses ssh is named, with what to try', async () => {
    await sshOfLoginNode('gpu01');
    const hop = await forwardToNode(await loginNode(), 'gpu77', 1, nothing);
    expect(hop).toMatchObject({
      ok: false,
      error: {
        code: 'unavailable',
        message: expect.stringMatching(/runs on gpu77, but Cluster could not reach it by ssh \(.*gpu77/),
        hint: expect.stringContaining('ssh gpu77'),
      },
    });
  });
});
