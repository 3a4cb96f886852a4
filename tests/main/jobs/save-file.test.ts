import { createHash } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { saveFile } from '../../../main/jobs';
import { openFleet, sshSpec } from '../../support/fleet-bench';
import { hasSshd, startSshd } from '../../support/sshd';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

const MIB = 1_048_576;

/** Bytes that repeat late. */
function manyBytes(count: number): Buffer {
  const block = createHash('sha512').update('seed').digest();
  const bytes = Buffer.alloc(count);
  for (let at = 0; at < count; at += block.length) {
    block.writeUInt32LE(at, 0);
    block.copy(bytes, at);
  }
  return bytes;
}

describe.skipIf(!hasSshd)('a file of a machine behind ssh', () => {
  async function lab() {
    const sshd = await startSshd();
    onTestFinished(sshd.stop);
    const { fleet, becomes } = await openFleet(sshd.sshArgs, [sshSpec(sshd)]);
    const machine = await unwrap(Promise.resolve(fleet.get('lab')));
    await unwrap(machine.home());
    const folder = await temporaryFolder();
    const source = join(folder, "check point's.bin");
    await writeFile(source, manyBytes(24 * MIB));
    return { sshd, fleet, becomes, machine, folder, source, to: join(folder, 'copy.bin') };
  }

  test('it arrives whole though the connection is cut, and progress only grows', async () => {
    const { machine, source, to, sshd } = await lab();
    const seen: number[] = [];
    let cuts = 0;
    const saved = await unwrap(
      saveFile(
        machine,
        source,
        to,
        (done, total) => {
          seen.push(done);
          expect(total).toBe(24 * MIB);
          if (done >= 8 * MIB && cuts++ === 0) void sshd.killSessions();
        },
        new AbortController().signal,
      ),
    );
    expect(saved).toEqual({ path: to, bytes: 24 * MIB });
    expect((await readFile(to)).equals(await readFile(source))).toBe(true);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(cuts).toBeGreaterThan(0);
  });

  test('one that was stopped is continued by the next call, and a part of something else is not', async () => {
    const { machine, source, to } = await lab();
    const stop = new AbortController();
    const stopped = await saveFile(
      machine,
      source,
      to,
      (done) => done >= 8 * MIB && stop.abort(),
      stop.signal,
    );
    expect(stopped).toMatchObject({ error: { code: 'cancelled' } });
    const part = (await stat(`${to}.part`)).size;
    expect(part).toBeGreaterThanOrEqual(8 * MIB);
    const seen: number[] = [];
    const signal = new AbortController().signal;
    await unwrap(saveFile(machine, source, to, (done) => seen.push(done), signal));
    expect(seen[0]).toBe(part);
    expect((await readFile(to)).equals(await readFile(source))).toBe(true);
    const other = `${to}.other`;
    await writeFile(`${other}.part`, 'something else');
    await unwrap(saveFile(machine, source, other, () => undefined, signal));
    expect((await readFile(other)).equals(await readFile(source))).toBe(true);
  });

  test('one that does not fit on the disk is refused before the first byte', async () => {
    const { machine, folder, to } = await lab();
    const huge = join(folder, 'huge');
    await unwrap(machine.run(`truncate -s 4000G '${huge}'`));
    expect(await saveFile(machine, huge, to, () => undefined, new AbortController().signal)).toMatchObject({
      error: { code: 'unavailable', message: expect.stringContaining('its disk has') },
    });
    await expect(stat(`${to}.part`)).rejects.toThrow();
  });
});
