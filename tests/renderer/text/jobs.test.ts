import { describe, expect, it } from 'vitest';
import type { JobState } from '../../../preload/contract';
import { explainJob, jobStatus, ranMs, stalledSince } from '../../../renderer/text/jobs';
import { sampleJob } from '../../support/sample-jobs';

const at = '2026-01-05T09:00:00.000Z';
const now = Date.parse('2026-01-05T10:00:00.000Z');
const explained = (state: JobState) => explainJob(sampleJob({ state }), 'gpu1')?.message ?? null;

describe('the status of a job', () => {
  it.each<[string, string, JobState]>([
    ['Queued', 'quiet', { kind: 'queued', why: '' }],
    ['Running', 'active', { kind: 'running', pid: 1 }],
    ['Done', 'good', { kind: 'exited', code: 0, endedAt: at }],
    ['Failed', 'bad', { kind: 'exited', code: 3, endedAt: at }],
    ['Killed', 'bad', { kind: 'exited', code: null, endedAt: at }],
    ['Lost', 'bad', { kind: 'lost', why: '' }],
    ['Unknown', 'unsure', { kind: 'unknown', since: at, last: 'running' }],
  ])('is %s, %s', (text, tone, state) => {
    expect(jobStatus({ state, timeline: [] })).toEqual({ text, tone });
  });

  it('of an unreachable machine says that it is unknown, and what is certain', () => {
    const explanation = explained({ kind: 'unknown', since: at, last: 'running' });
    expect(explanation).toContain('the state of the job is unknown');
    expect(explanation).toContain('Nothing is lost');
    expect(explanation).not.toMatch(/fail/i);
  });

  it('that a person has stopped has not failed, until it is started again', () => {
    const moment = (what: string) => ({ at, what, why: '' });
    const state = { kind: 'exited', code: 143, endedAt: at } as const;
    const stopped = { state, timeline: [moment('starting'), moment('stopping'), moment('exited')] };
    expect(jobStatus(stopped)).toEqual({ text: 'Stopped', tone: 'quiet' });
    expect(explainJob(sampleJob(stopped), 'gpu1')).toBeNull();
    const again = [...stopped.timeline, moment('starting'), moment('exited')];
    expect(jobStatus({ state, timeline: again }).text).toBe('Failed');
  });

  it('explains exit codes that say more than their number', () => {
    expect(explained({ kind: 'exited', code: 137, endedAt: at })).toContain('memory ran out');
    expect(explained({ kind: 'exited', code: 127, endedAt: at })).toContain('not found');
    expect(explained({ kind: 'exited', code: 135, endedAt: at })).toContain('signal 7');
  });

  it('needs no explanation where it is plain', () => {
    expect(explained({ kind: 'running', pid: 1 })).toBeNull();
    expect(explained({ kind: 'exited', code: 0, endedAt: at })).toBeNull();
  });
});

describe('a silent job', () => {
  const silent = sampleJob({ state: { kind: 'running', pid: 1 }, lastOutputAt: at, startedAt: at });

  it('is stalled after the user’s limit, and never without one', () => {
    expect(stalledSince(silent, 30, now)).toBe(at);
    expect(stalledSince(silent, 61, now)).toBeNull();
    expect(stalledSince(silent, null, now)).toBeNull();
  });

  it('is not stalled once it has ended', () => {
    const state = { kind: 'exited', code: 0, endedAt: at } as const;
    expect(stalledSince({ ...silent, state }, 1, now)).toBeNull();
  });
});

it('a job’s time runs until its end', () => {
  expect(ranMs(sampleJob({ startedAt: at, endedAt: null }), now)).toBe(3_600_000);
  expect(ranMs(sampleJob({ startedAt: at, endedAt: '2026-01-05T09:10:00.000Z' }), now)).toBe(600_000);
  expect(ranMs(sampleJob({ startedAt: null }), now)).toBeNull();
  const unknown = { kind: 'unknown', since: '2026-01-05T09:20:00.000Z', last: 'running' } as const;
  expect(ranMs(sampleJob({ startedAt: at, state: unknown }), now)).toBe(1_200_000);
});
