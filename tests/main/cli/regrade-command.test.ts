import { expect, test } from 'vitest';
import { Emitter, ok } from '../../../main/base';
import type { RegradeFacts, WorkbenchEvent } from '../../../preload/contract';
import { sampleStudyView } from '../../support/sample-study';
import { typeCommand } from '../../support/typed-command';

const KEPT: RegradeFacts = {
  ...{ id: 'regrade-1', at: '2026-11-30T12:00:00.000Z', python: '3.11.2', grading: null },
  tests: [{ benchmarkId: 'b', benchmarkDigest: 'd1', testsId: 'fixed', testsDigest: 'd2' }],
  ...{ programs: 38, changed: 9, faults: 0 },
};

/** What the commands print of a re-grade of 70 programs, some of which several runs wrote. */
async function type(...words: readonly string[]) {
  return typeOf(KEPT, ...words);
}

async function typeOf(kept: RegradeFacts, ...words: readonly string[]) {
  const view = sampleStudyView({ id: 's' });
  const answers: Record<string, unknown> = {
    'study.regrade': { graded: 70, programs: 70, changed: [], faults: 0, kept },
    'study.list': [{ ...view, study: { ...view.study, regrades: [kept] } }],
    'study.outcomes': { studyId: 's', runs: [] },
  };
  const call = async (name: string) => ok(answers[name] ?? null) as never;
  const host = { outlivesCommand: true, call, events: new Emitter<WorkbenchEvent>() };
  return (await typeCommand(host, 'studies', ...words)).err;
}

test('a re-grade says how many different programs it has, and says the same number once it counts', async () => {
  expect(await type('regrade', 's')).toMatch(/^38 different programs \(70 over all runs\) graded again, 0 /m);
  expect(await type('set', 's', '--grading', 'regrade-1')).toContain(
    ': 38 different programs, 9 verdicts changed',
  );
});

test('a re-grade says how it ran the programs otherwise than the search, when it is made and when it counts', async () => {
  const kept = { ...KEPT, differs: ['Python 3.11.2 instead of 3.10.4', 'in the sandbox instead of without'] };
  for (const words of [
    ['regrade', 's'],
    ['set', 's', '--grading', 'regrade-1'],
  ]) {
    expect(await typeOf(kept, ...words)).toContain(
      "did not run the programs as the search's own grading did: Python 3.11.2 instead of 3.10.4; in the sandbox",
    );
    expect(await type(...words)).not.toContain('did not run the programs');
  }
});
