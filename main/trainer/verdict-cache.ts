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

/** As the pocket benchmark's: its programs run for some milliseconds. */
const LIMITS: GradingLimits = {
  cpuSeconds: 2,
  wallSeconds: 10,
  memoryBytes: 512 * 1024 ** 2,
  processes: 16,
  outputBytes: 1024 ** 2,
};

/** Some 200 MB. A training of some hundred updates has a tenth of it. */
const MOST_PAIRS = 300_000;

/** What a program was found to be worth. */
type Entry = {
  readonly publicGrade: Promise<Grade>;
  /** Asked for only where somebody wants to know it. */
  passesPrivate: Promise<boolean> | null;
};

/** A result without its texts and times: a search is told verdicts alone, and a round must not depend on a clock. */
function bareResult(verdict: Verdict): TestResult {
  return { verdict, actual: null, error: null, cpuMs: 0, wallMs: 0 };
}

/**
 * The verdicts of the sandbox, each program of a problem graded once; in very long trainings the problems that were
 * met first are forgotten, and graded again when they come back.
 */
export class VerdictCache {
  readonly #grader: Pick<Grader, 'grade' | 'health'>;
  readonly #most: number;
  readonly #problems = new Map<string, Map<string, Entry>>();
  #held = 0;
  #asked = 0;
  #pairs = 0;
  #waiting = 0;

  /** `most`: pairs of problem and program that are remembered, but for those of the last problem. */
  constructor(grader: Pick<Grader, 'grade' | 'health'>, most = MOST_PAIRS) {
    this.#grader = grader;
    this.#most = most;
  }

  /** Programs asked about, different pairs of problem and program, and how many are in the sandbox or wait for it. */
  get statistics(): { readonly asked: number; readonly pairs: number; readonly waiting: number } {
    return { asked: this.#asked, pairs: this.#pairs, waiting: this.#waiting };
  }

  /** Verdicts of the public tests, all of them. */
  publicGrade(problem: Problem, program: string): Promise<Grade> {
    this.#asked += 1;
    return this.#entry(problem, program).publicGrade;
  }

  /**
   * Does the program pass the public and the private tests? A program that fails a public test is wrong whatever the
   * private ones would say; they are not run then.
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
      this.#forget();
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

  #forget(): void {
    for (const [id, programs] of this.#problems) {
      if (this.#held < this.#most) return;
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
    if (health.kind === 'broken') throw faultOf(health.message);
    if (!graded.ok) throw new TrainerError(graded.error);
    const { verdict, results } = graded.value;
    const fault = results.find((result) => result.verdict === 'sandbox-fault');
    // A round with a program that nobody judged would not be the same when it is done again.
    if (verdict === 'sandbox-fault' || fault !== undefined) {
      throw faultOf(`A program for ${id} could not be graded: ${fault?.error ?? 'the sandbox failed'}`);
    }
    return { verdict, results: results.map((result) => bareResult(result.verdict)) };
  }
}

function faultOf(message: string): TrainerError {
  return new TrainerError({
    code: 'unavailable',
    message,
    hint: 'Start the training again: it goes on from its last saved state.',
  });
}
