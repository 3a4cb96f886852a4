import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ok } from '../../../main/base';
import { hasEnded, type JobService } from '../../../main/jobs';
import type { Machine } from '../../../main/machines';
import type { LogMatch } from '../../../preload/contract';
import { type CutMachine, cutMachine } from '../../support/cut-machine';
import { eventually } from '../../support/eventually';
import { type JobBench, openJobBench } from '../../support/job-bench';
import { unwrap } from '../../support/unwrap';

const never = new AbortController().signal;
const silent = () => undefined;

let line: CutMachine;
let bench: JobBench;
/** Bytes that were read from the machine. */
let readBytes = 0;
beforeEach(async () => {
  let made: CutMachine | null = null;
  readBytes = 0;
  bench = await openJobBench({
    machine: (home) => {
      made ??= cutMachine(home);
      line = made;
      return counting(line.machine);
    },
  });
});
afterEach(async () => {
  line.mend();
  await bench.dispose();
});

function counting(machine: Machine): Machine {
  return {
    ...machine,
    readSlice: async (path, offset, maxBytes) => {
      const slice = await machine.readSlice(path, offset, maxBytes);
      readBytes += slice.ok ? (slice.value?.bytes.length ?? 0) : 0;
      return slice;
    },
  };
}

const launch = async (script: string, jobs: JobService = bench.jobs): Promise<string> => {
  const command = { kind: 'line', line: script } as const;
  return (await unwrap(jobs.launch({ machineId: 'lab', name: 'a job', purpose: 'command', command }))).id;
};

/** An ended job whose output is this. */
async function written(bytes: Buffer | string): Promise<string> {
  const id = await launch('true');
  await eventually('its end', async () => hasEnded((await unwrap(bench.jobs.inspect(id))).view.state));
  await writeFile(outputOf(id), bytes);
  return id;
}

const outputOf = (id: string): string => join(bench.folder, 'jobs', id, 'output.log');

describe('searching a log', () => {
  const search = async (id: string, text: string, limit = 100, offset = 0) =>
    unwrap(bench.jobs.searchLog(id, 'output', { text, offset, limit }, silent, never));
  const texts = (matches: readonly LogMatch[]) =>
    matches.map(({ line: number, text }) => `${number} ${text}`);

  test('finds fixed text in any case, with line numbers and byte offsets', async () => {
    const id = await written('first\nsecond ERROR [x]\nthird é\nfourth error [x]\n');
    expect(await search(id, 'Error [X]')).toEqual({
      matches: [
        { offset: 6, line: 2, text: 'second ERROR [x]' },
        { offset: 32, line: 4, text: 'fourth error [x]' },
      ],
      isComplete: true,
    });
    expect(texts((await search(id, 'É')).matches)).toEqual(['3 third é']);
    expect(await search(id, '.*')).toEqual({ matches: [], isComplete: true });
    expect(await search(id, '-e')).toEqual({ matches: [], isComplete: true });
  });

  test('stops at the limit, and continues from an offset with the right line numbers', async () => {
    const id = await written(Array.from({ length: 50 }, (_, index) => `hit ${index + 1}\n`).join(''));
    const first = await search(id, 'hit', 20);
    expect(first.isComplete).toBe(false);
    expect(first.matches).toHaveLength(20);
    const last = first.matches.at(-1);
    const second = await search(id, 'hit', 100, (last?.offset ?? 0) + 1);
    expect(second.isComplete).toBe(true);
    expect(texts([...first.matches, ...second.matches])).toEqual(
      Array.from({ length: 50 }, (_, index) => `${index + 1} hit ${index + 1}`),
    );
  });

  test('finds text at any place of a line of a megabyte', async () => {
    const id = await written(`short\n${'x'.repeat(1_000_000)}needle${'y'.repeat(1_000_000)}\nneedle end`);
    const { matches } = await search(id, 'NEEDLE');
    expect(matches.map(({ offset, line: number }) => [offset, number])).toEqual([
      [6, 2],
      [2_000_013, 3],
    ]);
    expect(matches[0]?.text).toContain('xneedley');
    expect(matches[0]?.text.length).toBeLessThanOrEqual(400);
  });

  test('reads bytes that are not text', async () => {
    const id = await written(Buffer.from([0x00, 0xff, 0x0a, 0x61, 0xff, 0x62, 0x0a]));
    expect((await search(id, 'b')).matches.map(({ offset }) => offset)).toEqual([3]);
  });

  test('says so where the machine has no grep for it, and finds no nothing instead', async () => {
    const id = await written('needle\n');
    const tools = join(bench.folder, 'tools');
    await mkdir(tools);
    await writeFile(join(tools, 'grep'), '#!/bin/sh\necho "grep: unrecognized option: b" >&2\nexit 2\n', {
      mode: 0o755,
    });
    vi.stubEnv('PATH', `${tools}:${process.env.PATH}`);
    const query = { text: 'needle', offset: 0, limit: 10 };
    const found = await bench.jobs.searchLog(id, 'output', query, silent, never);
    vi.unstubAllEnvs();
    expect(found).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  });

  test('finds nothing in a log that is empty or absent', async () => {
    expect(await search(await written(''), 'x')).toEqual({ matches: [], isComplete: true });
  });

  test('refuses text with a line break, and can be cancelled', async () => {
    const id = await written('x\n');
    const query = { text: 'a\nb', offset: 0, limit: 10 };
    expect(await bench.jobs.searchLog(id, 'output', query, silent, never)).toMatchObject({
      error: { code: 'bad-input' },
    });
    const asked = { text: 'x', offset: 0, limit: 10 };
    const cancelled = await bench.jobs.searchLog(id, 'output', asked, silent, AbortSignal.abort());
    expect(cancelled).toMatchObject({ error: { code: 'cancelled' } });
  });

  test('goes over stretches: 300 MB with a line across each border', async () => {
    const id = await launch(`awk 'BEGIN { for (i = 1; i <= 3000000; i++) printf "%99d\\n", i }'`);
    await eventually('its end', async () => hasEnded((await unwrap(bench.jobs.inspect(id))).view.state));
    const steps: number[] = [];
    const query = { text: ' 2684355', offset: 0, limit: 10 };
    const found = await unwrap(
      bench.jobs.searchLog(id, 'output', query, (done, total) => steps.push(done / total), never),
    );
    // 268435456 bytes are a stretch: line 2684355 begins in front of its end and ends behind it.
    expect(found.matches).toEqual([
      { offset: 268_435_400, line: 2_684_355, text: `${' '.repeat(92)}2684355` },
    ]);
    expect(steps).toHaveLength(2);
    expect(steps.at(-1)).toBe(1);
  });
});

describe('a log of 10 GB', () => {
  test('is opened at its end by reading no more than what is shown', async () => {
    const id = await written('');
    await truncate(outputOf(id), 10_000_000_000);
    await appendFile(outputOf(id), 'the end');
    readBytes = 0;
    const piece = await unwrap(bench.jobs.readLog(id, 'output', -65_536, 65_536));
    expect(piece.text.endsWith('the end')).toBe(true);
    expect(piece.size).toBe(10_000_000_007);
    // On a busy machine a small file of the job may be read meanwhile.
    expect(readBytes).toBeGreaterThanOrEqual(65_536);
    expect(readBytes).toBeLessThan(2 * 65_536);
    const middle = await unwrap(bench.jobs.readLog(id, 'output', 5_000_000_000, 1_000));
    expect(middle.nextOffset).toBe(5_000_001_000);
  });
});

describe('saving a log', () => {
  const digestOf = async (path: string) =>
    createHash('sha256')
      .update(await readFile(path))
      .digest('hex');

  test('continues where a line was cut', async () => {
    const id = await written(Buffer.alloc(20_000_000, 'abcdefg\n'));
    const target = join(bench.folder, 'saved.log');
    const steps: number[] = [];
    line.cutAt(4, 'answer');
    const saving = bench.jobs.saveLog(id, 'output', target, (done) => steps.push(done), never);
    await eventually('the cut', () => line.calls() >= 4);
    readBytes = 0;
    line.mend();
    expect(await unwrap(saving)).toEqual({ path: target, bytes: 20_000_000 });
    expect(await digestOf(target)).toBe(await digestOf(outputOf(id)));
    expect(readBytes).toBeLessThan(20_000_000);
    expect(steps.at(-1)).toBe(20_000_000);
  });

  test('continues where an earlier call stopped, and starts over with another log', async () => {
    const id = await written(Buffer.alloc(10_000_000, 'abcdefg\n'));
    const target = join(bench.folder, 'saved.log');
    await writeFile(`${target}.part`, Buffer.alloc(9_000_000, 'abcdefg\n'));
    readBytes = 0;
    await unwrap(bench.jobs.saveLog(id, 'output', target, silent, never));
    expect(readBytes).toBe(1_000_000);
    expect(await digestOf(target)).toBe(await digestOf(outputOf(id)));
    await writeFile(`${target}.part`, Buffer.alloc(9_000_000, 'another '));
    await unwrap(bench.jobs.saveLog(id, 'output', target, silent, never));
    expect(await digestOf(target)).toBe(await digestOf(outputOf(id)));
  });

  test('of a job that is still writing saves its content at the time of the request', async () => {
    const id = await launch('while :; do echo "$(date)"; done');
    await eventually('output', async () => (await unwrap(bench.jobs.readLog(id, 'output', 0, 10))).size > 0);
    const target = join(bench.folder, 'saved.log');
    const { bytes } = await unwrap(bench.jobs.saveLog(id, 'output', target, silent, never));
    const saved = await readFile(target);
    expect(saved.length).toBe(bytes);
    expect((await readFile(outputOf(id))).subarray(0, bytes).equals(saved)).toBe(true);
  });

  test('can be cancelled while nothing answers', async () => {
    const id = await written('x\n');
    line.cut();
    const stop = new AbortController();
    const saving = bench.jobs.saveLog(id, 'output', join(bench.folder, 'saved.log'), silent, stop.signal);
    stop.abort();
    expect(await saving).toMatchObject({ error: { code: 'cancelled' } });
  });
});

test('200 MB followed over ten cuts of the line and of the app lose and double no byte', async () => {
  // Counts up: a byte that is lost or doubled shows in the digest. é: characters are cut everywhere.
  const id = await launch(`awk 'BEGIN { for (i = 1; i <= 2000000; i++) printf "%096d é\\n", i }'`);
  const hash = createHash('sha256');
  let jobs = bench.jobs;
  let offset = 0;
  let cuts = 0;
  for (;;) {
    const isOver = jobs.view(id).ok && hasEnded((await unwrap(jobs.view(id))).state);
    const piece = await jobs.readLog(id, 'output', offset, 1_048_573);
    if (!piece.ok) {
      line.mend();
      // Every other cut takes the app with it.
      if (cuts % 2 === 0) jobs = await bench.restarted();
      jobs.probeSoon();
      continue;
    }
    hash.update(piece.value.text);
    offset = piece.value.nextOffset;
    if (cuts < 10 && offset > (cuts + 1) * 17_000_000) {
      cuts += 1;
      line.cutAt(cuts % 3, cuts % 2 === 0 ? 'question' : 'answer');
    }
    if (isOver && offset === piece.value.size) break;
    if (piece.value.text === '') await jobs.inspect(id);
  }
  expect(cuts).toBe(10);
  expect(offset).toBe(200_000_000);
  expect(hash.digest('hex')).toBe(
    createHash('sha256')
      .update(await readFile(outputOf(id)))
      .digest('hex'),
  );
});

test('a log is refused while its machine does not answer, and empty before its job has begun', async () => {
  line.cut();
  const id = await launch('true');
  expect(await bench.jobs.readLog(id, 'output', 0, 10)).toEqual(ok({ text: '', nextOffset: 0, size: 0 }));
  line.mend();
  await eventually('its end', async () => {
    bench.jobs.probeSoon();
    return hasEnded((await unwrap(bench.jobs.view(id))).state);
  });
  line.cut();
  expect(await bench.jobs.readLog(id, 'output', 0, 10)).toMatchObject({ error: { code: 'unreachable' } });
});
