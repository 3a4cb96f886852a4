import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { PassThrough } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { failed, ok } from '../../../../main/base';
import type { Machine } from '../../../../main/machines';
import type { MachineSpec } from '../../../../preload/contract';
import { findingOf } from '../../../support/doctor-check';
import { toolBench } from '../../../support/stand-in-tools';

const LAB: MachineSpec = { kind: 'ssh', id: 'lab', name: 'lab', host: 'lab' };

describe('the clock', () => {
  const laggingBy = async (seconds: number) => {
    const bench = await toolBench();
    await bench.standIn('date', `exec /usr/bin/date -d '-${seconds} seconds' "$@"`);
    return bench.machine;
  };

  test('of this computer agrees with itself', async () => {
    const { machine } = await toolBench();
    expect(await findingOf(machine, 'clock')).toMatchObject({ state: 'good', todo: null });
  });

  test.each([
    [30, 'warning', /30 s behind/],
    [3_600, 'bad', /60 min behind/],
  ])('%d s behind is %s', async (seconds, state, found) => {
    expect(await findingOf(await laggingBy(seconds), 'clock')).toMatchObject({
      state,
      found: expect.stringMatching(found),
    });
  });

  test('a slow connection is not clock skew', async () => {
    const { machine } = await toolBench();
    let nowMs = Date.now();
    // The answer takes a minute by our clock, and the machine says the time in the middle of it.
    const slow: Machine = {
      ...machine,
      run: async () => {
        const reportedMs = nowMs + 20_000;
        nowMs += 60_000;
        return ok({ code: 0, stdout: `${reportedMs}000000\n`, stderr: '' });
      },
    };
    expect(await findingOf(slow, 'clock', { clock: { now: () => nowMs } })).toMatchObject({ state: 'good' });
  });

  test('a date without nanoseconds is exact to a second', async () => {
    const bench = await toolBench();
    await bench.standIn('date', 'echo "$(/usr/bin/date +%s)N"');
    expect(await findingOf(bench.machine, 'clock')).toMatchObject({ state: 'good' });
  });
});

describe('ports and forwarding', () => {
  async function listening(server: Server): Promise<number> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const address = server.address();
    return address !== null && typeof address !== 'string' ? address.port : 0;
  }

  test('a program that listens there is called from here', async () => {
    const { machine } = await toolBench({ spec: LAB });
    expect(await findingOf(machine, 'ports')).toMatchObject({ state: 'good' });
    expect(await findingOf(machine, 'forwarding')).toMatchObject({ state: 'good', todo: null });
  });

  test('this computer needs no forwarding', async () => {
    const { machine } = await toolBench();
    await expect(findingOf(machine, 'forwarding')).rejects.toThrow('no check');
  });

  test('a server that takes the call and drops it forbids forwarding', async () => {
    const { machine } = await toolBench({ spec: LAB });
    const port = await listening(createServer((socket) => socket.destroy()));
    let isOver = false;
    const dropping: Machine = {
      ...machine,
      forward: async () =>
        ok({
          localPort: port,
          dispose: () => {
            isOver = true;
          },
        }),
    };
    expect(await findingOf(dropping, 'forwarding')).toMatchObject({
      state: 'bad',
      todo: expect.stringContaining('AllowTcpForwarding'),
    });
    expect(isOver).toBe(true);
  });

  test('a refused port forward is reported with its reason', async () => {
    const { machine } = await toolBench({ spec: LAB });
    const refusing: Machine = {
      ...machine,
      forward: async () => failed({ code: 'unavailable', message: 'The server forbids it.' }),
    };
    expect(await findingOf(refusing, 'forwarding')).toMatchObject({
      state: 'bad',
      found: expect.stringContaining('The server forbids it.'),
    });
  });

  test('a connection cut meanwhile gives no finding about the machine', async () => {
    const { machine } = await toolBench({ spec: LAB });
    /** Prints this, and ends without a known exit code once a forward is requested (or at once). */
    const cut = (message: string, isAtOnce: boolean): Machine => {
      const stdout = new PassThrough();
      let end: (ending: { code: null }) => void = () => undefined;
      const ended = new Promise<{ code: null }>((resolve) => {
        end = resolve;
      });
      stdout.write(message);
      if (isAtOnce) end({ code: null });
      return {
        ...machine,
        spawn: async () =>
          ok({ stdin: new PassThrough(), stdout, stderr: new PassThrough(), ended, kill: () => undefined }),
        forward: async () => {
          end({ code: null });
          await ended;
          return failed({ code: 'unavailable', message: 'ssh said nothing.' });
        },
      };
    };
    expect(await findingOf(cut('', true), 'ports')).toMatchObject({ state: 'unknown' });
    expect(await findingOf(cut('', true), 'forwarding')).toMatchObject({ state: 'unknown' });
    expect(await findingOf(cut('port=1\n', false), 'ports')).toMatchObject({ state: 'good' });
    expect(await findingOf(cut('port=1\n', false), 'forwarding')).toMatchObject({ state: 'unknown' });
  });

  test('perl listens where there is no Python; with neither nothing is known', async () => {
    const noPython = await toolBench({ spec: LAB, without: ['python3'] });
    expect(await findingOf(noPython.machine, 'forwarding')).toMatchObject({ state: 'good' });
    const neither = await toolBench({ spec: LAB, without: ['python3', 'perl'] });
    expect(await findingOf(neither.machine, 'ports')).toMatchObject({ state: 'unknown' });
    expect(await findingOf(neither.machine, 'forwarding')).toMatchObject({ state: 'unknown' });
  });

  test('a port that servers like and another has is named', async () => {
    const { machine } = await toolBench();
    const server = createServer();
    const taken = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(true)); // taken already: as good
      server.listen(8_265, '127.0.0.1', () => resolve(false));
    });
    if (!taken) onTestFinished(() => void server.close());
    expect((await findingOf(machine, 'ports')).found).toMatch(/Taken by others: .*8265/);
  });
});

describe('their own jobs', () => {
  test('start detached on this computer', async () => {
    const { machine } = await toolBench();
    expect(await findingOf(machine, 'detach')).toMatchObject({ state: 'good' });
  });

  test('that cannot be started are bad; where nothing is known nothing is said', async () => {
    const { machine } = await toolBench();
    const refusing = (code: 'unavailable' | 'unreachable'): Machine => ({
      ...machine,
      spawnDetached: async () => failed({ code, message: 'It did not work.' }),
    });
    expect(await findingOf(refusing('unavailable'), 'detach')).toMatchObject({ state: 'bad' });
    expect(await findingOf(refusing('unreachable'), 'detach')).toMatchObject({ state: 'unknown' });
  });

  test('one that does not lead a group is bad', async () => {
    const { machine } = await toolBench();
    const alone: Machine = { ...machine, groupMembers: async () => ok([]) };
    expect(await findingOf(alone, 'detach')).toMatchObject({ state: 'bad' });
  });
});
