import { createHash } from 'node:crypto';
import type { GradingLimits, TestCase } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import type { GradeAttempt } from './grade-attempt';
import { comparesAsSets } from './logic/compare-reference';
import { resultWithoutRun } from './logic/judge';
import { type ReferenceRun, type ReferenceTest, readReferenceRun } from './logic/judge-reference';
import type { CandidateWork } from './logic/runner-work';

/** Characters of values kept in memory. */
const MAX_CHARACTERS = 64_000_000;
/** CPU seconds for one call of a reference program; the slowest published ones need a few. */
const CALL_SECONDS = 30;
const TOTAL_SECONDS = 300;
const OUTPUT_BYTES = 64 * 1024 * 1024;

type Run = (work: CandidateWork) => Promise<GradeAttempt>;

/** Results of reference programs, each run once in its own sandbox; least recently used first out. */
export class ReferenceRuns {
  readonly #runs = new Map<string, { readonly run: ReferenceRun; readonly weight: number }>();
  /** Several candidates of a problem may arrive at once. */
  readonly #running = new Map<string, Promise<Result<ReferenceRun, string>>>();
  #weight = 0;

  /** The results for each `reference` test; the error says which one fails and how. */
  async forTests(
    request: {
      readonly tests: readonly TestCase[];
      readonly entryPoint: string | null;
      readonly limits: GradingLimits;
    },
    run: Run,
  ): Promise<Result<ReadonlyMap<TestCase, ReferenceRun>, string>> {
    const runs = new Map<TestCase, ReferenceRun>();
    for (const test of request.tests) {
      if (test.kind !== 'reference') continue;
      const reference = await this.#of(test, request.entryPoint, request.limits, run);
      if (!reference.ok) return failed(`The reference program failed on ${reference.error}`);
      runs.set(test, reference.value);
    }
    return ok(runs);
  }

  async #of(test: ReferenceTest, entryPoint: string | null, limits: GradingLimits, run: Run) {
    const key = createHash('sha256')
      .update(JSON.stringify([test.reference, test.inputs, entryPoint]))
      .digest('base64');
    const cached = this.#runs.get(key);
    if (cached !== undefined) {
      this.#runs.delete(key);
      this.#runs.set(key, cached);
      return ok(cached.run);
    }
    const underway = this.#running.get(key);
    // If that run was cancelled, the others start their own.
    if (underway !== undefined) {
      const answer = await underway;
      if (answer.ok) return answer;
    }
    const answer = runReference(test, entryPoint, limits, run);
    this.#running.set(key, answer);
    const result = await answer.finally(() => this.#running.delete(key));
    if (result.ok) this.#store(key, result.value);
    return result;
  }

  #store(key: string, run: ReferenceRun): void {
    const weight = run.values.reduce((sum, value) => sum + value.length, 0);
    if (this.#runs.has(key)) return;
    this.#runs.set(key, { run, weight });
    this.#weight += weight;
    for (const [oldest, held] of this.#runs) {
      if (this.#weight <= MAX_CHARACTERS || oldest === key) break;
      this.#runs.delete(oldest);
      this.#weight -= held.weight;
    }
  }
}

async function runReference(
  test: ReferenceTest,
  entryPoint: string | null,
  limits: GradingLimits,
  run: Run,
): Promise<Result<ReferenceRun, string>> {
  const wallFactor = limits.wallSeconds / limits.cpuSeconds;
  let result: Result<ReferenceRun, string> | null = null;
  const attempt = await run({
    program: test.reference,
    entryPoint,
    limits: {
      ...limits,
      cpuSeconds: TOTAL_SECONDS,
      wallSeconds: TOTAL_SECONDS * wallFactor,
      outputBytes: Math.max(limits.outputBytes, OUTPUT_BYTES),
    },
    runnerTests: [
      {
        kind: 'reference',
        inputs: test.inputs,
        limits: [CALL_SECONDS],
        wallFactor,
        asPublished: false,
        asSets: comparesAsSets(entryPoint),
        asLiteral: test.inputsForm === 'python',
        pauseSeconds: null,
      },
    ],
    mayShareProcess: false,
    resultsOf: (_, report) => {
      result = readReferenceRun(report);
      return [resultWithoutRun('passed', null)];
    },
  });
  if (attempt.kind === 'broken') return failed(attempt.reason);
  return result ?? failed('its report is missing.');
}
