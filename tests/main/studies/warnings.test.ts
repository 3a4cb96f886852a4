import { describe, expect, it } from 'vitest';
import { serverWaitWarnings, warningsOf } from '../../../main/studies/logic/warnings';
import type { NodeAdded, RunEvent } from '../../../preload/contract';
import { sampleConfig, sampleGrade, sampleNode, sampleView } from '../../support/sample-run';

const config = sampleConfig({ problemIds: ['p0', 'p1', 'p2', 'p3'] });

function warnings(events: readonly RunEvent[]): string[] {
  return warningsOf(new Map([[config.id, sampleView(config, events)]])).map(({ text }) => text);
}

/** This many nodes of one tree, the first `changed` of them with this change. */
function nodes(count: number, changed: number, change: Partial<NodeAdded>, problemId = 'p0'): RunEvent[] {
  return Array.from({ length: count }, (_, i) => sampleNode(problemId, i, i < changed ? change : {}));
}

function failures(
  count: number,
  reason: 'server' | 'exhausted' | 'no-refinement' | 'reward' | 'sandbox-fault' | 'grader-fault',
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

describe('there is no warning about', () => {
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

describe('a warning says how often, of which agent and what to do, when', () => {
  it.each<[string, RunEvent[], string]>([
    [
      'every call fails',
      failures(5, 'server', 'Status 401'),
      "All 5 calls of reader failed. The last error: Status 401. Pause the study and check its server's log and address.",
    ],
    [
      'some requests fail',
      [...nodes(2, 0, {}), ...failures(2, 'server', 'It did not answer.')],
      "2 requests to reader failed. The last error: It did not answer. Failed requests use no budget; check its server's log if more follow.",
    ],
    [
      'answers are empty',
      nodes(10, 2, { answerEnd: 'empty', publicVerdict: 'no-code', programDigest: null }),
      "2 of 10 answers of reader are empty. Check its server's chat template and stop words.",
    ],
    [
      'answers are cut',
      nodes(10, 5, { answerEnd: 'length' }),
      '5 of 10 answers of reader were cut off at the token limit. Raise its maximum (now 2048).',
    ],
    [
      'answers hold no program',
      nodes(10, 6, { publicVerdict: 'no-code', programDigest: null }),
      '6 of 10 answers of reader contain no program. Check its prompt format and how programs are extracted from its answers.',
    ],
    [
      'all programs of most trees are equal',
      [
        ...['p0', 'p1', 'p2'].flatMap((id) => nodes(6, 6, { programDigest: 'd' }, id)),
        ...nodes(6, 5, { programDigest: 'd' }, 'p3'),
      ],
      'In 3 of 4 trees all programs of reader are equal. Raise its temperature (now 1), or check that its server uses the seed.',
    ],
    [
      'the sandbox fails on public tests',
      [...nodes(3, 0, {}), ...failures(1, 'sandbox-fault')],
      'The sandbox failed on 1 program of reader, which are left out of the numbers. Free memory and processes, then regrade the study.',
    ],
    [
      'the reward model fails',
      [...nodes(3, 0, {}), ...failures(2, 'reward', 'Status 503')],
      'The reward model failed on 2 programs of reader. The last error: Status 503. Check its server, or search without it.',
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
      '2 problems have no answer in the recordings. Pass@N and Pass@1(MCTS) count them as not solved, Pass@1 leaves them out. Exclude them before you compare.',
    ],
    [
      'problems have no public tests',
      ['p0', 'p2'].flatMap((id) => nodes(2, 2, { publicVerdict: 'passed', publicVerdicts: [] }, id)),
      '2 problems have no public tests: every score there is 0, so nothing guides the search. Exclude them, or treat their trees as plain sampling.',
    ],
    [
      'one problem has no public tests',
      nodes(2, 2, { publicVerdict: 'passed', publicVerdicts: [] }),
      '1 problem has no public tests: every score there is 0, so nothing guides the search. Exclude it, or treat its trees as plain sampling.',
    ],
  ])('%s', (_, events, warning) => {
    expect(warnings(events)).toEqual([warning]);
  });

  it('problems without public tests are told of a search that only samples without speaking of what guides it', () => {
    const sampled = { ...config, search: { ...config.search, strategy: { kind: 'repeated' as const } } };
    const untested = nodes(2, 2, { publicVerdict: 'passed', publicVerdicts: [] });
    expect(warningsOf(new Map([[config.id, sampleView(sampled, untested)]])).map(({ text }) => text)).toEqual(
      [
        '1 problem has no public tests: every score there is 0, so the rule for ties alone chooses the answer. Exclude it, or compare by Pass@N, which needs no choice.',
      ],
    );
  });

  it('the sandbox fails on private tests', () => {
    const grade = sampleGrade('p0', 0, false);
    if (grade.kind !== 'node-graded') throw new Error('No grade');
    expect(warnings([...nodes(3, 0, {}), { ...grade, privateVerdict: 'sandbox-fault' }])[0]).toContain(
      'The sandbox failed on 1 program of reader',
    );
  });

  it('the grader itself fails, on public or private tests', () => {
    const grade = sampleGrade('p0', 0, false);
    if (grade.kind !== 'node-graded') throw new Error('No grade');
    const events: RunEvent[] = [
      ...nodes(3, 0, {}),
      ...failures(1, 'grader-fault'),
      { ...grade, privateVerdict: 'grader-fault' },
    ];
    expect(warnings(events)).toEqual([
      'The grader itself failed on 2 programs of reader, which are left out of the numbers. This is an error of the workbench: please report it with the error that such a node shows.',
    ]);
  });

  it('verdicts depend on the reading', () => {
    const grades = [0, 1, 2].map((index) => sampleGrade('p0', index, true));
    const events = grades.map(
      (grade, i): RunEvent =>
        grade.kind === 'node-graded' && i === 1 ? { ...grade, otherVerdict: 'wrong-answer' } : grade,
    );
    expect(warnings([...nodes(3, 0, {}), ...events])).toEqual([
      '1 of 3 verdicts differ between the grading modes "as a program" and "as published". State which one you used when you compare with published numbers.',
    ]);
  });
});

it('runs of one configuration are counted together', () => {
  const other = sampleConfig({ id: 'study.single.2', seed: 2 });
  const views = new Map(
    [config, other].map((one) => [one.id, sampleView(one, [...nodes(2, 0, {}), ...failures(1, 'server')])]),
  );
  expect(warningsOf(views)).toMatchObject([
    { configuration: 'single', text: expect.stringContaining('2 requests to reader failed') },
  ]);
});

it('what the Python that grades lacks is one warning of the whole study, by programs', () => {
  const other = sampleConfig({ id: 'study.team.1', configuration: 'team' });
  const lacking = { publicVerdict: 'runtime-error', missingPackage: 'numpy' } as const;
  const views = new Map([config, other].map((one) => [one.id, sampleView(one, nodes(5, 2, lacking))]));
  expect(warningsOf(views)).toMatchObject([
    {
      configuration: null,
      text: expect.stringMatching(
        /^The Python that grades has no numpy: 4 programs failed for it\. Install it /,
      ),
    },
  ]);
});

it('a warning keeps its id when its counts and the last error change, and no two agents share one', () => {
  const idsOf = (events: readonly RunEvent[]): string[] =>
    warningsOf(new Map([[config.id, sampleView(config, events)]])).map(({ id }) => id);
  const first = idsOf([...nodes(2, 0, {}), ...failures(1, 'server', 'Status 500')]);
  expect(idsOf([...nodes(3, 0, {}), ...failures(4, 'server', 'Status 429')])).toEqual(first);
  const other = failures(1, 'server').map((event) => ({ ...event, trial: 200, agentId: 'tracer' }));
  expect(new Set(idsOf([...failures(1, 'server'), ...other] as RunEvent[])).size).toBe(2);
});

const outside = (model: string, port: number) =>
  ({ kind: 'url', id: model, model, baseUrl: `http://127.0.0.1:${port}/v1`, maxInFlight: 8 }) as const;

describe('while it lasts, a warning', () => {
  it('is about the server that a study waits for, with its state', () => {
    const views = [
      { model: 'a', state: { kind: 'ready', baseUrl: '' } },
      { model: 'b', state: { kind: 'starting', stage: 'the machine does not answer' } },
      { model: 'c', state: { kind: 'failed', message: 'It ended.', hint: 'Starts again in 2 s (1 of 5).' } },
    ] as const;
    const specs = ['b', 'c', 'd'].map((model) => outside(model, 1));
    expect(serverWaitWarnings(specs, views).map(({ text }) => text)).toEqual([
      'Waiting for the server of "b": the machine does not answer. Start it again where it runs: the workbench cannot.',
      'Waiting for the server of "c": It ended. Starts again in 2 s (1 of 5).',
      'Waiting for the server of "d".',
    ]);
  });

  it('is not about another server of the same model, which somebody stopped', () => {
    const views = [
      { model: 'b', spec: outside('b', 1), state: { kind: 'stopped' } },
      {
        model: 'b',
        spec: outside('b', 2),
        state: { kind: 'starting', stage: 'has not answered; waiting for it' },
      },
    ] as const;
    const [warning] = serverWaitWarnings([outside('b', 2)], views);
    expect(warning?.text).toMatch(/has not answered; waiting for it\. Start it again/);
    const pocket = {
      kind: 'pocket',
      id: 'p',
      model: 'b',
      family: 'reader',
      checkpointSeed: 1,
      latencyMs: 0,
      maxInFlight: 8,
    } as const;
    expect(serverWaitWarnings([pocket], views.slice(0, 1))[0]?.text).toMatch(
      /stopped and is being restarted$/,
    );
  });
});

describe('a warning that every configuration has', () => {
  const other = sampleConfig({ id: 'r2', configuration: 'other', problemIds: config.problemIds });
  const untested = (of: typeof config) =>
    sampleView(of, [sampleNode('p0', 0, { publicVerdict: 'passed', publicVerdicts: [] })]);
  const both = (second: RunEvent[] | null) =>
    warningsOf(
      new Map([
        [config.id, untested(config)],
        [other.id, second === null ? untested(other) : sampleView(other, second)],
      ]),
    );

  it('is one warning about the study', () => {
    expect(both(null)).toEqual([
      {
        id: 'no-public-tests',
        configuration: null,
        text: expect.stringContaining('1 problem has no public'),
      },
    ]);
  });

  it('names its configuration where another one lacks it', () => {
    expect(both([sampleNode('p0', 0)]).map(({ configuration }) => configuration)).toEqual([
      config.configuration,
    ]);
  });
});
