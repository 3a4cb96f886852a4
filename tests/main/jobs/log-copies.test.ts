import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { hasEnded } from '../../../main/jobs';
import { openFleet, sshSpec } from '../../support/fleet-bench';
import { openJobsOver } from '../../support/job-bench';
import { hasSshdAccounts, startSshd } from '../../support/sshd';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

/** An emergency exit: other tests may keep the cores busy. */
const until = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 120_000, interval: 100 });

const noProgress = () => undefined;
const never = new AbortController().signal;

/** A real machine behind a real sshd, which can be switched off for good. */
async function openLab() {
  const sshd = await startSshd();
  onTestFinished(() => sshd.stop());
  const folder = await temporaryFolder();
  const { fleet } = await openFleet(sshd.sshArgs, [sshSpec(sshd)]);
  const jobs = await openJobsOver(fleet, folder);
  onTestFinished(async () => {
    for (const { id, view } of jobs.list()) if (!hasEnded(view.state)) await jobs.stop(id, 0);
    await jobs.dispose();
  });
  const launch = async (line: string) => {
    const spec = {
      machineId: 'lab',
      name: 'a job',
      purpose: 'command',
      command: { kind: 'line', line },
    } as const;
    return (await unwrap(jobs.launch(spec))).id;
  };
  const ended = async (id: string) => {
    await until(async () => {
      jobs.probeSoon();
      expect((await unwrap(jobs.view(id))).state.kind).toBe('exited');
    });
  };
  const meta = (id: string) => join(folder, 'log-copies', `${id}.output.json`);
  const copied = (id: string) =>
    until(async () => expect(JSON.parse(await readFile(meta(id), 'utf8'))).toMatchObject({ hasEnd: true }));
  return { sshd, fleet, jobs, folder, launch, ended, copied, meta };
}

describe.skipIf(!hasSshdAccounts)('a copy of a log on this computer', () => {
  test('answers when the machine was removed, with what was written, and says so', async () => {
    const { fleet, jobs, launch, ended, copied } = await openLab();
    const id = await launch('echo first; echo "größer als"; echo last');
    await ended(id);
    await copied(id);
    const live = await unwrap(jobs.readLogOrCopy(id, 'output', 0, 1_000));
    expect(live.copy).toBeUndefined();
    await unwrap(fleet.remove('lab'));
    const piece = await unwrap(jobs.readLogOrCopy(id, 'output', 0, 1_000));
    expect(piece).toMatchObject({ text: live.text, size: live.size, nextOffset: live.nextOffset });
    expect(piece.copy).toMatchObject({ hasEnd: true, why: expect.stringContaining('lab') });
    // From the end, and behind it: as of the log itself.
    expect((await unwrap(jobs.readLogOrCopy(id, 'output', -5, 1_000))).text).toBe('last\n');
    expect((await unwrap(jobs.readLogOrCopy(id, 'output', live.size, 1_000))).text).toBe('');
    // And who must not miss anything gets no copy.
    expect((await jobs.readLog(id, 'output', 0, 1_000)).ok).toBe(false);
    const found = await unwrap(
      jobs.searchLog(id, 'output', { text: 'GRÖSSER', offset: 0, limit: 5 }, noProgress, never),
    );
    expect(found.matches).toEqual([]);
    const other = await unwrap(
      jobs.searchLog(id, 'output', { text: 'LAST', offset: 0, limit: 5 }, noProgress, never),
    );
    expect(other.matches).toMatchObject([{ line: 3, text: 'last', offset: live.size - 5 }]);
    expect(await unwrap(jobs.findLine(id, 'output', 3, never))).toEqual({
      offset: live.size - 5,
      isThere: true,
    });
    const path = join(await temporaryFolder(), 'saved.log');
    await unwrap(jobs.saveLog(id, 'output', path, noProgress, never));
    expect(await readFile(path, 'utf8')).toMatch(/^\[.*copy of the log.*\]\nfirst\n/);
  });

  test('answers for a job folder that is no longer on its machine, and goes with its job', async () => {
    const { sshd, jobs, launch, ended, copied, meta } = await openLab();
    const id = await launch('echo kept');
    await ended(id);
    await copied(id);
    const machine = await unwrap(jobs.machineOf(id));
    await unwrap(machine.removeFolder(join(sshd.home, '.mars2-workbench', 'jobs', id)));
    const piece = await unwrap(jobs.readLogOrCopy(id, 'output', 0, 1_000));
    expect(piece).toMatchObject({ text: 'kept\n', copy: { hasEnd: true } });
    await unwrap(jobs.remove(id));
    await expect(readFile(meta(id))).rejects.toThrow('ENOENT');
  });

  test('has the newest part of a long log, at the offsets of the log', async () => {
    const { fleet, jobs, launch, ended, copied } = await openLab();
    const id = await launch('seq 1000000 1500000');
    await ended(id);
    await copied(id);
    await unwrap(fleet.remove('lab'));
    const all = 500_001 * 8;
    const end = await unwrap(jobs.readLogOrCopy(id, 'output', -8, 1_000));
    expect(end).toMatchObject({ text: '1500000\n', size: all, nextOffset: all });
    const begin = await unwrap(jobs.readLogOrCopy(id, 'output', 0, 16));
    expect(begin.start).toBeGreaterThan(all - 2_000_001);
    expect(begin.leftOut).toMatchObject({ from: 0, isCopy: true });
    const line = await jobs.findLine(id, 'output', 3, never);
    expect(line.ok ? '' : line.error.message).toMatch(/lacks its beginning/);
  });

  test('is not read where a kill left less of it than its record says; more than that is ignored', async () => {
    const { fleet, jobs, folder, launch, ended, copied, meta } = await openLab();
    const id = await launch('echo whole');
    await ended(id);
    await copied(id);
    await unwrap(fleet.remove('lab'));
    const file = join(folder, 'log-copies', `${id}.output.log`);
    await appendFile(file, 'of the next write');
    expect((await unwrap(jobs.readLogOrCopy(id, 'output', 0, 1_000))).text).toBe('whole\n');
    await writeFile(file, 'wh');
    expect((await jobs.readLogOrCopy(id, 'output', 0, 1_000)).ok).toBe(false);
    expect(JSON.parse(await readFile(meta(id), 'utf8')).bytes).toBe(6);
  });

  test('grows while the job runs, and answers while its machine is silent', async () => {
    const { sshd, jobs, launch, meta } = await openLab();
    const id = await launch('echo one; sleep 600');
    await until(async () => {
      jobs.probeSoon();
      expect(JSON.parse(await readFile(meta(id), 'utf8'))).toMatchObject({ bytes: 4, hasEnd: false });
    });
    await sshd.down();
    onTestFinished(() => sshd.up());
    await until(async () => {
      const piece = await jobs.readLogOrCopy(id, 'output', 0, 1_000);
      expect(piece.ok && piece.value.copy).toMatchObject({ hasEnd: false });
    });
    const piece = await unwrap(jobs.readLogOrCopy(id, 'output', 0, 1_000));
    expect(piece.text).toBe('one\n');
  });
});
