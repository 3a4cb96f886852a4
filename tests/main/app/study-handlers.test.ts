import { expect, test } from 'vitest';
import { problemOf } from '../../../main/app/handlers/study-handlers';
import { mars2Search, recordedServer, singleTeam } from '../../../preload/contract/plans';
import { sampleBenchmark, sampleRecording } from '../../support/sample-records';

test('where a recording is not there, those of the benchmark are named', () => {
  const benchmark = sampleBenchmark({ id: 'b', name: 'B' });
  const configurations = [{ configuration: 'alone', team: singleTeam(recordedServer('nope')) }];
  const recordings = [
    sampleRecording({ id: 'first', benchmarkId: 'b' }),
    sampleRecording({ id: 'other', benchmarkId: 'c' }),
  ];
  const request = { configurations, search: mars2Search({ nodes: 1, samplesPerAgent: 1 }) };
  expect(problemOf(request, benchmark, recordings)).toEqual({
    code: 'not-found',
    message: 'There is no recording "nope" in the library.',
    hint: 'For B there are: first.',
  });
  expect(problemOf(request, benchmark, [])?.hint).toBe('There is none for B: import one.');
});
