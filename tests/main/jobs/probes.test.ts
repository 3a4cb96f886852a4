import { describe, expect, test } from 'vitest';
import { applyProbe, type ProbeTimes, type RecordUpdate } from '../../../main/jobs/logic/apply-probe';
import type { ExitFile } from '../../../main/jobs/logic/job-files';
import {
  type JobRecord,
  newRecord,
  withTimelineEntry,
  withUnknownState,
} from '../../../main/jobs/logic/job-record';
import { jobSpecSchema } from '../../../main/jobs/logic/job-spec';
import type { Observation } from '../../../main/jobs/logic/observation';
import { probeInterval } from '../../../main/jobs/logic/probe-interval';
import { type JobTraces, parseProbe } from '../../../main/jobs/logic/probe-script';
import { resolveState } from '../../../main/jobs/resolve-state';

const nowMs = Date.parse('2026-01-02T12:00:00.000Z');
const times: ProbeTimes = {
  at: new Date(nowMs).toISOString(),
  later: (ms) => new Date(nowMs + ms).toISOString(),
  ageMs: (iso) => nowMs - Date.parse(iso),
  stalledMinutes: 30,
};

describe('the traces of a job', () => {
  const observer = { nowSeconds: nowMs / 1_000, bootId: 'boot', host: 'lab1', isAlwaysThisHost: false };
  const process = { pid: 41, bootId: 'boot', host: 'lab1', isAlive: true };
  const traces = (change: Partial<JobTraces>): JobTraces => ({
    hasStarted: true,
    process,
    exit: null,
    members: [],
    freeKib: null,
    idleGpus: [],
    log: null,
    ...change,
  });
  const exit = (change: Partial<ExitFile>): ExitFile => ({
    code: 0,
    endedAt: '2026-01-02T11:59:50Z',
    stage: 'command',
    full: false,
    ...change,
  });
  const seen = (change: Partial<JobTraces>, machine = observer, waitedForProcess = false): Observation =>
    resolveState(traces(change), machine, { nowMs, waitedForProcess });

  test.each<[string, Observation, Observation]>([
    ['a living process runs', seen({}), { kind: 'running', pid: 41 }],
    ['no folder of the attempt: it starts', seen({ hasStarted: false, process: null }), { kind: 'starting' }],
    [
      'a folder that stays away is gone',
      seen({ hasStarted: false, process: null }, observer, true),
      {
        kind: 'lost',
        why: 'Its folder on the machine is gone, so its state is unknown. Stop it to end any remaining processes.',
      },
    ],
    ['no process yet: it starts', seen({ process: null }), { kind: 'starting' }],
    [
      'a wrapper that never named its process is lost',
      seen({ process: null, freeKib: 0 }, observer, true),
      { kind: 'lost', why: 'It ended before it could write its process id: the disk there is full.' },
    ],
    [
      'its wrapper was killed and its command goes on: it runs',
      seen({ process: { ...process, isAlive: false }, members: [43, 44] }),
      { kind: 'running', pid: 43 },
    ],
    [
      'nothing is left and nobody wrote a code: lost',
      seen({ process: { ...process, isAlive: false } }),
      {
        kind: 'lost',
        why: 'It was killed together with its wrapper, so no exit code was written.',
      },
    ],
    [
      'an earlier boot of the same host: lost',
      seen({ process: { ...process, bootId: 'before' } }),
      { kind: 'lost', why: 'The machine was restarted since.' },
    ],
    [
      'another host with the same home folder can not tell',
      seen({ process: { ...process, bootId: 'before', host: 'lab2' } }),
      {
        kind: 'unknown',
        why: 'It was started on lab2, but now lab1 answers, which cannot see it.',
      },
    ],
    [
      'a signal is named',
      seen({ exit: exit({ code: 137 }) }),
      {
        kind: 'exited',
        code: 137,
        endedAt: '2026-01-02T11:59:50.000Z',
        why: 'It was killed (signal 9), often because the machine ran out of memory.',
      },
    ],
    [
      'a set-up that failed is named as such',
      seen({ exit: exit({ code: 1, stage: 'set-up' }) }),
      {
        kind: 'exited',
        code: 1,
        endedAt: '2026-01-02T11:59:50.000Z',
        why: 'The set-up ended with exit code 1; the command was not started. See the set-up log.',
      },
    ],
    [
      'times of a clock that is an hour ahead are told by this one',
      seen(
        { exit: exit({ endedAt: '2026-01-02T12:59:50Z' }) },
        { ...observer, nowSeconds: nowMs / 1_000 + 3_600 },
      ),
      { kind: 'exited', code: 0, endedAt: '2026-01-02T11:59:50.000Z', why: '' },
    ],
  ])('%s', (_, observation, expected) => {
    expect(observation).toEqual(expected);
  });

  test('are not read from what is cut off or of other jobs', () => {
    const whole = 'now 1\nboot b\nhost h\njob\nbegun\nprocess 41 b h\nalive\nend\nlog 5 1 /a/output.log\n';
    expect(parseProbe(whole, ['/a'])?.jobs[0]?.log).toEqual({ bytes: 5, changedSeconds: 1, leftOut: null });
    const limited = whole.replace('\nalive', '\nalive\nleft-out 20 90 7 100 freed   ');
    const leftOut = { from: 20, to: 90, lines: 7, limitBytes: 100, isCut: false };
    expect(parseProbe(limited, ['/a'])?.jobs[0]?.log?.leftOut).toEqual(leftOut);
    expect(parseProbe(whole.slice(0, 40), ['/a'])).toBeNull();
    expect(parseProbe(whole, ['/a', '/b'])).toBeNull();
  });
});

describe('a record', () => {
  const spec = (retry: { lost: number; failed: number }) =>
    jobSpecSchema.parse({
      machineId: 'lab',
      name: 'job',
      purpose: 'command',
      command: { kind: 'line', line: 'true' },
      retry,
    });
  const started = (change: Partial<JobRecord> = {}, retry = { lost: 0, failed: 0 }): JobRecord => ({
    ...newRecord({ id: 'j', spec: spec(retry), createdAt: '2026-01-02T11:00:00.000Z' }),
    phase: 'started',
    state: { kind: 'running', pid: 41 },
    attempt: 1,
    attempts: 1,
    startedAt: '2026-01-02T11:00:00.000Z',
    ...change,
  });
  const exited = (code: number | null): Observation => ({ kind: 'exited', code, endedAt: times.at, why: '' });
  const after = (record: JobRecord, observation: Observation): RecordUpdate =>
    applyProbe(record, { observation, log: null }, times);

  test.each<[string, RecordUpdate['notice'], RecordUpdate]>([
    ['exit code 0', 'done', after(started(), exited(0))],
    ['another one', 'failed', after(started(), exited(3))],
    ['no code', 'failed', after(started(), exited(null))],
    ['gone', 'failed', after(started(), { kind: 'lost', why: 'x' })],
    ['what a person stopped', null, after(started({ stopGraceMs: 0 }), exited(143))],
    ['a retry to come', null, after(started({}, { lost: 0, failed: 1 }), exited(3))],
    [
      'the last retry',
      'failed',
      after(started({ retried: { lost: 0, failed: 1 } }, { lost: 0, failed: 1 }), exited(3)),
    ],
  ])('recognises an end by %s: %s', (_, notice, result) => {
    expect(result.notice).toBe(notice);
  });

  test('waits longer before each retry, and counts each cause separately', () => {
    const record = started({ retried: { lost: 0, failed: 3 } }, { lost: 5, failed: 5 });
    expect(after(record, exited(1)).record).toMatchObject({
      phase: 'waiting',
      state: { kind: 'queued', why: 'starts again in 40 s (retry 4 of 5)' },
      notBefore: '2026-01-02T12:00:40.000Z',
      retried: { lost: 0, failed: 4 },
    });
    expect(after(record, { kind: 'lost', why: '' }).record.notBefore).toBe('2026-01-02T12:00:05.000Z');
  });

  test('counts a kill that its wrapper survived as lost, where such retries are allowed', () => {
    const both = after(started({}, { lost: 1, failed: 1 }), exited(137)).record;
    expect(both.retried).toEqual({ lost: 1, failed: 0 });
    expect(after(started({}, { lost: 0, failed: 1 }), exited(137)).record.retried.failed).toBe(1);
    const last = started({ retried: { lost: 1, failed: 0 } }, { lost: 1, failed: 1 });
    expect(after(last, exited(137)).record.phase).toBe('ended');
  });

  test('sums how long the attempts before its retries ran', () => {
    const first = after(started({}, { lost: 2, failed: 0 }), exited(null)).record;
    expect(first.retriedSeconds).toBe(3_600);
    const second = { ...first, phase: 'started', startedAt: '2026-01-02T11:59:50.000Z' } as const;
    expect(after(second, exited(null)).record.retriedSeconds).toBe(3_610);
  });

  test('never ends before it began, although machines report whole seconds', () => {
    const record = started({ startedAt: '2026-01-02T12:00:00.900Z' });
    const end: Observation = { kind: 'exited', code: 0, endedAt: '2026-01-02T12:00:00.000Z', why: '' };
    expect(after(record, end).record).toMatchObject({
      endedAt: '2026-01-02T12:00:00.900Z',
      state: { endedAt: '2026-01-02T12:00:00.900Z' },
    });
  });

  test('does not retry what a person stopped', () => {
    const record = started({ stopGraceMs: 0 }, { lost: 5, failed: 5 });
    expect(after(record, exited(1)).record.phase).toBe('ended');
  });

  test('of a running job is reported as silent only after the limit', () => {
    const lastOutputAt = (minutes: number) => new Date(nowMs - minutes * 60_000).toISOString();
    const running: Observation = { kind: 'running', pid: 41 };
    expect(after(started({ lastOutputAt: lastOutputAt(29) }), running).notice).toBeNull();
    expect(after(started({ lastOutputAt: lastOutputAt(31) }), running).notice).toBe('stalled');
  });

  test('reports a log that grows past 10 GB, once', () => {
    const running: Observation = { kind: 'running', pid: 41 };
    const probe = (record: JobRecord, bytes: number) =>
      applyProbe(
        record,
        { observation: running, log: { bytes, lastOutputAt: times.at, leftOut: null } },
        times,
      ).record;
    const grown = probe(probe(probe(started(), 9e9), 11e9), 12e9);
    const notice = grown.timeline.filter(({ what }) => what === 'large log');
    expect(notice.map(({ why }) => why)).toEqual([expect.stringContaining('exceeded 10 GB')]);
  });

  test('keeps the first and the last lines of a timeline of a connection that flaps for days', () => {
    let record = withTimelineEntry(started(), { at: times.at, what: 'starting', why: '' });
    for (let count = 0; count < 1_000; count++) {
      record = withUnknownState(record, times.at, `cut ${count}`);
      record = after(record, { kind: 'running', pid: 41 }).record;
    }
    expect(record.timeline).toHaveLength(200);
    expect(record.timeline[0]?.what).toBe('starting');
    expect(record.timeline.at(-2)?.why).toBe('cut 999');
  });
});

describe('the next probe', () => {
  const jobs = (phase: JobRecord['phase'], ageMs = 3_600_000) => [{ phase, ageMs }];
  const reasons = { isLocal: false, isReachable: true, interestAgeMs: null };
  test.each([
    ['never where all has ended', probeInterval({ ...reasons, jobs: jobs('ended') }), null],
    [
      'soon while somebody looks',
      probeInterval({ ...reasons, interestAgeMs: 1_000, jobs: jobs('started') }),
      2_000,
    ],
    ['soon after a start', probeInterval({ ...reasons, jobs: jobs('started', 1_000) }), 3_000],
    [
      'soon while one waits for the end of another',
      probeInterval({ ...reasons, jobs: [...jobs('started'), ...jobs('waiting')] }),
      2_000,
    ],
    ['seldom otherwise', probeInterval({ ...reasons, jobs: jobs('started') }), 15_000],
    ['seldom where all wait for others', probeInterval({ ...reasons, jobs: jobs('waiting') }), 15_000],
    [
      'rarely where nobody answers',
      probeInterval({ ...reasons, isReachable: false, jobs: jobs('started') }),
      60_000,
    ],
  ])('comes %s', (_, wait, expected) => {
    expect(wait).toBe(expected);
  });
});
