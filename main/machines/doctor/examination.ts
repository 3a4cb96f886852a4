import type { GpuReading, Refusal } from '../../../preload/contract';
import type { CheckTitle, Finding, ScriptCheck, ScriptSurvey } from '../logic/doctor/finding';
import { unknown } from '../logic/doctor/finding';
import type { AsyncResult, Machine } from '../machine';

/** The collaborators of an examination. */
export type ExaminationDeps = {
  readonly machine: Machine;
  readonly clock: { readonly now: () => number };
  readonly signal: AbortSignal;
  /** A probe of the GPUs; null where there are none. */
  readonly readGpus: () => AsyncResult<GpuReading | null>;
  /** What grading itself finds on this computer; left out: as on any other machine. */
  readonly localGradingFinding?: (() => Promise<Finding>) | undefined;
};

/** One thing that is tried. It may answer several checks: the findings come in the order of these. */
export type Examination = {
  readonly checks: readonly CheckTitle[];
  readonly run: (deps: ExaminationDeps) => Promise<readonly Finding[]>;
};

export function scriptExamination({ id, title, seconds, script, judge }: ScriptCheck): Examination {
  return surveyExamination({ seconds, script, checks: [{ id, title, judge }] });
}

export function surveyExamination({ seconds, script, checks }: ScriptSurvey): Examination {
  return {
    checks,
    run: async ({ machine, signal }) => {
      const answer = await machine.run(script, { timeoutMs: seconds * 1_000, signal });
      return checks.map(({ judge }) => (answer.ok ? judge(answer.value) : notAnswered(answer.error)));
    },
  };
}

/** Of a check whose question was not answered. */
export function notAnswered({ message, hint }: Refusal): Finding {
  return unknown(message, hint ?? null);
}
