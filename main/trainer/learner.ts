import type { Objective, PocketTraining } from '../../preload/contract/index';
import { batchLoss, groupAdvantages, learningRate, zeroAdvantageShare } from '../objective/index';
import {
  type Adam,
  type AdamState,
  adam,
  addTraceGradient,
  type PocketPolicy,
  traceProbabilities,
} from '../pocket/index';
import type { Sample } from './sample';

/** As in MARTI and the prototype: beta 0.9 and 0.95, gradients clipped to 1. */
const ADAM = { beta1: 0.9, beta2: 0.95, largestNorm: 1 } as const;

/** Metrics of an update, by canonical key. */
export type UpdateValues = Readonly<Record<string, number>>;

/** An agent of the training: writes with its policy and learns. */
export class Learner {
  readonly id: string;
  /** Its weights change with each update. */
  readonly policy: PocketPolicy;
  /** The pre-trained policy. */
  readonly #reference: PocketPolicy;
  readonly #optimiser: Adam;
  readonly #gradient: Float64Array;
  #updates: number;

  /** `from`: state saved by an earlier session. */
  constructor(
    id: string,
    reference: PocketPolicy,
    from: { readonly weights: Float64Array; readonly adam: AdamState; readonly updates: number } | null,
  ) {
    this.id = id;
    this.policy = { ...reference, weights: (from?.weights ?? reference.weights).slice() };
    this.#reference = reference;
    this.#gradient = new Float64Array(reference.weights.length);
    this.#updates = from?.updates ?? 0;
    this.#optimiser = adam(reference.weights.length, from === null ? ADAM : { ...ADAM, from: from.adam });
  }

  get updates(): number {
    return this.#updates;
  }

  /** Not a copy: must be serialized before the next update. */
  get state(): { readonly weights: Float64Array; readonly adam: AdamState; readonly updates: number } {
    return { weights: this.policy.weights, adam: this.#optimiser.state(), updates: this.#updates };
  }

  /** One optimiser step on these samples. */
  update(samples: readonly Sample[], objective: Objective, spec: PocketTraining): UpdateValues {
    const advantages = advantagesOf(samples, objective);
    const { values, tokens } = this.accumulate(samples, advantages, objective, this.#gradient);
    this.#updates += 1;
    const rate = learningRate(this.#updates, spec.updates, spec.rate);
    const norm = this.#optimiser.step(this.policy.weights, this.#gradient, rate);
    return {
      ...sampleValues(samples),
      ...values,
      'zero-advantage': zeroAdvantageShare(advantages),
      'gradient-norm': norm,
      'learning-rate': rate,
      tokens: tokens / samples.length,
    };
  }

  /** Adds the negative gradient of the batch's loss to `gradient`, and returns the loss. */
  accumulate(
    samples: readonly Sample[],
    advantages: readonly number[],
    objective: Objective,
    gradient: Float64Array,
  ): { readonly values: UpdateValues; readonly tokens: number } {
    const probabilities = samples.map(({ trace }) => traceProbabilities(this.policy, trace));
    const sequences = samples.map(({ trace, logProbabilities }, i) => ({
      current: chosenLogs(trace, probabilities[i] as readonly Float64Array[]),
      old: logProbabilities,
      rollout: logProbabilities,
      reference: chosenLogs(trace, traceProbabilities(this.#reference, trace)),
      advantage: advantages[i] as number,
    }));
    const loss = batchLoss(sequences, objective);
    let [tokens, entropy] = [0, 0];
    for (const [i, { trace }] of samples.entries()) {
      const at = probabilities[i] as readonly Float64Array[];
      // Ascent direction: opposite to the loss.
      const slopes = (loss.slopes[i] as Float64Array).map((slope) => -slope);
      addTraceGradient(this.policy.family, trace, at, slopes, gradient);
      tokens += trace.length;
      for (const distribution of at) entropy += entropyOf(distribution);
    }
    const values = {
      'policy-loss': loss.policyLoss,
      loss: loss.loss,
      kl: loss.kl,
      clipped: loss.clipped01,
      ratio: loss.ratio,
      entropy: entropy / tokens,
    };
    return { values, tokens };
  }
}

/** For the group "batch" the update's samples are one group; otherwise advantages were computed in their round. */
function advantagesOf(samples: readonly Sample[], objective: Objective): readonly number[] {
  if (objective.group !== 'batch') return samples.map(({ advantage }) => advantage);
  const batch = {
    rewards: samples.map(({ shaped }) => shaped),
    raw: samples.map(({ raw }) => raw),
    parents: samples.map(() => -1),
    agents: samples.map(() => 0),
  };
  return groupAdvantages([batch], objective)[0] as number[];
}

function sampleValues(samples: readonly Sample[]): UpdateValues {
  const share = (count: (sample: Sample) => number): number =>
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

function chosenLogs(trace: Sample['trace'], probabilities: readonly Float64Array[]): number[] {
  return trace.map(({ symbol }, t) => Math.log(probabilities[t]?.[symbol] as number));
}

/** In nats. */
function entropyOf(probabilities: Float64Array): number {
  let sum = 0;
  for (const p of probabilities) if (p > 0) sum -= p * Math.log(p);
  return sum;
}
