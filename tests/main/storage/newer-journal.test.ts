import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  damageText,
  type JournalReading,
  openJournal,
  readJournal,
  repairJournal,
} from '../../../main/storage';
import { encodeEvent, rewriteLine } from '../../../main/storage/journal-line';
import { journalProblemOf } from '../../../main/studies/load-study';
import { foldRun, type RunEvent, treeKey } from '../../../preload/contract';
import { temporaryFolder } from '../../support/temporary-folder';
import { nodeAdded, nodeGraded, runStarted } from './sample-events';

const searched = (problemId: string): RunEvent => ({
  kind: 'tree-searched',
  at: 0,
  problemId,
  part: 'search',
  reason: 'exhausted',
});
const finished: RunEvent = { kind: 'run-finished', at: 0 };
const whole: readonly RunEvent[] = [
  runStarted(),
  nodeAdded(0, 'p/1', 40),
  nodeAdded(1, 'p/1', 40),
  searched('p/1'),
  nodeGraded(0, 'p/1'),
  nodeGraded(1, 'p/1'),
  nodeAdded(0, 'p/2', 40),
  searched('p/2'),
  nodeGraded(0, 'p/2'),
  finished,
];

/** A line as a newer version would have written it, with a checksum of its own. */
function written(event: RunEvent, change: (json: string) => string): Buffer {
  const line = encodeEvent(event);
  const changed = rewriteLine(line.subarray(0, -1), change);
  expect(changed.equals(line.subarray(0, -1))).toBe(false);
  return Buffer.concat([changed, Buffer.from('\n')]);
}

async function journalOf(lines: readonly Buffer[]): Promise<{ path: string; reading: JournalReading }> {
  const path = join(await temporaryFolder(), 'run.jsonl');
  await writeFile(path, Buffer.concat(lines));
  const reading = await readJournal(path);
  if (!reading.ok) throw new Error(reading.error.message);
  onTestFinished(() => reading.value.close());
  return { path, reading: reading.value };
}

const replaced = (at: number, line: Buffer): Buffer[] =>
  whole.map((event, i) => (i === at ? line : encodeEvent(event)));
const treeOf = (reading: JournalReading, problemId: string) =>
  foldRun(null, reading.events())?.trees.get(treeKey(problemId, 'search'));

/** It is shown, named for what it is, and left as it was for the version that wrote it. */
async function isKept({ path, reading }: Awaited<ReturnType<typeof journalOf>>): Promise<void> {
  const before = await readFile(path);
  const { damage } = reading;
  if (damage === null) throw new Error('nothing was noticed');
  const { message, hint } = damageText(damage);
  expect(message).toMatch(/1 entry was made by a newer version of the workbench.*Nothing is lost/);
  expect(`${message} ${hint}`).not.toMatch(/damage|repair/);
  expect(journalProblemOf(damage)).toMatchObject({ repairable: false, isNewer: true });
  for (const attempt of [await openJournal(path), await repairJournal(path)])
    expect(attempt).toMatchObject({ ok: false, error: { message } });
  expect((await readFile(path)).equals(before)).toBe(true);
}

describe('a journal with entries of a newer version is no damaged one', () => {
  it('when it has a verdict that this version does not know: its node is shown, and not counted', async () => {
    const line = written(nodeGraded(1, 'p/1'), (json) => json.replaceAll('"passed"', '"judge-away"'));
    const journal = await journalOf(replaced(5, line));
    expect(journal.reading.damage).toMatchObject({ cause: 'newer', line: 6, newer: 1, leftOut: 0 });
    expect(treeOf(journal.reading, 'p/1')).toMatchObject({ graded: 2, searched: 'exhausted' });
    expect(treeOf(journal.reading, 'p/1')?.nodes[1]).toMatchObject({ privateVerdict: 'unknown' });
    const detail = await journal.reading.readDetail('p/1', 'search', 1);
    expect(detail?.graded).toMatchObject({ privateVerdict: 'unknown' });
    expect(foldRun(null, journal.reading.events())?.finished).toBe(true);
    await isKept(journal);
  });

  it('when it has a kind of event that this version does not know: all others are shown', async () => {
    const line = written(finished, (json) => json.replace('run-finished', 'node-discussed'));
    const journal = await journalOf([
      ...whole.map(encodeEvent).slice(0, 4),
      line,
      ...whole.map(encodeEvent).slice(4),
    ]);
    expect(journal.reading.damage).toMatchObject({ cause: 'newer', line: 5, newer: 1, leftOut: 0, kept: 10 });
    expect(foldRun(null, journal.reading.events())?.finished).toBe(true);
    await isKept(journal);
  });

  it('when an event of a tree has a new form: this tree is not whole here, the others are', async () => {
    const line = written(nodeAdded(1, 'p/1', 40), (json) => json.replace('"agentId":"', '"agentIds":"'));
    const journal = await journalOf(replaced(2, line));
    expect(journal.reading.damage).toMatchObject({ cause: 'newer', line: 3, newer: 1 });
    expect(treeOf(journal.reading, 'p/1')).toMatchObject({ searched: null, graded: 1 });
    expect(treeOf(journal.reading, 'p/2')).toMatchObject({ searched: 'exhausted', graded: 1 });
    expect(foldRun(null, journal.reading.events())?.finished).toBe(false);
    await isKept(journal);
  });

  it('when already its first line is: it is refused as that', async () => {
    const line = written(runStarted(), (json) => json.replace('"ab-mcts-a"', '"ab-mcts-z"'));
    const path = join(await temporaryFolder(), 'run.jsonl');
    await writeFile(path, Buffer.concat(replaced(0, line)));
    expect(await readJournal(path)).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/written by a newer version of the workbench\. Open it/) },
    });
  });

  it('but one that is damaged as well is, and is not repaired here, where that would lose what is newer', async () => {
    const line = written(nodeGraded(1, 'p/1'), (json) => json.replaceAll('"passed"', '"judge-away"'));
    const { path, reading } = await journalOf(replaced(5, line).with(7, Buffer.from('?\n')));
    expect(reading.damage).toMatchObject({ cause: 'damage', line: 8, newer: 1, unreadable: 1 });
    expect(await repairJournal(path)).toMatchObject({
      ok: false,
      error: { hint: expect.stringContaining('repair it with that version') },
    });
  });
});
