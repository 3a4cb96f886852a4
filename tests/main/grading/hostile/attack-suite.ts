import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Grader } from '../../../../main/grading';
import { sandboxProcesses } from '../process-table';
import { grade, LIMITS, openGrader, PATIENT_POLL, SOON_OVER } from '../sandbox';
import { ATTACKS, MARK } from './attacks';

/** Right only where nothing of an earlier program is left: no file, no process, no socket, no changed module. */
const GOOD = `
import os
files = os.listdir("/tmp") + os.listdir("/dev/shm")
processes = [name for name in os.listdir("/proc") if name.isdigit() and name not in ("1", str(os.getpid()))]
sockets = [line for line in open("/proc/net/unix") if "@" in line]
open("/tmp/mine", "w").write("x"); os.unlink("/tmp/mine")
print(sum(map(int, input().split())), files, processes, sockets, len("contained"))`;
const RIGHT = { kind: 'stdin', input: '3 4\n', expected: '7 [] [] [] 9\n' } as const;
const CONTAINED = { kind: 'stdin', input: '', expected: 'contained\n' } as const;
/** After which the grader ends a process that nobody asks (runner-pool.ts). */
const IDLE_MS = 10_000;
const FOLDERS = ['/', '/tmp', '/dev/shm', '/var/tmp', '/usr', homedir(), process.cwd()];

/** Every attack gets its verdict and leaves nothing, and the next candidate is graded right by the same grader. */
export function attackSuite(): void {
  let grader: Grader;
  let idleProcesses = 0;
  let number = 0;
  const gradeGood = () => {
    number += 1;
    return grade(grader, { program: `${GOOD}  # ${number}`, tests: [RIGHT] });
  };

  beforeAll(async () => {
    grader = await openGrader(1, 'shared');
    // One that may share a process and one that may not: from now on no attack starts anything that stays. On a busy machine
    // the first one's process may have idled to its end before the second one's is there: then they are graded again.
    let startMs = 0;
    do {
      startMs = performance.now();
      const contained = { program: `print("contained")  # ${number}`, tests: [CONTAINED] };
      expect((await grade(grader, contained)).verdict).toBe('passed');
      expect((await gradeGood()).verdict).toBe('passed');
    } while (performance.now() - startMs > IDLE_MS / 2);
    idleProcesses = sandboxProcesses().length;
    expect(idleProcesses).toBeGreaterThan(0);
  });
  afterAll(() => grader.dispose());

  test.each(ATTACKS)('$name: $verdict, and nothing is left', async (attack) => {
    const { program, verdict, tests = [CONTAINED] } = attack;
    const limits = attack.limits ?? (verdict === 'time-limit' ? SOON_OVER : LIMITS);
    const graded = await grade(grader, { program, tests, limits, entryPoint: 'f' });
    const [result] = graded.results;
    const seen = verdict === 'passed' ? { actual: result?.actual, error: result?.error } : {};
    const right = verdict === 'passed' ? { actual: 'contained\n', error: null } : {};
    expect({ verdict: graded.verdict, ...seen }).toEqual({ verdict, ...right });
    const next = await gradeGood();
    expect([next.verdict, next.results[0]?.actual]).toEqual(['passed', RIGHT.expected]);
    expect(FOLDERS.filter((folder) => existsSync(join(folder, MARK)))).toEqual([]);
    await expect.poll(() => sandboxProcesses().length, PATIENT_POLL).toBeLessThanOrEqual(idleProcesses);
    expect(grader.statistics().faults).toBe(0);
  });
}
