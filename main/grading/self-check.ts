import { isFaultVerdict, type Verdict } from '../../preload/contract';
import type { GradeRequest, GraderHealth } from './grader';

/** Grades between two self-checks. */
const GRADES_BETWEEN_CHECKS = 500;
/** Faults in a row that trigger a self-check. */
const FAULTS_BEFORE_CHECK = 3;
/** A broken grader checks itself again after this time: the cause (no memory, a full process table) may be gone. */
const RECHECK_MS = 10_000;

const LIMITS = {
  cpuSeconds: 10,
  wallSeconds: 30,
  memoryBytes: 512 * 1024 * 1024,
  processes: 4,
  outputBytes: 10_000,
};

type KnownProgram = { readonly name: string; readonly request: GradeRequest; readonly verdict: Verdict };

function knownProgram(name: string, program: string, verdict: Verdict): KnownProgram {
  const tests = [{ kind: 'stdin', input: '3\n4\n', expected: '12\n' } as const];
  return {
    name,
    verdict,
    request: { program, entryPoint: null, tests, limits: LIMITS, stopAtFirstFailure: false },
  };
}

const KNOWN_PROGRAMS: readonly KnownProgram[] = [
  knownProgram('a correct program', 'print(int(input()) * int(input()))', 'passed'),
  knownProgram('a wrong program', 'print(int(input()) + int(input()))', 'wrong-answer'),
];

/** The verdict of a program that is run now, with its error text; null: the grader is being closed. */
export type GradeNow = (request: GradeRequest) => Promise<{ verdict: Verdict; error: string | null } | null>;

/**
 * Grades programs with known verdicts from time to time, so that a broken sandbox or runner is not mistaken for wrong
 * answers.
 */
export class SelfCheck {
  readonly #gradeNow: GradeNow;
  #health: GraderHealth = { kind: 'good' };
  #running: Promise<void> | null = null;
  #checkedAt = 0;
  #grades = 0;
  #faults = 0;

  constructor(gradeNow: GradeNow) {
    this.#gradeNow = gradeNow;
  }

  get health(): GraderHealth {
    return this.#health;
  }

  /** Checks now; simultaneous calls share one check. */
  run(): Promise<void> {
    this.#running ??= this.#runNow().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Call after each grade: starts a check in the background when one is due. */
  note(verdict: Verdict): void {
    this.#grades += 1;
    this.#faults = isFaultVerdict(verdict) ? this.#faults + 1 : 0;
    if (this.#grades < GRADES_BETWEEN_CHECKS && this.#faults < FAULTS_BEFORE_CHECK) return;
    this.#grades = 0;
    this.#faults = 0;
    void this.run();
  }

  /** The message to answer instead of a grade, or null. A broken grader checks itself again first, when it is due. */
  async problem(): Promise<string | null> {
    const before = this.#health;
    if (before.kind === 'good') return null;
    if (performance.now() - this.#checkedAt > RECHECK_MS) await this.run();
    return this.#message();
  }

  #message(): string | null {
    const health = this.#health;
    return health.kind === 'good' ? null : health.message;
  }

  async #runNow(): Promise<void> {
    let health: GraderHealth = { kind: 'good' };
    for (const { name, request, verdict } of KNOWN_PROGRAMS) {
      // An error of ours must not be lost in the background: it is the worst finding that this check can have.
      const graded = await this.#gradeNow(request).catch(
        (error: unknown) => ({ verdict: 'grader-fault', error: String(error) }) as const,
      );
      if (graded === null) return;
      if (graded.verdict === verdict) continue;
      const error = graded.error === null ? '' : ` ${graded.error}`;
      health = {
        kind: 'broken',
        message: `The grader does not work: ${name} got the verdict ${graded.verdict}.${error}`,
      };
    }
    this.#health = health;
    this.#checkedAt = performance.now();
  }
}
