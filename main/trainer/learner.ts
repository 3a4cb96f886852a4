import type { Learning, Objective } from '../../preload/contract/index';
import {
  batchLoss,
  groupAdvantages,
  learningRate,
  type Sequence,
  zeroAdvantageShare,
} from '../objective/index';
import type { LogProbs, Policy } from './policy';
import type { Sample } from './sample';
import { TrainerError } from './trainer-error';

/** Metrics of an update, by canonical key. */
export type UpdateValues = Readonly<Record<string, number>>;

/**
 * Log-probabilities of the old policy, π_old of the loss. sampled: those with which the answers were written;
 * recomputed: those that the policy gives before its first update on the samples that its buffer hands out. Both are the
 * same where one program writes and learns; where an engine writes, its rounding differs from the learner's.
 */
export type OldPolicySource = 'sampled' | 'recomputed';

/** For one update: `current`, those that the policy gives in this very update. */
export type OldScores = 'sampled' | 'current' | readonly LogProbs[];

/** An agent of the training: a policy that learns. */
export class Learner<Trace> {
  readonly policy: Policy<Trace>;
  #updates: number;

  /** `updates`: made in earlier sessions. */
  constructor(policy: Policy<Trace>, updates = 0) {
    this.policy = policy;
    this.#updates = updates;
  }

  get id(): string {
    return this.policy.id;
  }

  get updates(): number {
    return this.#updates;
  }

  /**
   * π_old of every update that is made on these samples, in batches of `batch`. The first needs no scores of its own: at
   * that moment the old policy is the current one.
   */
  async oldScores(
    samples: readonly Sample<Trace>[],
    batch: number,
    from: OldPolicySource,
  ): Promise<readonly OldScores[]> {
    const batches = Math.ceil(samples.length / batch);
    if (from === 'sampled') return Array.from({ length: batches }, () => 'sampled');
    const later = samples.slice(batch).map(({ trace }) => trace);
    const scores = later.length === 0 ? [] : await this.policy.score(later, 'now');
    return Array.from({ length: batches }, (_, i) =>
      i === 0 ? 'current' : scores.slice((i - 1) * batch, i * batch),
    );
  }

  /** One optimiser step on these samples. */
  async update(
    samples: readonly Sample<Trace>[],
    objective: Objective,
    schedule: Pick<Learning, 'updates' | 'rate'>,
    old: OldScores = 'sampled',
  ): Promise<UpdateValues> {
    const advantages = advantagesOf(samples, objective);
    const { values, tokens, gap } = await this.accumulate(samples, advantages, objective, old);
    this.#updates += 1;
    const rate = learningRate(this.#updates, schedule.updates, schedule.rate);
    const { gradientNorm, values: ofStep } = await this.policy.step(rate);
    return {
      ...sampleValues(samples),
      ...values,
      'zero-advantage': zeroAdvantageShare(advantages),
      'gradient-norm': gradientNorm,
      'learning-rate': rate,
      tokens: tokens / samples.length,
      ...gap,
      ...ofStep,
    };
  }

  /** Adds the gradient of the batch's loss to the policy's, and returns the loss. */
  async accumulate(
    samples: readonly Sample<Trace>[],
    advantages: readonly number[],
    objective: Objective,
    old: OldScores = 'sampled',
  ): Promise<{ readonly values: UpdateValues; readonly tokens: number; readonly gap: UpdateValues }> {
    const { policy } = this;
    const traces = samples.map(({ trace }) => trace);
    const current = await policy.score(traces, 'now');
    const reference = await this.#reference(traces, objective);
    const sequences = samples.map(({ rollout }, i): Sequence => {
      const now = current[i] as LogProbs;
      return {
        current: now,
        old: oldOf(old, i, now, rollout),
        rollout,
        reference: reference === null ? now : (reference[i] as LogProbs),
        advantage: advantages[i] as number,
      };
    });
    const loss = batchLoss(sequences, objective);
    const entropy = await policy.entropy(traces);
    await policy.backward(traces, loss.slopes);
    const values = {
      'policy-loss': loss.policyLoss,
      loss: loss.loss,
      ...(reference === null ? {} : { kl: loss.kl }),
      clipped: loss.clipped01,
      ratio: loss.ratio,
      ...(entropy === null ? {} : { entropy }),
    };
    const tokens = sequences.reduce((sum, { rollout }) => sum + rollout.length, 0);
    // Where answers are scored with the log-probabilities of their writing, these are 0 by definition.
    const gap =
      old === 'sampled'
        ? {}
        : { 'logp-gap': gapOf(sequences, tokens), vetoed: loss.vetoed01, capped: loss.capped01 };
    return { values, tokens, gap };
  }

  /** null: without a reference. */
  async #reference(traces: readonly Trace[], { kl }: Objective): Promise<readonly LogProbs[] | null> {
    if (this.policy.hasReference) return this.policy.score(traces, 'reference');
    if (kl.coefficient === 0) return null;
    throw new TrainerError({
      code: 'bad-input',
      message: `${this.id} keeps no reference policy, which a divergence with the coefficient ${kl.coefficient} needs.`,
      hint: 'Set the coefficient to 0, or keep a reference.',
    });
  }
}

function oldOf(old: OldScores, i: number, current: LogProbs, rollout: LogProbs): LogProbs {
  if (old === 'sampled') return rollout;
  return old === 'current' ? current : (old[i] as LogProbs);
}

/** Mean over the tokens of how far writer and learner are apart, in nats. */
function gapOf(sequences: readonly Sequence[], tokens: number): number {
  let sum = 0;
  for (const { old, rollout } of sequences) {
    for (let t = 0; t < rollout.length; t++) sum += Math.abs((old[t] as number) - (rollout[t] as number));
  }
  return sum / tokens;
}

/** For the group "batch" the update's samples are one group; otherwise advantages were computed in their round. */
function advantagesOf(samples: readonly Sample<unknown>[], objective: Objective): readonly number[] {
  if (objective.group !== 'batch') return samples.map(({ advantage }) => advantage);
  const batch = {
    rewards: samples.map(({ shaped }) => shaped),
    raw: samples.map(({ raw }) => raw),
    parents: samples.map(() => -1),
    agents: samples.map(() => 0),
  };
  return groupAdvantages([batch], objective)[0] as number[];
}

function sampleValues(samples: readonly Sample<unknown>[]): UpdateValues {
  const share = (count: (sample: Sample<unknown>) => number): number =>
    samples.reduce((sum, sample) => sum + count(sample), 0) / samples.length;
  const first = samples.filter(({ isFirstAttempt }) => isFirstAttempt);
  const different = new Set(samples.map(({ problemId, program }) => `${problemId} ${program}`));
  return {
    reward: share(({ raw }) => raw),
    'shaped-reward': share(({ shaped }) => shaped),
    ...(first.length === 0 ? {} : { 'pass@1': first.filter(({ raw }) => raw === 1).length / first.length }),
    'all-wrong': share(({ isAllWrong }) => (isAllWrong ? 1 : 0)),
    refined: share(({ isFirstAttempt }) => (isFirstAttempt ? 0 : 1)),
    distinct: different.size / samples.length,
  };
}
