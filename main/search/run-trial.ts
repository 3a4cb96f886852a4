import {
  type ChatMessage,
  type Grade,
  isFaultVerdict,
  type NodeAdded,
  type Problem,
  type RunConfig,
  type TreePart,
} from '../../preload/contract';
import { programOf } from './extract-program';
import { type Generate, type Generated, generateWithRetries, type Stop, withRetries } from './generation';
import type { TrialFailed } from './recorded-tree';
import { finiteReward, guidedScore, type RewardFunction, scoreOf } from './score';
import type { Trial } from './trial-scheduler';

/** What running a trial needs. */
export type TrialDeps<Answer extends Generated = Generated> = {
  readonly problem: Problem;
  /** search: the run's strategy and nodes; samples: `samplesPerAgent` first attempts of each agent. */
  readonly part: TreePart;
  readonly config: RunConfig;
  readonly generate: Generate<Answer>;
  /** Runs the public tests; has its own retries for faults of the sandbox. */
  readonly grade: (program: string) => Promise<Grade>;
  /** The model of `search.rewardModel`; needed where the run has one. */
  readonly reward?: RewardFunction;
  /** First 16 hex digits of the SHA-256. */
  readonly digest: (text: string) => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly stop: Stop;
};

export type TrialResult<Answer extends Generated = Generated> =
  | { readonly kind: 'node'; readonly node: Omit<NodeAdded, 'at' | 'index'>; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly failure: Omit<TrialFailed, 'at'> }
  /** The search was stopped before the trial ended. */
  | { readonly kind: 'dropped' };

type GradedProgram =
  | {
      readonly kind: 'judged';
      readonly program: string | null;
      readonly grade: Grade;
      readonly reward: number | null;
    }
  | { readonly kind: 'failed'; readonly reason: TrialFailed['reason']; readonly message: string }
  | { readonly kind: 'dropped' };

/** Runs one trial: generate an answer, extract its program, run the public tests, score it. Rejects only on a bug. */
export async function runTrial<Answer extends Generated>(
  trial: Trial,
  messages: readonly ChatMessage[],
  deps: TrialDeps<Answer>,
): Promise<TrialResult<Answer>> {
  const { problem, part, config, digest, now, stop } = deps;
  const agent = config.team.agents.find(({ id }) => id === trial.agentId);
  if (agent === undefined) throw new Error(`The team has no agent ${trial.agentId}`);
  const problemPart = { problemId: problem.id, part };
  const fail = (reason: TrialFailed['reason'], message: string): TrialResult<Answer> => {
    const { agentId, parent } = trial;
    return {
      kind: 'failed',
      failure: { kind: 'trial-failed', ...problemPart, trial: trial.trial, agentId, reason, parent, message },
    };
  };

  const started = now();
  const answer = await generateWithRetries(
    deps.generate,
    {
      agent,
      messages,
      seed: trial.generationSeed,
      ...problemPart,
      ordinal: trial.ordinal,
      parent: trial.parentDigest,
      turn: trial.turn,
      signal: stop,
    },
    deps.sleep,
  );
  if (!answer.ok) {
    return answer.error.kind === 'stopped'
      ? { kind: 'dropped' }
      : fail(answer.error.kind, answer.error.message);
  }
  if (stop.aborted) return { kind: 'dropped' };

  const generated = now();
  const judged = await gradeProgram(programOf(answer.value.answer, agent, problem), deps);
  if (judged.kind === 'dropped') return judged;
  if (judged.kind === 'failed') return fail(judged.reason, judged.message);
  const { program, grade, reward } = judged;
  const end = answerEnd(answer.value);
  return {
    kind: 'node',
    answer: answer.value,
    node: {
      kind: 'node-added',
      ...problemPart,
      trial: trial.trial,
      parent: trial.parent,
      agentId: trial.agentId,
      score: guidedScore(
        scoreOf(grade, problem.publicTests.length, config.search.score),
        reward,
        config.search.rewardModel,
      ),
      ...(reward === null ? {} : { reward }),
      publicVerdict: grade.verdict,
      publicVerdicts: grade.results.map(({ verdict }) => verdict),
      ...(grade.missingPackage === undefined ? {} : { missingPackage: grade.missingPackage }),
      generationSeed: trial.generationSeed,
      programDigest: program === null ? null : digest(program),
      promptTokens: answer.value.promptTokens,
      completionTokens: answer.value.completionTokens,
      ...(end === undefined ? {} : { answerEnd: end }),
      generateMs: generated - started,
      gradeMs: now() - generated,
      detail: {
        answer: answer.value.answer,
        program,
        promptDigest: digest(JSON.stringify(messages)),
        publicGrade: grade,
        why: [...trial.why],
      },
    },
  };
}

async function gradeProgram(
  program: string | null,
  deps: Omit<TrialDeps, 'generate'>,
): Promise<GradedProgram> {
  const { problem, config, reward, sleep, stop } = deps;
  if (program === null) {
    return { kind: 'judged', program, grade: { verdict: 'no-code', results: [] }, reward: null };
  }
  const grade = await deps.grade(program);
  const failure = [...grade.results, { verdict: grade.verdict, error: null }].find(({ verdict }) =>
    isFaultVerdict(verdict),
  );
  if (failure !== undefined) {
    if (stop.aborted) return { kind: 'dropped' };
    const reason = failure.verdict === 'grader-fault' ? 'grader-fault' : 'sandbox-fault';
    const message = failure.error ?? 'The sandbox failed on the public tests of this program.';
    return { kind: 'failed', reason, message };
  }
  if (config.search.rewardModel === null) return { kind: 'judged', program, grade, reward: null };
  if (reward === undefined) throw new Error('A run with a reward model needs a reward function');
  const scored = await withRetries(
    () => finiteReward(reward, problem, program, stop),
    () => true,
    stop,
    sleep,
  );
  if (scored === null) return { kind: 'dropped' };
  if (!scored.ok) return { kind: 'failed', reason: 'reward', message: scored.error.message };
  return { kind: 'judged', program, grade, reward: scored.value };
}

function answerEnd({ answer, end }: Generated): NodeAdded['answerEnd'] {
  return answer.trim() === '' ? 'empty' : end;
}
