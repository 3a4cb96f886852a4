import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Call } from '../../../../main/app/dispatch';
import { dispatcher } from '../../../../main/app/dispatch';
import { machineServiceHandlers } from '../../../../main/app/handlers/machine-service-handlers';
import { createLongTasks } from '../../../../main/app/long-tasks';
import { withLocalDownloads } from '../../../../main/app/service/local-downloads';
import { createMachineSockets } from '../../../../main/app/service/machine-sockets';
import { Emitter } from '../../../../main/base';
import { saveFile } from '../../../../main/jobs';
import { createLocalMachine, type Machine } from '../../../../main/machines';
import { eventually } from '../../../support/eventually';
import { connectedMachine } from '../../../support/fleet-bench';
import { smallFleet } from '../../../support/small-fleet';
import { hasSshdAccounts, startSshd } from '../../../support/sshd';
import { temporaryFolder } from '../../../support/temporary-folder';
import { throwProblem } from '../../../support/throw-problem';

const MIB = 1_048_576;

/** A file of gpu1, which only the service on the machine `lab` reaches; this computer reaches the lab by a real ssh. */
async function bench() {
  const sshd = await startSshd();
  onTestFinished(sshd.stop);
  const { machine } = await connectedMachine(sshd);
  const [folder, ofGpu1] = [await temporaryFolder(), await temporaryFolder()];
  const source = join(ofGpu1, 'step 300.pt');
  await writeFile(source, Buffer.alloc(24 * MIB, 'some weights'));
  let stop = new AbortController();
  const seen: number[] = [];
  const onBytes: ((done: number) => void)[] = [];
  const saving =
    (from: Machine, report: (done: number) => void): Call =>
    async (_name, payload) => {
      const { path, to } = payload as { readonly path: string; readonly to: string };
      return saveFile(from, path, to, report, stop.signal);
    };
  const services = dispatcher(
    machineServiceHandlers({
      fleet: smallFleet(machine),
      tasks: createLongTasks(new Emitter(), () => 0),
      sockets: createMachineSockets(null, folder),
      program: { project: folder, version: '1.2.3' },
    }),
    throwProblem as never,
  );
  const copyHere = saving(machine, (done) => {
    seen.push(done);
    for (const one of onBytes) one(done);
  });
  const here: Call = (name, payload, host) =>
    name === 'machine.saveFile' ? copyHere(name, payload, host) : services(name, payload, host);
  const asked: string[] = [];
  const copyThere = saving(createLocalMachine(ofGpu1), () => undefined);
  const there: Call = (name, payload, host) => {
    asked.push(name);
    return copyThere(name, payload, host);
  };
  const call = withLocalDownloads(there, here, 'lab');
  const to = join(folder, 'copy.pt');
  const transfers = join(sshd.home, '.mars2-workbench', 'transfers');
  return {
    ...{ sshd, machine, source, to, seen, onBytes, asked, transfers },
    download: (machineId: string) => call('machine.saveFile', { machineId, path: source, to }, 'terminal'),
    abort: () => stop.abort(),
    again: () => {
      stop = new AbortController();
    },
  };
}

describe.skipIf(!hasSshdAccounts)('a download through the service of a machine (needs sshd and root)', () => {
  test('of a further machine arrives whole over a cut, continues after it was stopped, and leaves nothing on the way', async () => {
    const { sshd, machine, source, to, seen, onBytes, transfers, download, abort, again } = await bench();
    let cut: Promise<void> | null = null;
    onBytes.push((done) => {
      if (done >= 8 * MIB) cut ??= sshd.killSessions();
      if (done >= 16 * MIB) abort();
    });
    expect(await download('gpu1')).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(cut).not.toBeNull();
    await cut;
    const part = (await stat(`${to}.part`)).size;
    expect(part).toBeGreaterThanOrEqual(16 * MIB);
    const old = join(transfers, 'of last month');
    await mkdir(old);
    await utimes(old, 1_700_000_000, 1_700_000_000);
    again();
    onBytes.pop();
    await eventually('the connection', async () => (await machine.run(':')).ok);
    seen.length = 0;
    expect(await download('gpu1')).toEqual({ ok: true, value: { path: to, bytes: 24 * MIB } });
    expect(seen[0]).toBe(part);
    expect((await readFile(to)).equals(await readFile(source))).toBe(true);
    expect(await readdir(transfers)).toEqual([]);
  });

  test('of the service’s own machine has no step between', async () => {
    const { source, to, asked, download } = await bench();
    expect(await download('local')).toMatchObject({ ok: true });
    expect((await readFile(to)).equals(await readFile(source))).toBe(true);
    expect(asked).toEqual([]);
  });
});
