import { CLOCK_SCRIPT, type ClockSample, clockFinding } from '../logic/doctor/clock-skew';
import { type Examination, notExamined } from './examination';

/** The first question may have to wait for others on the connection; the quickest of some says most. */
const QUESTIONS = 3;

export const clockExamination: Examination = {
  checks: [{ id: 'clock', title: 'Clock' }],
  run: async ({ machine, clock, signal }) => {
    const samples: ClockSample[] = [];
    for (let count = 0; count < QUESTIONS; count += 1) {
      const askedMs = clock.now();
      const answer = await machine.run(CLOCK_SCRIPT, { timeoutMs: 15_000, signal });
      if (!answer.ok) return [notExamined(answer.error)];
      samples.push({ askedMs, answeredMs: clock.now(), printed: answer.value.stdout });
    }
    return [clockFinding(samples)];
  },
};
