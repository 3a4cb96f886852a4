import type {
  Grade,
  GradingLimits,
  Problem,
  TestCase,
  TestResult,
  Verdict,
} from '../../preload/contract/index';
import type { Grader } from '../grading/index';
import { TrainerError } from './trainer-error';

/** Same as for the pocket benchmark, whose programs run for some milliseconds. */
const LIMITS: GradingLimits = {
  cpuSeconds: 2,
  wallSeconds: 10,
  memoryBytes: 512 * 1024 ** 2,
  processes: 16,
  outputBytes: 1024 ** 2,
};

/** About 200 MB. A training of some hundred updates uses a tenth of it. */
const MAX_PAIRS = 300_000;

/** Verdicts of a program. */
type Entry = {
  readonly publicGrade: Promise<Grade>;
  /** Graded on demand. */
  passesPrivate: Promise<boolean> | null;
};

/** A result without texts and times: the search uses only verdicts, and a round must not depend on a clock. */
function bareResult(verdict: Verdict): TestResult {
  return { verdict, actual: null, error: null, cpuMs: 0, wallMs: 0 };
}

/**
 * Caches the sandbox's verdicts: each program of a problem is graded once. In very long trainings the oldest problems are
 * evicted, and graded again if they recur.
 */
export class VerdictCache {
  readonly #grader: Pick<Grader, 'grade' | 'health'>;
  readonly #maxPairs: number;
  readonly #problems = new Map<string, Map<string, Entry>>();
  #held = 0;
  #asked = 0;
  #pairs = 0;
  #waiting = 0;

  /** `maxPairs`: pairs of problem and program that are cached, not counting those of the last problem. */
  constructor(grader: Pick<Grader, 'grade' | 'health'>, maxPairs = MAX_PAIRS) {
    this.#grader = grader;
    this.#maxPairs = maxPairs;
  }

  /** Requested programs, distinct pairs of problem and program, and programs in or waiting for the sandbox. */
  get statistics(): { readonly asked: number; readonly pairs: number; readonly waiting: number } {
    return { asked: this.#asked, pairs: this.#pairs, waiting: this.#waiting };
  }

  /** Verdicts of all public tests. */
  publicGrade(problem: Problem, program: string): Promise<Grade> {
    this.#asked += 1;
    return this.#entry(problem, program).publicGrade;
  }

  /**
   * Whether the program passes the public and the private tests. If it fails a public test, the private ones are not run.
   */
  async passes(problem: Problem, program: string): Promise<boolean> {
    const entry = this.#entry(problem, program);
    if ((await entry.publicGrade).verdict !== 'passed') return false;
    entry.passesPrivate ??= this.#run(problem, program, problem.privateTests, true).then(
      ({ verdict }) => verdict === 'passed',
    );
    return entry.passesPrivate;
  }

  #entry(problem: Problem, program: string): Entry {
    let programs = this.#problems.get(problem.id);
    if (programs === undefined) {
      programs = new Map();
      this.#evict();
      this.#problems.set(problem.id, programs);
    }
    let entry = programs.get(program);
    if (entry === undefined) {
      this.#pairs += 1;
      this.#held += 1;
      entry = {
        publicGrade: this.#run(problem, program, problem.publicTests, false),
        passesPrivate: null,
      };
      programs.set(program, entry);
    }
    return entry;
  }

  #evict(): void {
    for (const [id, programs] of this.#problems) {
      if (this.#held < this.#maxPairs) return;
      this.#problems.delete(id);
      this.#held -= programs.size;
    }
  }

  async #run(
    { id, entryPoint }: Problem,
    program: string,
    tests: readonly TestCase[],
    stopAtFirstFailure: boolean,
  ): Promise<Grade> {
    this.#waiting += 1;
    const graded = await this.#grader
      .grade({ program, entryPoint, tests, limits: LIMITS, stopAtFirstFailure })
      .finally(() => {
        this.#waiting -= 1;
      });
    const health = this.#grader.health();
    if (health.kind === 'broken') throw sandboxError(health.message);
    if (!graded.ok) throw new TrainerError(graded.error);
    const { verdict, results } = graded.value;
    const fault = results.find((result) => result.verdict === 'sandbox-fault');
    // Without a verdict, repeating the round would give a different result.
    if (verdict === 'sandbox-fault' || fault !== undefined) {
      throw sandboxError(`A program for ${id} could not be graded: ${fault?.error ?? 'the sandbox failed'}`);
    }
    return { verdict, results: results.map((result) => bareResult(result.verdict)) };
  }
}

function sandboxError(message: string): TrainerError {
  return new TrainerError({
    code: 'unavailable',
    message,
    hint: 'Start the training again: it continues from its last saved state.',
  });
}
