import { describe, expect, it } from 'vitest';
import { warningsOf } from '../../../main/studies/logic/warnings';
import type { NodeAdded, RunEvent } from '../../../preload/contract';
import { sampleConfig, sampleGrade, sampleNode, sampleView } from '../../support/sample-run';

const config = sampleConfig({ problemIds: ['p0', 'p1', 'p2', 'p3'] });

function warnings(events: readonly RunEvent[]): string[] {
  return warningsOf(new Map([[config.id, sampleView(config, events)]]));
}

/** This many nodes of one tree, the first `changed` of them with this change. */
function nodes(count: number, changed: number, change: Partial<NodeAdded>, problemId = 'p0'): RunEvent[] {
  return Array.from({ length: count }, (_, i) => sampleNode(problemId, i, i < changed ? change : {}));
}

function failures(
  count: number,
  reason: 'server' | 'exhausted' | 'no-refinement' | 'reward' | 'sandbox-fault',
  message = `Status 50${count}`,
): RunEvent[] {
  return Array.from({ length: count }, (_, i) => ({
    kind: 'trial-failed',
    at: 1,
    problemId: 'p0',
    part: 'search',
    trial: 100 + i,
    agentId: 'reader',
    reason,
    message: i === count - 1 ? message : 'an earlier one',
  }));
}

describe('nothing is said of', () => {
  it.each<[string, RunEvent[]]>([
    ['a healthy run', nodes(20, 0, {})],
    ['a recording without another sample', [...nodes(3, 0, {}), ...failures(9, 'exhausted')]],
    ['a recording without a refinement', [...nodes(3, 0, {}), ...failures(9, 'no-refinement')]],
    [
      'half of the answers without a program',
      nodes(20, 10, { publicVerdict: 'no-code', programDigest: null }),
    ],
    ['one cut answer in ten', nodes(20, 2, { answerEnd: 'length' })],
    ['few answers, all cut', nodes(9, 9, { answerEnd: 'length' })],
    ['two trees of equal programs', ['p0', 'p1'].flatMap((id) => nodes(8, 8, { programDigest: 'd' }, id))],
  ])('%s', (_, events) => {
    expect(warnings(events)).toEqual([]);
  });
});

describe('it is said how often, of which agent and what to do, when', () => {
  it.each<[string, RunEvent[], string]>([
    [
      'every call fails',
      failures(5, 'server', 'Status 401'),
      "single: all 5 calls of reader failed, the last one with: Status 401. Pause the study and look at its server's log and address.",
    ],
    [
      'some requests fail',
      [...nodes(2, 0, {}), ...failures(2, 'server', 'It did not answer.')],
      "single: 2 requests to reader failed, the last one with: It did not answer. They use no budget; look at its server's log if more follow.",
    ],
    [
      'answers are empty',
      nodes(10, 2, { answerEnd: 'empty', publicVerdict: 'no-code', programDigest: null }),
      "single: 2 of 10 answers of reader are empty; check its server's chat template and stop words.",
    ],
    [
      'answers are cut',
      nodes(10, 5, { answerEnd: 'length' }),
      'single: 5 of 10 answers of reader were cut by the limit on tokens; raise its maximum (now 2048).',
    ],
    [
      'answers hold no program',
      nodes(10, 6, { publicVerdict: 'no-code', programDigest: null }),
      'single: 6 of 10 answers of reader hold no program; check its prompt format and how programs are taken out of its answers.',
    ],
    [
      'all programs of most trees are equal',
      [
        ...['p0', 'p1', 'p2'].flatMap((id) => nodes(6, 6, { programDigest: 'd' }, id)),
        ...nodes(6, 5, { programDigest: 'd' }, 'p3'),
      ],
      'single: in 3 of 4 trees all programs of reader are equal; raise its temperature (now 1), or check that its server heeds the seed.',
    ],
    [
      'the sandbox fails on public tests',
      [...nodes(3, 0, {}), ...failures(1, 'sandbox-fault')],
      'single: the sandbox failed on 1 program of reader; they are left out of the numbers. Make room in memory and among processes, then grade the study again.',
    ],
    [
      'the reward model fails',
      [...nodes(3, 0, {}), ...failures(2, 'reward', 'Status 503')],
      'single: the reward model failed on 2 programs of reader, the last time with: Status 503. Look at its server, or search without it.',
    ],
    [
      'a recording has nothing for some problems',
      [
        ...nodes(3, 0, {}),
        ...['p1', 'p3'].map(
          (problemId): RunEvent => ({
            kind: 'tree-searched',
            at: 1,
            problemId,
            part: 'search',
            reason: 'exhausted',
          }),
        ),
      ],
      'single: 2 problems have no answer in the recordings: Pass@N and Pass@1(MCTS) count that as not solved, Pass@1 leaves it out; mark them to be left out before you compare.',
    ],
    [
      'problems have no public tests',
      ['p0', 'p2'].flatMap((id) => nodes(2, 2, { publicVerdict: 'passed', publicVerdicts: [] }, id)),
      'single: 2 problems have no public tests, so every score there is 0 and nothing guides the search; mark them to be left out, or read them as plain sampling.',
    ],
  ])('%s', (_, events, warning) => {
    expect(warnings(events)).toEqual([warning]);
  });

  it('the sandbox fails on private tests', () => {
    const grade = sampleGrade('p0', 0, false);
    if (grade.kind !== 'node-graded') throw new Error('No grade');
    expect(warnings([...nodes(3, 0, {}), { ...grade, privateVerdict: 'sandbox-fault' }])[0]).toContain(
      'the sandbox failed on 1 program of reader',
    );
  });

  it('verdicts depend on the reading', () => {
    const grades = [0, 1, 2].map((index) => sampleGrade('p0', index, true));
    const events = grades.map(
      (grade, i): RunEvent =>
        grade.kind === 'node-graded' && i === 1 ? { ...grade, otherVerdict: 'wrong-answer' } : grade,
    );
    expect(warnings([...nodes(3, 0, {}), ...events])).toEqual([
      'single: 1 of 3 verdicts differ between the readings "as a program" and "as published"; say which was taken when you compare with published numbers.',
    ]);
  });
});

it('runs of one configuration are told together', () => {
  const other = sampleConfig({ id: 'study.single.2', seed: 2 });
  const views = new Map(
    [config, other].map((one) => [one.id, sampleView(one, [...nodes(2, 0, {}), ...failures(1, 'server')])]),
  );
  expect(warningsOf(views)).toEqual([expect.stringContaining('single: 2 requests to reader failed')]);
});
