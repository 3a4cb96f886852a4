import { appendFile, link, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { assertNever } from '../../../main/base';
import {
  damageText,
  type JournalReading,
  openJournal,
  readJournal,
  repairJournal,
  withoutDetail,
} from '../../../main/storage';
import { encodeEvent } from '../../../main/storage/journal-line';
import { foldRun, type RunEvent, runEventSchema, type TreeEnd, treeKey } from '../../../preload/contract';
import { temporaryFolder } from '../../support/temporary-folder';
import { nodeAdded, nodeGraded, runStarted } from './sample-events';

it('of one line is told in the singular', () => {
  const one = { path: '/j', newer: 1, line: 2, why: 'no JSON', unreadable: 1, leftOut: 1, kept: 1 };
  expect(damageText({ ...one, cause: 'damage' }).message).toContain(
    '1 event after the damage is left out too. 1 event is shown.',
  );
  expect(damageText({ ...one, cause: 'newer' }).message).toContain(
    '1 event that depends on them is left out. 1 event is shown.',
  );
});

const searched = (problemId: string, reason: TreeEnd = 'exhausted'): RunEvent => ({
  kind: 'tree-searched',
  at: 0,
  problemId,
  part: 'search',
  reason,
});
const finished: RunEvent = { kind: 'run-finished', at: 0 };

/** p/1 is complete on lines 2 to 6, p/2 is open from line 7 to 12, p/3 is complete on lines 9 to 11. */
const events: readonly RunEvent[] = [
  runStarted(),
  nodeAdded(0, 'p/1', 40),
  nodeAdded(1, 'p/1', 40),
  searched('p/1'),
  nodeGraded(0, 'p/1'),
  nodeGraded(1, 'p/1'),
  nodeAdded(0, 'p/2', 40),
  nodeAdded(1, 'p/2', 40),
  nodeAdded(0, 'p/3', 40),
  nodeGraded(0, 'p/3'),
  searched('p/3'),
  searched('p/2'),
  nodeGraded(0, 'p/2'),
  nodeGraded(1, 'p/2'),
  finished,
];
const lines = events.map(encodeEvent);

async function fileOf(content: readonly Buffer[]): Promise<string> {
  const path = join(await temporaryFolder(), 'run.jsonl');
  await writeFile(path, Buffer.concat(content));
  return path;
}

async function inspect(path: string): Promise<JournalReading> {
  const reading = await readJournal(path);
  if (!reading.ok) throw new Error(reading.error.message);
  onTestFinished(() => reading.value.close());
  return reading.value;
}

/** A line of the journal, from 1, with one of its bytes changed. */
function flipped(line: number, find: string): Buffer[] {
  const changed = lines.map((bytes) => Buffer.from(bytes));
  const bytes = changed[line - 1] as Buffer;
  const at = bytes.indexOf(find);
  expect(at).toBeGreaterThan(0);
  bytes[at] = (bytes[at] as number) ^ 1;
  return changed;
}

const treeOf = (reading: JournalReading, problemId: string) =>
  foldRun(null, reading.events())?.trees.get(treeKey(problemId, 'search'));

describe('a damaged journal', () => {
  it('that has one flipped bit inside a program is noticed, at its line', async () => {
    const { damage } = await inspect(await fileOf(flipped(8, 'print')));
    expect(damage).toMatchObject({ line: 8, why: 'its checksum is wrong', unreadable: 1 });
  });

  it('that lost the line of an extension keeps the tree as it was before, for it to be extended again', async () => {
    const started = runStarted();
    if (started.kind !== 'run-started') throw new Error('It begins otherwise.');
    const { config } = started;
    const journal: RunEvent[] = [
      { ...started, config: { ...config, search: { ...config.search, nodes: 1 } } },
      nodeAdded(0, 'p/1', 40),
      searched('p/1', 'budget'),
      { kind: 'run-extended', at: 0, earlierNodes: 1, nodes: 2, addedProblemIds: ['p/9'] },
      nodeAdded(1, 'p/1', 40),
      searched('p/1', 'budget'),
    ];
    const whole = await inspect(await fileOf(journal.map(encodeEvent)));
    expect(whole.damage).toBeNull();
    expect(treeOf(whole, 'p/1')).toMatchObject({ searched: 'budget', nodes: [{ index: 0 }, { index: 1 }] });
    const kinds = (await whole.treeEvents('p/1', 'search')).map(({ kind }) => kind);
    expect(kinds).toEqual(['node-added', 'tree-searched', 'run-extended', 'node-added', 'tree-searched']);
    const bytes = journal.map(encodeEvent);
    (bytes[3] as Buffer)[20] = 0;
    const damaged = await inspect(await fileOf(bytes));
    expect(treeOf(damaged, 'p/1')).toMatchObject({ searched: 'budget', nodes: [{ index: 0 }] });
  });

  it('is none where the limits of trees were lowered; without that line, no later tree counts as done', async () => {
    const started = runStarted();
    if (started.kind !== 'run-started') throw new Error('It begins otherwise.');
    const { config } = started;
    const limits = { nodes: 2, tokens: null, seconds: null };
    const journal: RunEvent[] = [
      { ...started, config: { ...config, search: { ...config.search, nodes: 2 } } },
      ...[nodeAdded(0, 'p/1', 40), nodeAdded(1, 'p/1', 40), searched('p/1', 'budget')],
      { kind: 'limits-changed', at: 0, before: limits, since: { ...limits, nodes: 1 } },
      ...[nodeAdded(0, 'p/2', 40), searched('p/2', 'budget')],
    ];
    const whole = await inspect(await fileOf(journal.map(encodeEvent)));
    expect(whole.damage).toBeNull();
    expect(treeOf(whole, 'p/1')).toMatchObject({ searched: 'budget', nodes: { length: 1 } });
    expect(treeOf(whole, 'p/2')).toMatchObject({ searched: 'budget', nodes: { length: 1 } });
    const bytes = journal.map(encodeEvent);
    (bytes[4] as Buffer)[20] = 0;
    const damaged = await inspect(await fileOf(bytes));
    expect(treeOf(damaged, 'p/1')).toMatchObject({ searched: 'budget', nodes: { length: 2 } });
    expect(treeOf(damaged, 'p/2')).toMatchObject({ searched: null });
  });

  it('shows all before the damage, and after it the trees that cannot have lost anything', async () => {
    const reading = await inspect(await fileOf(flipped(8, 'print')));
    expect(treeOf(reading, 'p/1')).toMatchObject({ searched: 'exhausted', graded: 2 });
    expect(treeOf(reading, 'p/3')).toMatchObject({ searched: 'exhausted', graded: 1 });
    // Node 1 is lost, so the tree keeps what it has and never counts as done.
    expect(treeOf(reading, 'p/2')).toMatchObject({ searched: null, graded: 1, nodes: [{ index: 0 }] });
    expect(foldRun(null, reading.events())?.finished).toBe(false);
    expect(reading.damage?.kept).toBe(reading.events().length);
  });

  it('never reports a tree as complete that was open where the damage is, whatever was lost', async () => {
    for (let lost = 8; lost <= 11; lost++) {
      const reading = await inspect(
        await fileOf(lines.map((line, i) => (i === lost - 1 ? Buffer.from('?\n') : line))),
      );
      expect(treeOf(reading, 'p/2')?.searched).toBeNull();
    }
  });

  it('with a line that is gone without a trace is noticed by what builds on it', async () => {
    const { damage } = await inspect(await fileOf(lines.filter((_, i) => i !== 6)));
    expect(damage).toMatchObject({ line: 7, unreadable: 0 });
    expect(damage?.why).toContain('node 1 of the search tree of p/2');
  });

  it('with a tree that ends with its budget and has fewer nodes is noticed', async () => {
    const end = encodeEvent(searched('p/1', 'budget'));
    const reading = await inspect(await fileOf([...lines.slice(0, 3), end, ...lines.slice(4)]));
    expect(reading.damage).toMatchObject({ line: 4, unreadable: 0 });
    expect(treeOf(reading, 'p/1')).toMatchObject({ searched: null, graded: 2 });
  });

  it('with two lines glued together loses both and no other tree', async () => {
    const glued = [...lines];
    glued[7] = (lines[7] as Buffer).subarray(0, -1);
    const reading = await inspect(await fileOf(glued));
    expect(reading.damage).toMatchObject({ line: 8, unreadable: 1 });
    expect(treeOf(reading, 'p/1')?.searched).toBe('exhausted');
    expect(treeOf(reading, 'p/3')).toBeUndefined();
  });

  it('with a block of zeros in its middle, as a power cut leaves, is read around it', async () => {
    const bytes = Buffer.concat(lines);
    const start = bytes.indexOf(lines[7] as Buffer);
    bytes.fill(0, start + 20, start + 20 + (lines[7] as Buffer).length);
    const reading = await inspect(await fileOf([bytes]));
    expect(reading.damage?.line).toBe(8);
    expect(treeOf(reading, 'p/1')).toMatchObject({ searched: 'exhausted', graded: 2 });
  });

  it('whose lines lost their checksums in the middle is noticed', async () => {
    const without = [...lines];
    without[2] = Buffer.from(`${JSON.stringify(events[2])}\n`);
    expect((await inspect(await fileOf(without))).damage).toMatchObject({
      line: 3,
      why: 'its checksum is missing',
    });
  });

  it('without its first line shows nothing and says so', async () => {
    const { damage, events: shown } = await inspect(await fileOf(lines.slice(1)));
    expect(shown()).toEqual([]);
    expect(damage).toMatchObject({ line: 1, why: 'a journal begins with "run-started"', kept: 0 });
    expect(damage && damageText(damage).hint).toContain('Restore the file from a backup');
  });

  it('gives the detail of the nodes that it shows', async () => {
    const reading = await inspect(await fileOf(flipped(8, 'print')));
    expect(await reading.readDetail('p/3', 'search', 0)).toEqual({
      node: events[8],
      graded: events[9],
    });
    expect(await reading.readDetail('p/2', 'search', 1)).toBeNull();
    expect(await reading.treeEvents('p/1', 'search')).toEqual(events.slice(1, 6));
  });

  it('is not appended to, and is left unchanged, with advice on how to continue', async () => {
    const path = await fileOf([...flipped(8, 'print'), Buffer.from('{"kind":"torn')]);
    const before = await readFile(path);
    const opened = await openJournal(path);
    if (opened.ok) throw new Error('It was opened.');
    expect(opened.error.message).toContain(`${path} is damaged at line 8: its checksum is wrong.`);
    expect(opened.error.message).toContain('Nothing was changed.');
    expect(opened.error.hint).toContain('repair it');
    expect(await readFile(path)).toEqual(before);
  });

  it('names its first damage and counts the rest', async () => {
    const spoilt = lines.map((line, i) => (i === 4 || i === 9 ? Buffer.from('\n') : line));
    expect((await inspect(await fileOf(spoilt))).damage).toMatchObject({ line: 5, unreadable: 2 });
  });
});

describe('a journal of version 1, whose lines have no checksum', () => {
  const old = events.map((event) => Buffer.from(`${JSON.stringify(event)}\n`));

  it('is read as it is', async () => {
    const reading = await inspect(await fileOf(old));
    expect(reading.damage).toBeNull();
    expect(reading.events()).toEqual(events.map(withoutDetail));
    expect(await reading.readDetail('p/1', 'search', 1)).toEqual({ node: events[2], graded: events[5] });
  });

  it('continues with lines that have one', async () => {
    const path = await fileOf(old.slice(0, 7));
    const journal = await openJournal(path);
    if (!journal.ok) throw new Error(journal.error.message);
    for (const event of events.slice(7)) await journal.value.append(event);
    await journal.value.close();
    expect((await inspect(path)).events()).toEqual(events.map(withoutDetail));
  });
});

describe('repairing a journal', () => {
  it('keeps the damaged file next to it, and the journal continues with what was shown', async () => {
    const path = await fileOf(flipped(8, 'print'));
    const damaged = await readFile(path);
    const shown = (await inspect(path)).events();
    const repaired = await repairJournal(path);
    if (!repaired.ok) throw new Error(repaired.error.message);
    expect(repaired.value.movedTo).toBe(`${path}.damaged-1`);
    expect(await readFile(`${path}.damaged-1`)).toEqual(damaged);
    const journal = await openJournal(path);
    if (!journal.ok) throw new Error(journal.error.message);
    expect(journal.value.events()).toEqual(shown);
    await journal.value.append(nodeAdded(1, 'p/2', 40));
    await journal.value.close();
    expect((await inspect(path)).damage).toBeNull();
  });

  it('copies the lines byte by byte', async () => {
    const path = await fileOf(flipped(15, 'kind'));
    await repairJournal(path);
    expect(await readFile(path)).toEqual(Buffer.concat(lines.slice(0, 14)));
  });

  it('never replaces an earlier damaged file', async () => {
    const path = await fileOf(flipped(8, 'print'));
    await writeFile(`${path}.damaged-1`, 'an earlier one');
    const repaired = await repairJournal(path);
    expect(repaired.ok && repaired.value.movedTo).toBe(`${path}.damaged-2`);
    expect(await readFile(`${path}.damaged-1`, 'utf8')).toBe('an earlier one');
  });

  it.each([
    ['that is not damaged', lines],
    ['of which nothing is left', [Buffer.from('nothing\n'), ...lines]],
  ])('%s is refused and changes nothing', async (_, content) => {
    const path = await fileOf(content);
    const folder = join(path, '..');
    const repaired = await repairJournal(path);
    expect(repaired.ok ? '' : repaired.error.message).toContain('Nothing was changed');
    expect(await readFile(path)).toEqual(Buffer.concat(content));
    expect(await readdir(folder)).toEqual(['run.jsonl']);
  });

  it('that cannot be written leaves the journal as it was', async () => {
    const path = await fileOf(flipped(8, 'print'));
    const before = await readFile(path);
    await mkdir(join(path, '..', '.run.jsonl.repaired')); // in the way of the copy, for root too
    const repaired = await repairJournal(path);
    expect(repaired.ok ? '' : repaired.error.message).toContain('It is as it was.');
    expect(await readFile(path)).toEqual(before);
  });
});

describe('for any damage to the bytes of a journal', () => {
  const whole = Buffer.concat(lines);
  const written = new Set(events.map((event) => JSON.stringify(withoutDetail(runEventSchema.parse(event)))));
  const change = fc.oneof(
    fc.record({ kind: fc.constant('cut' as const), at: fc.nat(whole.length) }),
    fc.record({ kind: fc.constant('flip' as const), at: fc.nat(whole.length - 1), bit: fc.nat(7) }),
    fc.record({ kind: fc.constant('zero' as const), at: fc.nat(whole.length - 1), length: fc.nat(2_000) }),
    fc.record({ kind: fc.constant('drop' as const), at: fc.nat(whole.length - 1), length: fc.nat(2_000) }),
  );
  type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;
  const changed = (old: Buffer, one: Change): Buffer => {
    const at = Math.min(one.at, old.length);
    const next = Buffer.from(old);
    switch (one.kind) {
      case 'cut':
        return next.subarray(0, at);
      case 'drop':
        return Buffer.concat([next.subarray(0, at), next.subarray(at + one.length)]);
      case 'zero':
        return next.fill(0, at, Math.min(next.length, at + one.length));
      case 'flip':
        if (at < next.length) next[at] = (next[at] as number) ^ (1 << one.bit);
        return next;
      default:
        return assertNever(one);
    }
  };

  it('no event is shown that was not written, none that cannot be vouched for, and the file stays', async () => {
    const folder = await temporaryFolder();
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const bytes = changes.reduce(changed, whole);
        const path = join(folder, `${round++}.jsonl`);
        await writeFile(path, bytes);
        const reading = await readJournal(path);
        expect(await readFile(path)).toEqual(bytes);
        if (!reading.ok) throw new Error(reading.error.message);
        const shown = reading.value.events();
        for (const event of shown) expect(written).toContain(JSON.stringify(event));
        const view = foldRun(null, shown);
        for (const tree of view?.trees.values() ?? []) {
          const all = events.filter(
            (event) => event.kind === 'node-added' && event.problemId === tree.problemId,
          );
          // A tree that counts as done has all of its nodes.
          if (tree.searched !== null) expect(tree.nodes).toHaveLength(all.length);
        }
        const intact = reading.value.damage === null;
        await reading.value.close();
        // Only an undamaged journal opens for appending; damage is left byte by byte as it is.
        const opened = await openJournal(path);
        expect(opened.ok).toBe(intact);
        if (opened.ok) await opened.value.close();
        else expect(await readFile(path)).toEqual(bytes);
      }),
      { numRuns: 400, seed: 1 },
    );
  });

  it('a repair gives a journal that opens with just what was shown', async () => {
    const folder = await temporaryFolder();
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const path = join(folder, `${round++}.jsonl`);
        const bytes = changes.reduce(changed, whole);
        await writeFile(path, bytes);
        await link(path, `${path}.original`);
        const reading = await readJournal(path);
        if (!reading.ok) throw new Error(reading.error.message);
        const { damage } = reading.value;
        const shown = reading.value.events();
        await reading.value.close();
        const repaired = await repairJournal(path);
        expect(repaired.ok).toBe(damage !== null && shown.length > 0);
        expect(await readFile(`${path}.original`)).toEqual(bytes);
        if (!repaired.ok) return;
        const opened = await openJournal(path);
        if (!opened.ok) throw new Error(opened.error.message);
        expect(opened.value.events()).toEqual(shown);
        await opened.value.close();
      }),
      { numRuns: 200, seed: 2 },
    );
  });
});

it('zeros after the last line are cut when the journal continues, and only then', async () => {
  const path = await fileOf(lines.slice(0, 6));
  await appendFile(path, Buffer.alloc(4096));
  const reading = await inspect(path);
  expect(reading.damage).toBeNull();
  expect((await readFile(path)).length).toBe(Buffer.concat(lines.slice(0, 6)).length + 4096);
});
