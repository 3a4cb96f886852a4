import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RANDOM_VERSION } from '../../../main/base';
import { searchTree } from '../../../main/search';
import { openJournal } from '../../../main/storage';
import { verifyStudy } from '../../../main/studies/verify-study';
import type { Decision, RunConfig, RunEvent, Study } from '../../../preload/contract';
import { configWith, digestOf, problemWith, recordingOptions } from '../../support/search-fixture';
import { temporaryFolder } from '../../support/temporary-folder';

const config: RunConfig = {
  ...configWith({ nodes: 8, samplesPerAgent: 2 }),
  problemIds: ['world/0', 'world/1'],
};
const study: Study = { id: 's', name: 's', createdAt: '', scale: 'pocket', runs: [config] };

/** All events of the run, searched in the tiny test setting. */
async function runEvents(randomVersion = RANDOM_VERSION): Promise<RunEvent[]> {
  const all: RunEvent[] = [
    { kind: 'run-started', at: 0, journalVersion: 2, appVersion: '0', randomVersion, config },
  ];
  for (const id of config.problemIds) {
    for (const part of ['search', 'samples'] as const) {
      const { events, options } = recordingOptions({ config, part, problem: problemWith({ id }) });
      expect(await searchTree(options)).toEqual({ kind: 'searched' });
      all.push(...events);
    }
  }
  return all;
}

async function verified(events: readonly RunEvent[], signal = { aborted: false }) {
  const journal = await openJournal(join(await temporaryFolder(), 'run.jsonl'));
  if (!journal.ok) throw new Error(journal.error.message);
  for (const event of events) await journal.value.append(event);
  const progress: Array<[number, number]> = [];
  const result = await verifyStudy({
    study,
    journalOf: async () => journal,
    digest: digestOf,
    onProgress: (done, total) => progress.push([done, total]),
    signal,
  });
  await journal.value.close();
  return { result, progress };
}

describe('the verification of a study', () => {
  it('reproduces every tree of a journal, and reports its progress', async () => {
    const { result, progress } = await verified(await runEvents());
    expect(result.ok && result.value).toMatchObject({ trees: 4, nodes: 24, withoutDraws: 0, mismatches: [] });
    expect(result.ok && result.value.values).toBeGreaterThan(16);
    expect(progress).toEqual([1, 2, 3, 4, 4].map((done) => [done, 4]));
  });

  it('finds a flipped draw and names run, problem, node and option, and continues with the other trees', async () => {
    const flip = (decision: Decision): Decision => ({
      ...decision,
      values: decision.values.map((value) => (value === null ? null : -value)),
    });
    const events = (await runEvents()).map((event) => {
      if (event.kind !== 'node-added' || event.part !== 'search' || event.problemId !== 'world/1')
        return event;
      if (event.index !== 5 || event.detail?.why === undefined) return event;
      return { ...event, detail: { ...event.detail, why: event.detail.why.map(flip) } };
    });
    const { result } = await verified(events);
    expect(result.ok && result.value).toMatchObject({ trees: 4, nodes: 21 });
    expect(result.ok && result.value.mismatches).toEqual([
      {
        runId: config.id,
        problemId: 'world/1',
        part: 'search',
        index: 5,
        difference: expect.stringMatching(
          /^trial 5: the draw of generate, "widen" at the root, is -0\.\d+ in the journal but 0\.\d+ in the replay$/,
        ),
      },
    ]);
  });

  const forged: (readonly [string, (event: RunEvent) => RunEvent, string])[] = [
    [
      'a public verdict that its own tests contradict',
      (event) =>
        event.kind === 'node-added' && event.index === 3
          ? { ...event, publicVerdict: event.publicVerdict === 'passed' ? 'wrong-answer' : 'passed' }
          : event,
      'but its tests say',
    ],
    [
      'another program under the digest',
      (event) =>
        event.kind === 'node-added' && event.index === 3 && event.detail !== undefined
          ? { ...event, detail: { ...event.detail, program: 'print(1)' } }
          : event,
      'its program is not the one of its digest',
    ],
  ];
  it.each(forged)('finds %s, where every line has a valid checksum', async (_, change, difference) => {
    const { result } = await verified((await runEvents()).map(change));
    const found = result.ok ? result.value.mismatches : [];
    expect(found[0]).toMatchObject({ index: 3, difference: expect.stringContaining(difference) });
  });

  it('refuses what another generator drew, and stops when cancelled', async () => {
    const other = await verified(await runEvents('another'));
    expect(other.result).toMatchObject({ ok: false, error: { code: 'conflict' } });
    const cancelled = await verified(await runEvents(), { aborted: true });
    expect(cancelled.result).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  });

  it('of runs that have not begun finds nothing', async () => {
    const journalOf = async () => ({ ok: true, value: null }) as const;
    const result = await verifyStudy({
      study,
      journalOf,
      digest: digestOf,
      onProgress: () => undefined,
      signal: { aborted: false },
    });
    expect(result).toMatchObject({ ok: true, value: { trees: 0, nodes: 0, mismatches: [] } });
  });
});
