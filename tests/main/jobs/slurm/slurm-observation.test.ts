import { describe, expect, test } from 'vitest';
import type { JobTraces } from '../../../../main/jobs/logic/probe-script';
import { parseAccounting, parseJobLine } from '../../../../main/jobs/logic/slurm/accounting';
import { type EndDetails, parseEndDetails } from '../../../../main/jobs/logic/slurm/end-details';
import {
  type AttemptFacts,
  formatMinutes,
  needsEndDetails,
  observe,
} from '../../../../main/jobs/logic/slurm/observation';
import { pendingReason } from '../../../../main/jobs/logic/slurm/pending-reason';
import { minutesOf, parseQueue, secondsOfUtc } from '../../../../main/jobs/logic/slurm/queue';

const row = (state: string, reason = 'None') =>
  parseQueue(`12|${state}|${reason}|node3|2026-11-21T17:28:26|2-00:00:00|name.job.1\n`)[0] ?? null;

const exit = (code: number | null): JobTraces['exit'] => ({
  code,
  endedAt: '2026-11-21T17:28:26Z',
  stage: 'command',
  full: false,
});

const running = { pid: 7, bootId: 'b', host: 'node3', isAlive: false };

/** A start that began and of which nothing more is known. */
const plain: AttemptFacts = {
  traces: { hasStarted: true, process: running, exit: null },
  exitText: '',
  row: null,
  slurmAnswers: true,
  details: null,
  reference: '12',
};

const ended = (code: number | null): Partial<AttemptFacts> => ({
  traces: { hasStarted: true, process: running, exit: exit(code) },
  exitText: 'Words of the exit file.',
});

const waiting: Partial<AttemptFacts> = { traces: { hasStarted: false, process: null, exit: null } };

const details = (line: string, log = ''): EndDetails => ({
  end: parseAccounting(line)[0] ?? null,
  cancelledBy: null,
  log,
});

describe('the state read from Slurm and the files', () => {
  test.each<[string, Partial<AttemptFacts>, object]>([
    [
      'waits',
      { ...waiting, row: row('PENDING', 'Priority') },
      { kind: 'queued', why: /other jobs have a higher priority/ },
    ],
    ['is being put on its node', { ...waiting, row: row('CONFIGURING') }, { kind: 'starting' }],
    ['runs and has not begun to write', { ...waiting, row: row('RUNNING') }, { kind: 'starting' }],
    ['runs', { row: row('RUNNING') }, { kind: 'running' }],
    ['is suspended', { row: row('SUSPENDED') }, { kind: 'running' }],
    ['began between two questions', { row: row('PENDING', 'None') }, { kind: 'running' }],
    [
      'was put back into the queue',
      {
        ...ended(143),
        row: row('PENDING', 'BeginTime'),
        details: details('12|PENDING|0:0|Unknown|None assigned'),
      },
      { kind: 'lost', why: /requeued it \(BeginTime\).*exit code 143/ },
    ],
    ['was never handed in', { ...waiting, reference: null }, { kind: 'starting' }],
    [
      'ended well while Slurm cleans up',
      { ...ended(0), row: row('COMPLETING') },
      { kind: 'exited', code: 0 },
    ],
    ['failed, and Slurm may still say why', { ...ended(143), row: row('COMPLETING') }, { kind: 'running' }],
    ['failed', { ...ended(3), row: row('FAILED') }, { kind: 'exited', code: 3, why: /Words of the exit/ }],
    ['failed and is forgotten', ended(3), { kind: 'exited', code: 3 }],
    [
      'ran out of time',
      { ...ended(143), row: row('TIMEOUT') },
      { kind: 'exited', code: 143, why: /time limit of 2 days/ },
    ],
    ['ran out of time without a word', { row: row('TIMEOUT') }, { kind: 'exited', code: null }],
    [
      'ran out of memory',
      { ...ended(137), row: row('OUT_OF_MEMORY') },
      { kind: 'exited', why: /memory.*on node3.*--mem/ },
    ],
    [
      'was preempted',
      { ...ended(143), row: row('PREEMPTED') },
      { kind: 'lost', why: /preempted.*exit code 143/ },
    ],
    ['lost its node', { row: row('NODE_FAIL') }, { kind: 'lost', why: /Its node failed. It ran on node3/ }],
    ['missed its deadline', { ...waiting, row: row('DEADLINE') }, { kind: 'exited', why: /deadline/ }],
    [
      'was cancelled',
      { ...ended(143), row: row('CANCELLED') },
      { kind: 'exited', code: 143, why: /cancelled in Slurm\./ },
    ],
    [
      'was cancelled early',
      { ...waiting, row: row('CANCELLED') },
      { kind: 'exited', code: null, why: /before it started/ },
    ],
    [
      'left an exit code while Slurm is away',
      { ...ended(1), slurmAnswers: false },
      { kind: 'exited', code: 1 },
    ],
    ['ran when Slurm went away', { slurmAnswers: false }, { kind: 'unknown', why: /does not answer/ }],
    ['is forgotten without an exit code', {}, { kind: 'lost', why: /no longer knows.*It ran on node3/ }],
    [
      'is in the books',
      { details: details('12|TIMEOUT|0:15|2026-11-21T17:28:26|node3') },
      { kind: 'exited', why: /exceeded its time limit, and/ },
    ],
    [
      'could write no exit code',
      { details: details('12|FAILED|9:0|2026-11-21T17:28:26|node3', 'No space left on device\n') },
      { kind: 'exited', code: 9, why: /reported by Slurm.*No space left/ },
    ],
    [
      'was begun a second time',
      { row: row('FAILED'), details: details('12|FAILED|75:0|2026-11-21T17:28:26|node3') },
      { kind: 'lost', why: /started it a second time/ },
    ],
    [
      'does not see its folder',
      {
        ...waiting,
        row: row('FAILED', 'NonZeroExitCode'),
        details: details('12|FAILED|125:0|2026-11-21T17:28:26|node3', "node3 cannot see the job's folder\n"),
      },
      { kind: 'lost', why: /could not start on node3; Slurm says FAILED.*cannot see/ },
    ],
    [
      'is told by its log alone',
      {
        ...ended(143),
        details: {
          end: null,
          cancelledBy: null,
          log: 'slurmstepd-n: error: *** JOB 12 ON n CANCELLED AT 2026-11-21T17:29:31 DUE TO TIME LIMIT ***\n',
        },
      },
      { kind: 'exited', code: 143, why: /exceeded its time limit/ },
    ],
  ])('a job that %s', (_, facts, meant) => {
    const expected = Object.fromEntries(
      Object.entries(meant).map(([key, value]) => [
        key,
        value instanceof RegExp ? expect.stringMatching(value) : value,
      ]),
    );
    expect(observe({ ...plain, ...facts })).toMatchObject(expected);
  });

  test('the longer question is asked where its answer can matter, and not for what lives', () => {
    const needs = (facts: Partial<AttemptFacts>) => needsEndDetails({ ...plain, ...facts });
    expect(needs({ row: row('RUNNING') })).toBe(false);
    expect(needs({ ...waiting, row: row('PENDING') })).toBe(false);
    expect(needs({ row: row('PENDING') })).toBe(true);
    expect(needs({ ...ended(0), row: row('COMPLETED') })).toBe(false);
    expect(needs({ ...ended(3), row: null })).toBe(false);
    expect(needs({ ...ended(143), row: null })).toBe(true);
    expect(needs({ row: row('FAILED') })).toBe(true);
    expect(needs({ ...ended(143), row: row('CANCELLED') })).toBe(true);
    expect(needs({ slurmAnswers: false })).toBe(false);
    expect(needs({ reference: null })).toBe(false);
  });
});

test('rows of the queue are read, names with separators too, and warnings are not', () => {
  expect(
    parseQueue(
      'squeue: warning: something | odd\n7_1|RUNNING|None|node1|2026-11-23T18:03:27|30:00|a|b\n8|PENDING|Resources|n/a|N/A|UNLIMITED|c\n',
    ),
  ).toEqual([
    {
      id: '7_1',
      state: 'RUNNING',
      reason: 'None',
      node: 'node1',
      endedAtS: null,
      limitMinutes: 30,
      name: 'a|b',
    },
    {
      id: '8',
      state: 'PENDING',
      reason: 'Resources',
      node: null,
      endedAtS: null,
      limitMinutes: null,
      name: 'c',
    },
  ]);
});

// Written by hand in the form of sacct(1): no accounting runs here.
test('the accounting is read: who cancelled, how it ended, which lines are no rows', () => {
  expect(
    parseAccounting(
      '12|CANCELLED by 1000|0:15|2026-11-21T17:28:26|node3\n12.batch|CANCELLED|0:15|2026-11-21T17:28:26|node3\n13_4|OUT_OF_ME+|0:125|Unknown|None assigned\nsacct: error: something\n',
    ),
  ).toEqual([
    {
      id: '12',
      state: 'CANCELLED',
      cancelledBy: '1000',
      exitCode: 0,
      signal: 15,
      endedAtS: 1_795_282_106,
      node: 'node3',
    },
    {
      id: '13_4',
      state: 'OUT_OF_ME',
      cancelledBy: null,
      exitCode: 0,
      signal: 125,
      endedAtS: null,
      node: null,
    },
  ]);
});

test('the memory of slurmctld is read, of elements of arrays by the number people use', () => {
  const line = (ids: string) =>
    `${ids} JobName=x UserId=root(0) JobState=FAILED Reason=NonZeroExitCode Dependency=(null) ExitCode=3:0 EndTime=2026-11-21T18:00:45 NodeList=node1 BatchHost=node1 Command=(null)`;
  expect(parseJobLine(line('JobId=4'))).toEqual({
    id: '4',
    state: 'FAILED',
    cancelledBy: null,
    exitCode: 3,
    signal: 0,
    endedAtS: secondsOfUtc('2026-11-21T18:00:45'),
    node: 'node1',
  });
  expect(parseJobLine(line('JobId=9 ArrayJobId=7 ArrayTaskId=2'))?.id).toBe('7_2');
  expect(parseJobLine('slurm_load_jobs error: Invalid job id specified')).toBe(null);
});

test('the detailed probe reports each job, with any text in its log', () => {
  const text = `@job 12
@log
 @job 13
 @accounting
 forged

@job 13
JobId=13 JobState=NODE_FAIL ExitCode=1:0 EndTime=2026-11-21T18:00:45 NodeList=node1
@log

@accounting
12|CANCELLED by 1000|0:15|2026-11-21T17:28:26|node3
@users
1000 ada
`;
  const [first, second, third] = parseEndDetails(text, ['12', '13', '14']);
  expect(first).toMatchObject({
    cancelledBy: 'ada',
    end: { state: 'CANCELLED' },
    log: '@job 13\n@accounting\nforged',
  });
  expect(second).toMatchObject({ end: { state: 'NODE_FAIL' } });
  expect(third).toEqual({ end: null, cancelledBy: null, log: '' });
});

test('times are read', () => {
  expect(secondsOfUtc('1970-01-01T00:00:00')).toBe(0);
  expect(secondsOfUtc('2024-02-29T12:00:00')).toBe(Date.UTC(2024, 1, 29, 12) / 1_000);
  expect(secondsOfUtc('N/A')).toBe(null);
  expect(['2-00:00:00', '01:30:00', '10:00', 'UNLIMITED', ''].map(minutesOf)).toEqual([
    2_880,
    90,
    10,
    null,
    null,
  ]);
  expect([1, 60, 90, 1_440, 10_080].map(formatMinutes)).toEqual(['1 min', '1 h', '90 min', '24 h', '7 days']);
});

test.each([
  ['Resources', 'all suitable resources are in use (Resources)'],
  [
    'ReqNodeNotAvail, UnavailableNodes:node[1-4]',
    'down or reserved, for example for maintenance (ReqNodeNotAvail, ',
  ],
  ['QOSMaxJobsPerUserLimit', 'the limit of its quality of service on jobs at the same time is reached'],
  ['QOSMaxGRESPerUser', 'the limit of its quality of service on GPUs is reached'],
  ['AssocGrpGRES', 'all users of your account together have reached its limit on GPUs'],
  ['AssocGrpCPURunMinutesLimit', 'limit on computing time'],
  ['AssocMaxJobsLimit', 'the limit of your account on jobs at the same time'],
  ['(launch failed requeued held)', '(launch failed requeued held)'],
  ['SomethingNew', "It waits in Slurm's queue: SomethingNew."],
])('the reason %s is explained', (reason, words) => {
  expect(pendingReason(reason)).toContain(words);
});
