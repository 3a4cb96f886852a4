import { spawn } from 'node:child_process';
import { afterEach, describe, expect, test } from 'vitest';
import { type CalibrationRecord, openSandboxGrader } from '../../../main/grading';
import { asRunner, type Launcher } from '../../../main/grading/launcher';
import { type ConfigurableGrader, createGrader } from '../../../main/grading/sandbox-grader';
import { grade, PATIENT_POLL, RESOURCES } from './sandbox';

/** A runner that runs nothing: it says of every test that it wrote what OUTPUT holds. */
const LIAR = `
import os, struct, sys
request, report = struct.Struct("<BBHiQddQQ"), struct.Struct("<BBhIIIIdd")
output = os.environ["OUTPUT"].encode()
def take(count):
    data = b""
    while len(data) < count:
        piece = os.read(0, count - len(data))
        if not piece: sys.exit()
        data += piece
    return data
os.write(1, report.pack(1, 0, 0, 0, 0, 0, 0, 0, 0))
while True:
    kind, _, _, _, size, *_ = request.unpack(take(request.size))
    take(size)
    if kind in (2, 3, 5, 6): os.write(1, report.pack(2, 0, 0, 0, len(output), 0, 0, 1, 1) + output)
`;

function liar(output: string): Launcher {
  return {
    kind: 'shared',
    choice: { path: '/test', reason: '' },
    python: '3.11.2',
    packages: [],
    launch: async () => {
      const child = spawn('/usr/bin/python3', ['-c', LIAR], { env: { OUTPUT: output }, stdio: 'pipe' });
      const stop = () => void child.kill('SIGKILL');
      return {
        process: asRunner(child),
        processBase: -1,
        isReadyEachTime: false,
        stop,
        cleanUp: async () => undefined,
      };
    },
    dispose: async () => undefined,
  };
}

let opened: { dispose: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const grader of opened) await grader.dispose();
  opened = [];
});
function over(output: string): ConfigurableGrader {
  const grader = createGrader(liar(output), 1, { sharesProcesses: false });
  opened.push(grader);
  return grader;
}

const one = (expected: string) => ({ tests: [{ kind: 'stdin', input: '', expected } as const] });

describe('the self-check', () => {
  test('that comes out wrong turns every grade into a sandbox fault with a message', async () => {
    const grader = over('nothing');
    expect(await grader.selfCheck()).toMatchObject({ kind: 'broken' });
    const { verdict, results } = await grade(grader, { program: 'print(1)', ...one('nothing') });
    expect(verdict).toBe('sandbox-fault');
    expect(results[0]?.error).toBe(
      'The grader does not work: a correct program got the verdict wrong-answer.',
    );
  });

  test('that should fail and passes is heard as well', async () => {
    const grader = over('12');
    await grader.selfCheck();
    expect(grader.health()).toEqual({
      kind: 'broken',
      message: 'The grader does not work: a wrong program got the verdict passed.',
    });
  });

  test('is heard again after 500 grades, beside the work', async () => {
    const grader = over('12');
    const all = Array.from({ length: 499 }, (_, i) => grade(grader, { program: `#${i}`, ...one('12') }));
    await Promise.all(all);
    expect(grader.health().kind).toBe('good');
    await grade(grader, { program: '#499', ...one('12') });
    await expect.poll(() => grader.health().kind, PATIENT_POLL).toBe('broken');
  });

  test('counts in no statistics', async () => {
    const grader = over('12');
    await grader.selfCheck();
    expect(grader.statistics()).toEqual({ queued: 0, running: 0, graded: 0, together: 0, faults: 0 });
  });
});

describe('opening a grader', () => {
  const options = { resourcesDir: RESOURCES, allowUnsandboxed: false, concurrency: 1 };

  async function open(stored: CalibrationRecord | null) {
    const saved: CalibrationRecord[] = [];
    const read = async () => saved.at(-1) ?? stored;
    const write = async (record: CalibrationRecord) => void saved.push(record);
    const result = await openSandboxGrader({ ...options, calibration: { read, write } });
    if (!result.ok) throw new Error(result.error.message);
    opened.push(result.value);
    return { grader: result.value, kept: saved };
  }

  test('hears the canaries and measures the machine, at least factor 1, and keeps it', async () => {
    const { grader, kept } = await open(null);
    expect(grader.health()).toEqual({ kind: 'good' });
    expect(grader.cpuFactor).toBeGreaterThanOrEqual(1);
    expect(kept).toEqual([{ python: grader.python, cpuFactor: grader.cpuFactor }]);
  });

  test('takes the factor that is kept, and stretches limits of time by it', async () => {
    const { grader: first } = await open(null);
    const { grader, kept } = await open({ python: first.python, cpuFactor: 3 });
    expect([grader.cpuFactor, kept]).toEqual([3, []]);
    const limits = {
      cpuSeconds: 0.1,
      wallSeconds: 9,
      memoryBytes: 2 ** 29,
      processes: 4,
      outputBytes: 9_999,
    };
    const { results } = await grade(grader, { program: 'while True: pass', ...one(''), limits });
    expect(results[0]?.verdict).toBe('time-limit');
    expect(results[0]?.cpuMs).toBeGreaterThan(290);
  });

  test('measures again for another Python', async () => {
    const { grader, kept } = await open({ python: '3.0.0', cpuFactor: 9 });
    expect(kept).toEqual([{ python: grader.python, cpuFactor: grader.cpuFactor }]);
  });
});
