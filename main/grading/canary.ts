import type { Verdict } from '../../preload/contract';
import type { GradeRequest, GraderHealth } from './grader';

/** Grades between two looks at the canaries. */
const EVERY = 500;
/** Faults in a row after which they are looked at. */
const FAULTS = 3;
/** A grader found broken looks again after this while: what broke it (no memory, a full process table) may pass. */
const AGAIN_MS = 10_000;

const LIMITS = {
  cpuSeconds: 10,
  wallSeconds: 30,
  memoryBytes: 512 * 1024 * 1024,
  processes: 4,
  outputBytes: 10_000,
};

type Song = { readonly name: string; readonly request: GradeRequest; readonly verdict: Verdict };

function song(name: string, program: string, verdict: Verdict): Song {
  const tests = [{ kind: 'stdin', input: '3\n4\n', expected: '12\n' } as const];
  return {
    name,
    verdict,
    request: { program, entryPoint: null, tests, limits: LIMITS, stopAtFirstFailure: false },
  };
}

const SONGS: readonly Song[] = [
  song('a right program', 'print(int(input()) * int(input()))', 'passed'),
  song('a wrong program', 'print(int(input()) + int(input()))', 'wrong-answer'),
];

/** The verdict of a program that is run now, and what was said of it; null: the grader is being closed. */
export type GradeNow = (request: GradeRequest) => Promise<{ verdict: Verdict; error: string | null } | null>;

/**
 * Programs whose verdicts are known, graded now and again: a sandbox that is dead, or a runner that lies, must not
 * turn into wrong answers.
 */
export class Canary {
  readonly #gradeNow: GradeNow;
  #health: GraderHealth = { kind: 'good' };
  #singing: Promise<void> | null = null;
  #heardAt = 0;
  #grades = 0;
  #faults = 0;

  constructor(gradeNow: GradeNow) {
    this.#gradeNow = gradeNow;
  }

  get health(): GraderHealth {
    return this.#health;
  }

  /** Listens now. */
  sing(): Promise<void> {
    this.#singing ??= this.#listen().finally(() => {
      this.#singing = null;
    });
    return this.#singing;
  }

  /** After each grade: listens when it is time, beside the work that goes on. */
  note(verdict: Verdict): void {
    this.#grades += 1;
    this.#faults = verdict === 'sandbox-fault' ? this.#faults + 1 : 0;
    if (this.#grades < EVERY && this.#faults < FAULTS) return;
    this.#grades = 0;
    this.#faults = 0;
    void this.sing();
  }

  /** What to answer instead of a grade; a grader found broken listens again first, when it is time. */
  async trouble(): Promise<string | null> {
    const before = this.#health;
    if (before.kind === 'good') return null;
    if (performance.now() - this.#heardAt > AGAIN_MS) await this.sing();
    return this.#message();
  }

  #message(): string | null {
    const health = this.#health;
    return health.kind === 'good' ? null : health.message;
  }

  async #listen(): Promise<void> {
    let health: GraderHealth = { kind: 'good' };
    for (const { name, request, verdict } of SONGS) {
      const heard = await this.#gradeNow(request);
      if (heard === null) return;
      if (heard.verdict === verdict) continue;
      const said = heard.error === null ? '' : ` ${heard.error}`;
      health = {
        kind: 'broken',
        message: `The grader is out of order: ${name} got the verdict ${heard.verdict}.${said}`,
      };
    }
    this.#health = health;
    this.#heardAt = performance.now();
  }
}
