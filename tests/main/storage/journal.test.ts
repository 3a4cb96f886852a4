import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Journal, openJournal, readJournal, withoutDetail } from '../../../main/storage';
import { encodeEvent } from '../../../main/storage/journal-line';
import type { Refusal, RunEvent } from '../../../preload/contract';
import { bundleScript } from '../../support/bundled-script';
import { makeTemporaryFolder, temporaryFolder } from '../../support/temporary-folder';
import { nodeAdded, nodeGraded, runStarted } from './sample-events';

async function opened(path: string): Promise<Journal> {
  const journal = await openJournal(path);
  if (!journal.ok) throw new Error(journal.error.message);
  onTestFinished(() => journal.value.close());
  return journal.value;
}

/** As somebody who only looks sees it. */
async function slimEvents(path: string): Promise<readonly RunEvent[]> {
  const journal = await readJournal(path);
  if (!journal.ok) throw new Error(journal.error.message);
  onTestFinished(() => journal.value.close());
  return journal.value.events();
}

async function refusalOf(path: string): Promise<Refusal> {
  const journal = await openJournal(path);
  if (!journal.ok) return journal.error;
  await journal.value.close();
  throw new Error('The journal opened.');
}

async function written(path: string, events: readonly RunEvent[]): Promise<void> {
  const journal = await opened(path);
  await Promise.all(events.map((event) => journal.append(event)));
  await journal.close();
}

const small = [runStarted(), nodeAdded(0), nodeGraded(0), nodeAdded(1)];

describe('a journal', () => {
  it('is made when it is missing, with the folders above it, and is empty', async () => {
    const journal = await opened(join(await temporaryFolder(), 'a', 'b', 'run.jsonl'));
    expect(journal.events()).toEqual([]);
    expect(journal.cutBytes).toBe(0);
  });

  it('gives back after a restart what was appended, without the detail', async () => {
    const path = join(await temporaryFolder(), 'run.jsonl');
    await written(path, small);
    expect((await opened(path)).events()).toEqual(small.map(withoutDetail));
    expect(await slimEvents(path)).toEqual(small.map(withoutDetail));
  });

  it('has an event in the file once its append has resolved', async () => {
    const path = join(await temporaryFolder(), 'run.jsonl');
    const journal = await opened(path);
    await journal.append(runStarted());
    const text = await readFile(path, 'utf8');
    expect(text).toBe(encodeEvent(runStarted()).toString());
    expect(JSON.parse(text)).toEqual({ ...runStarted(), sum: expect.stringMatching(/^[0-9a-f]{8}$/) });
  });

  it('keeps the order of appends that were not awaited', async () => {
    const path = join(await temporaryFolder(), 'run.jsonl');
    const journal = await opened(path);
    const events = [runStarted(), ...Array.from({ length: 500 }, (_, index) => nodeAdded(index))];
    const appends = events.map((event) => journal.append(event));
    await journal.close();
    await Promise.all(appends);
    expect((await opened(path)).events()).toEqual(events.map(withoutDetail));
  });

  it('continues where it ended', async () => {
    const path = join(await temporaryFolder(), 'run.jsonl');
    await written(path, small.slice(0, 2));
    await written(path, small.slice(2));
    expect((await opened(path)).events()).toEqual(small.map(withoutDetail));
  });

  it('reads the detail of a node from the disk, live and after a restart', async () => {
    const path = join(await temporaryFolder(), 'run.jsonl');
    const live = await opened(path);
    for (const event of small) await live.append(event);
    for (const journal of [live, await opened(path)]) {
      expect(await journal.readDetail('p/1', 'search', 0)).toEqual({
        node: nodeAdded(0),
        graded: nodeGraded(0),
      });
      expect(await journal.readDetail('p/1', 'search', 1)).toEqual({ node: nodeAdded(1), graded: null });
      expect(await journal.readDetail('p/1', 'search', 2)).toBeNull();
      expect(await journal.readDetail('p/1', 'samples', 0)).toBeNull();
    }
  });

  it('gives all events of one tree with detail, and none of another', async () => {
    const path = join(await temporaryFolder(), 'run.jsonl');
    const other = nodeAdded(0, 'p/2');
    await written(path, [...small, other]);
    const journal = await opened(path);
    expect(await journal.treeEvents('p/1', 'search')).toEqual(small.slice(1));
    expect(await journal.treeEvents('p/2', 'search')).toEqual([other]);
    expect(await journal.treeEvents('p/3', 'search')).toEqual([]);
  });

  it('does not begin with anything but the start of a run', async () => {
    const path = join(await temporaryFolder(), 'run.jsonl');
    const journal = await opened(path);
    await expect(journal.append(nodeAdded(0))).rejects.toThrow('begins with "run-started"');
    await journal.append(runStarted());
    expect(journal.events()).toEqual([runStarted()]);
  });

  it('takes nothing after it is closed, and is closed twice without harm', async () => {
    const journal = await opened(join(await temporaryFolder(), 'run.jsonl'));
    await journal.close();
    await journal.close();
    await expect(journal.append(runStarted())).rejects.toThrow('is closed');
  });
});

it('a reader that still holds a journal can read on after it was closed', async () => {
  const path = join(await temporaryFolder(), 'run.jsonl');
  await written(path, small);
  const reading = await readJournal(path);
  if (!reading.ok) throw new Error(reading.error.message);
  await reading.value.close();
  await reading.value.close();
  expect((await reading.value.readDetail('p/1', 'search', 1))?.node).toEqual(nodeAdded(1));
});

describe('a journal that was torn', () => {
  it('at any byte of its last line costs that line alone, and can be appended to', async () => {
    const path = join(await temporaryFolder(), 'run.jsonl');
    const last = nodeAdded(1, 'p/1', 60);
    await written(path, [...small.slice(0, 3), last]);
    const bytes = await readFile(path);
    const good = bytes.lastIndexOf(0x0a, bytes.length - 2) + 1;
    for (let size = good; size < bytes.length; size++) {
      await writeFile(path, bytes.subarray(0, size));
      const journal = await opened(path);
      expect(journal.cutBytes).toBe(size - good);
      expect(journal.events()).toHaveLength(3);
      await journal.append(last);
      await journal.close();
      expect(await readFile(path)).toEqual(bytes);
    }
  });

  it('in its very first line is an empty journal', async () => {
    const path = join(await temporaryFolder(), 'run.jsonl');
    await writeFile(path, JSON.stringify(runStarted()).slice(0, 40));
    expect((await opened(path)).events()).toEqual([]);
    expect((await stat(path)).size).toBe(0);
  });

  it('by a power cut that left zeros at the end opens too', async () => {
    const path = join(await temporaryFolder(), 'run.jsonl');
    await written(path, small);
    await appendFile(path, Buffer.alloc(5000));
    const journal = await opened(path);
    expect(journal.events()).toHaveLength(4);
    expect(journal.cutBytes).toBe(5000);
  });

  it('is read without its last line, and left as it is, by a reader that only reads', async () => {
    const path = join(await temporaryFolder(), 'run.jsonl');
    await written(path, small);
    const { size } = await stat(path);
    await truncate(path, size - 1);
    expect(await slimEvents(path)).toEqual(small.slice(0, 3).map(withoutDetail));
    expect((await stat(path)).size).toBe(size - 1);
  });
});

describe('a journal is refused and left as it is', () => {
  const good = small.map((event) => JSON.stringify(event));
  const cases: ReadonlyArray<readonly [string, readonly (string | Buffer)[], string]> = [
    ['with a line that is not JSON', [good[0] ?? '', '{"kind":', good[1] ?? ''], 'line 2: it is not JSON'],
    ['with an empty line in it', [good[0] ?? '', '', good[1] ?? ''], 'line 2: it is not JSON'],
    [
      'with an event that nobody knows',
      [good[0] ?? '', '{"kind":"party"}'],
      'line 2: it is not an event of a run at "kind"',
    ],
    [
      'with a field that is wrong',
      [good[0] ?? '', (good[1] ?? '').replace('"score":0.5', '"score":5')],
      'line 2: it is not an event of a run at "score"',
    ],
    [
      'with a broken byte',
      [good[0] ?? '', Buffer.from((good[1] ?? '').replace('an answer', 'an \u00ff'), 'latin1')],
      'line 2: it is not UTF-8 text',
    ],
    ['that begins with a node', [good[1] ?? ''], 'line 1: a journal begins with "run-started"'],
    [
      'of a newer version',
      [(good[0] ?? '').replace('"journalVersion":1', '"journalVersion":3')],
      'newer version of the workbench (journal version 3; this one reads up to 2)',
    ],
  ];
  it.each(cases)('%s', async (_, lines, message) => {
    const path = join(await temporaryFolder(), 'run.jsonl');
    await writeFile(
      path,
      Buffer.concat(lines.map((line) => Buffer.concat([Buffer.from(line), Buffer.from('\n')]))),
    );
    const before = await readFile(path);
    const refusal = await refusalOf(path);
    expect(refusal.code).toBe('bad-input');
    expect(refusal.message).toContain(message);
    expect(refusal.message).toContain(path);
    expect(await readFile(path)).toEqual(before);
  });

  it('even when its last line is torn as well', async () => {
    const path = join(await temporaryFolder(), 'run.jsonl');
    await writeFile(path, `${good[0]}\nnothing\n${good[1]}\n${good[2]?.slice(0, 30)}`);
    const before = await readFile(path);
    expect((await refusalOf(path)).message).toContain('line 2');
    expect(await readFile(path)).toEqual(before);
  });

  it('when it is a folder', async () => {
    const path = join(await temporaryFolder(), 'run.jsonl');
    await mkdir(path);
    expect((await refusalOf(path)).message).toContain('it is a folder');
  });

  it('when it is missing and only to be read', async () => {
    const reading = await readJournal(join(await temporaryFolder(), 'run.jsonl'));
    expect(reading.ok ? null : reading.error.code).toBe('not-found');
  });
});

describe('a process that appends', () => {
  let script = '';
  beforeAll(async () => {
    const folder = await makeTemporaryFolder();
    script = await bundleScript(join(import.meta.dirname, 'programs', 'append-events.ts'), folder.path);
    return folder.dispose;
  });

  it('and is killed at any moment loses no node that was confirmed as written', async () => {
    const path = join(await temporaryFolder(), 'run.jsonl');
    let last = -1;
    for (let round = 0; round < 12; round++) {
      const child = spawn(process.execPath, [script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
      let lines = 0;
      for await (const line of createInterface({ input: child.stdout })) {
        last = Math.max(last, Number(line));
        lines += 1;
        if (lines === 1 + round * 7) child.kill('SIGKILL');
      }
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      expect(child.signalCode).toBe('SIGKILL');
      const journal = await opened(path);
      const nodes = journal.events().flatMap((event) => (event.kind === 'node-added' ? [event.index] : []));
      expect(nodes).toEqual(nodes.map((_, index) => index));
      expect(nodes.length).toBeGreaterThan(last);
      expect((await journal.readDetail('p/1', 'search', last))?.node).toEqual(nodeAdded(last));
      await journal.close();
    }
  });

  it('past what the disk takes fails clearly, then and later, and leaves whole lines only', async () => {
    const path = join(await temporaryFolder(), 'run.jsonl');
    // A limit on file size fails in the middle of a line, as a full disk does, and needs no mount.
    const child = spawn('bash', ['-c', 'ulimit -f 64; exec "$0" "$1" "$2"', process.execPath, script, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) lines.push(line);
    const report: unknown = JSON.parse(lines.pop() ?? 'null');
    expect(report).toEqual({
      message: expect.stringContaining('could not be written: the file would exceed the allowed size'),
      again: 'the same',
    });
    const bytes = await readFile(path);
    expect(bytes.at(-1)).toBe(0x0a);
    const journal = await opened(path);
    expect(journal.cutBytes).toBe(0);
    expect(journal.events()).toHaveLength(1 + 2 * lines.length);
  });
});
