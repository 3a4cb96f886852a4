import type { GradeRequest } from './grader';

/** How slow this computer is. The code that opens the grader stores it, once per machine. */
export type CalibrationRecord = {
  /** Version of the Python that was measured; another version is measured again. */
  readonly python: string;
  /** CPU time here relative to the computer that the benchmarks' limits were chosen on, at least 1. */
  readonly cpuFactor: number;
};

export type Calibration = {
  readonly read: () => Promise<CalibrationRecord | null>;
  readonly write: (record: CalibrationRecord) => Promise<void>;
};

/** CPU time of the workload, its fork included, with Python 3.11 on one core of an AMD EPYC at 2.6 GHz. */
const REFERENCE_MS = 20;
/** Ratios up to this are noise and count as 1. Larger ones are rounded to quarters. */
const NOISE = 1.25;
/** Other programs can only add CPU time, so the minimum of several runs is taken. */
const RUNS = 5;

/** Typical work of candidates: integers, lists, dicts, strings and calls. */
const WORKLOAD = `
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps
sieve = [True] * 40000
for i in range(2, 200):
    if sieve[i]:
        for j in range(i * i, 40000, i):
            sieve[j] = False
words = {}
for i in range(30000):
    key = str(i * 7919 % 1000)
    words[key] = words.get(key, 0) + 1
print(sum(sieve), max(map(collatz, range(1, 2500))), len(words), len(sorted(range(40000), key=lambda x: -x)))
`;

const REQUEST: GradeRequest = {
  program: WORKLOAD,
  entryPoint: null,
  tests: [{ kind: 'stdin', input: '', expected: '' }],
  limits: {
    cpuSeconds: 60,
    wallSeconds: 120,
    memoryBytes: 512 * 1024 * 1024,
    processes: 4,
    outputBytes: 10_000,
  },
  stopAtFirstFailure: false,
};

/** Runs one program and returns its CPU time in milliseconds; null when it could not be run. */
export type MeasureCpu = (request: GradeRequest) => Promise<number | null>;

/** The stored factor of this machine, or else a measured one, which is then stored. 1 if nothing could be measured. */
export async function cpuFactorOf(
  calibration: Calibration | undefined,
  python: string,
  measure: MeasureCpu,
): Promise<number> {
  const stored = await calibration?.read();
  if (stored?.python === python) return stored.cpuFactor;
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    const cpuMs = await measure(REQUEST);
    if (cpuMs === null) return 1;
    least = Math.min(least, cpuMs);
  }
  const ratio = least / REFERENCE_MS;
  const cpuFactor = ratio <= NOISE ? 1 : Math.round(ratio * 4) / 4;
  await calibration?.write({ python, cpuFactor });
  return cpuFactor;
}

/** The request with its time limits scaled for this computer. */
export function withScaledLimits(request: GradeRequest, cpuFactor: number): GradeRequest {
  if (cpuFactor === 1) return request;
  const { limits } = request;
  const longer = (seconds: number) => Math.round(seconds * cpuFactor * 1_000) / 1_000;
  return {
    ...request,
    limits: {
      ...limits,
      cpuSeconds: longer(limits.cpuSeconds),
      wallSeconds: longer(limits.wallSeconds),
    },
  };
}
