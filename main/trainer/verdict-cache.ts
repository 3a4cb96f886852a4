import {
  type Grade,
  type GradingLimits,
  type GradingRules,
  isFaultVerdict,
  type Problem,
  type TestCase,
  type TestResult,
  type Verdict,
} from '../../preload/contract/index';
import { ok } from '../base/index';
import { type GradeRequest, type Grader, SharedGrades } from '../grading/index';
import { TrainerError } from './trainer-error';
import type { Verdicts } from './training-environment';

export type VerdictRules = {
  readonly limits: GradingLimits;
  /** The benchmark's; left out: plain. */
  readonly rules?: GradingRules;
  /**
   * A program that the sandbox could not run, or the grader not judge, although they work otherwise. fatal: ends the
   * training, for another attempt may give another verdict; failed: what broke its sandbox counts as failed, since a model
   * may well write that, and what the grader could not judge is reported as such: it is no fault of the program.
   */
  readonly faults: 'fatal' | 'failed';
};

/** Some 300,000 grades. A training of some hundred updates uses a tenth of it. */
const MAX_WEIGHT = 300_000_000;

/** A result without texts and times: the search uses only verdicts, and a round must not depend on a clock. */
function bareResult(verdict: Verdict): TestResult {
  return { verdict, actual: null, error: null, cpuMs: 0, wallMs: 0 };
}

/** Verdicts of the sandbox without texts and times; each program of a problem is graded once while it is cached. */
export class VerdictCache implements Verdicts {
  readonly #rules: VerdictRules;
  readonly #grades: SharedGrades;
  #asked = 0;
  #pairs = 0;

  constructor(grader: Pick<Grader, 'grade' | 'health'>, rules: VerdictRules, maxWeight = MAX_WEIGHT) {
    this.#rules = rules;
    this.#grades = new SharedGrades(async (request) => ok(await this.#run(grader, request)), maxWeight);
  }

  get statistics(): { readonly asked: number; readonly pairs: number } {
    return { asked: this.#asked, pairs: this.#pairs };
  }

  publicGrade(problem: Problem, program: string): Promise<Grade> {
    this.#asked += 1;
    return this.#grade(problem, program, problem.publicTests, false);
  }

  /** As `Verdicts` says. If it fails a public test, the private ones are not run. */
  async passes(problem: Problem, program: string, known?: Grade): Promise<boolean | null> {
    const publicGrade = known ?? (await this.#grade(problem, program, problem.publicTests, false));
    if (publicGrade.verdict !== 'passed') return publicGrade.verdict === 'grader-fault' ? null : false;
    const privateGrade = await this.#grade(problem, program, problem.privateTests, true);
    return privateGrade.verdict === 'grader-fault' ? null : privateGrade.verdict === 'passed';
  }

  async #grade(
    { entryPoint }: Problem,
    program: string,
    tests: readonly TestCase[],
    stopAtFirstFailure: boolean,
  ): Promise<Grade> {
    const { limits, rules } = this.#rules;
    const request = {
      program,
      entryPoint,
      tests,
      limits,
      stopAtFirstFailure,
      ...(rules === undefined ? {} : { rules }),
    };
    const graded = await this.#grades.grade(request, program, undefined);
    if (!graded.ok) throw new TrainerError(graded.error);
    return graded.value;
  }

  async #run(grader: Pick<Grader, 'grade' | 'health'>, request: GradeRequest): Promise<Grade> {
    // Public tests are all run, private ones up to the first failure.
    if (!request.stopAtFirstFailure) this.#pairs += 1;
    const graded = await grader.grade(request);
    const health = grader.health();
    if (health.kind === 'broken') throw sandboxError(health.message);
    if (!graded.ok) throw new TrainerError(graded.error);
    const { verdict, results } = graded.value;
    // The grader has asked its own code twice. Shared grades keep no fault, so that the next request asks again.
    const isUnjudged = [{ verdict }, ...results].some((one) => one.verdict === 'grader-fault');
    if (isUnjudged && this.#rules.faults === 'failed')
      return { verdict: 'grader-fault', results: request.tests.map(() => bareResult('grader-fault')) };
    const fault = results.find((result) => isFaultVerdict(result.verdict));
    // Without a verdict, repeating the round would give a different result.
    if (isFaultVerdict(verdict) || fault !== undefined) {
      if (this.#rules.faults === 'failed')
        return { verdict: 'runtime-error', results: request.tests.map(() => bareResult('runtime-error')) };
      throw sandboxError(`A program could not be graded: ${fault?.error ?? 'the sandbox failed'}`);
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
