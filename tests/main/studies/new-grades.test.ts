import { expect, test } from 'vitest';
import { Emitter } from '../../../main/base';
import { emitNewGrades } from '../../../main/studies/new-grades';
import type { WorkbenchEvent } from '../../../preload/contract';

test('new grades are told once a table with them can be made, and not lost until then', () => {
  const study = { hasNewGrades: true, analysedAt: 0 };
  const events = new Emitter<WorkbenchEvent>();
  const told: WorkbenchEvent[] = [];
  events.on((event) => void told.push(event));
  const look = (isDue: boolean): void =>
    emitNewGrades('study-1', study, {
      deps: { now: () => 5_000 },
      events,
      results: { analysisIsDue: () => isDue },
    });
  look(false);
  expect(told).toEqual([]);
  look(true);
  expect(told).toEqual([{ kind: 'analysis-changed', studyId: 'study-1' }]);
  look(true);
  expect(told).toHaveLength(1);
});
