import type { Objective, PocketTraining, Rollout } from '../../preload/contract/index';
import { deriveSeed } from '../base/index';
import { AgentBuffers } from '../objective/index';
import { type Checkpoint, checkpointOf, type PocketPolicy } from '../pocket/index';
import { type Evaluator, passRates } from './evaluation';
import { growTree } from './grow-tree';
import { Learner, type UpdateValues } from './learner';
import { type LearnerGroup, objectiveOf, trainingGroups, trainingSearch } from './learner-groups';
import {
  type CreditedTree,
  creditTrees,
  fromSavedSample,
  rolloutsOf,
  type Sample,
  samplesOf,
  toSavedSample,
} from './sample';
import { TrainerError } from './trainer-error';
import { decodeLearner, encodeFloats, type LearnerState, type TrainerState } from './trainer-state';
import type { TrainingInput } from './training-input';
import { TrainingProblems } from './training-problems';
import type { VerdictCache } from './verdict-cache';

/** A line of metrics.jsonl. */
export type MetricLine = {
  /** The agent's updates. */
  readonly step: number;
  readonly round: number;
  /** null: all agents together. */
  readonly agent: string | null;
  readonly part?: 'evaluation';
  /** Samples that the agent has learned from. */
  readonly samples: number;
  readonly values: UpdateValues;
};

export type AgentCheckpoint = { readonly agentId: string; readonly checkpoint: Checkpoint };

export type RoundReport = {
  readonly lines: readonly MetricLine[];
  readonly rollouts: readonly Rollout[];
  readonly checkpoints: readonly AgentCheckpoint[];
};

/** A learner's share of its group's trees since its last update. */
type TreeShare = LearnerState['share'];

const NO_SHARE: TreeShare = { trees: 0, kept: 0, solved: 0, nodes: 0, own: 0 };

/** Every so many rounds, one tree of each group is saved as rollouts: some megabytes per training. */
const ROLLOUT_ROUNDS = 5;
/** Limit of rounds, relative to those needed if every sample were used and distributed evenly. */
const ROUNDS_SAFETY_FACTOR = 50;

/** The training loop: each round grows trees and updates learners. */
export class TrainingLoop {
  readonly #spec: PocketTraining;
  readonly #objective: Objective;
  readonly #groups: readonly LearnerGroup[];
  readonly #learners: ReadonlyMap<string, Learner>;
  readonly #buffers: AgentBuffers<Sample>;
  readonly #shares = new Map<string, TreeShare>();
  readonly #problems: TrainingProblems;
  readonly #cache: VerdictCache;
  #round: number;

  constructor(options: {
    readonly input: TrainingInput;
    /** Pre-trained policies, one per agent. */
    readonly policies: readonly PocketPolicy[];
    readonly cache: VerdictCache;
    readonly saved: TrainerState | null;
  }) {
    const { input, policies, cache, saved } = options;
    this.#spec = input.spec;
    this.#objective = objectiveOf(input.spec);
    this.#groups = trainingGroups(input);
    this.#cache = cache;
    this.#round = saved?.round ?? 0;
    this.#problems = new TrainingProblems(input.spec);
    this.#learners = new Map(
      input.agents.map(({ id }, i) => {
        const policy = policies[i] as PocketPolicy;
        const state = saved?.learners.find((learner) => learner.id === id) ?? null;
        this.#shares.set(id, state?.share ?? NO_SHARE);
        return [
          id,
          new Learner(id, policy, state === null ? null : decodeLearner(state, policy.weights.length)),
        ];
      }),
    );
    const sizes = { rolloutBatch: input.spec.batch, trainBatch: input.spec.batch };
    const waiting = Object.entries(saved?.buffers ?? {}).map(([id, samples]) => {
      const { family } = this.#learner(id).policy;
      return [id, samples.map(({ sample, age }) => ({ sample: fromSavedSample(family, sample), age }))];
    });
    this.#buffers = AgentBuffers.restored(sizes, Object.fromEntries(waiting));
  }

  /** By learner; changed by updates. */
  get policies(): ReadonlyMap<string, PocketPolicy> {
    return new Map([...this.#learners].map(([id, { policy }]) => [id, policy]));
  }

  get round(): number {
    return this.#round;
  }

  /** By learner. */
  get updates(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#learners].map(([id, { updates }]) => [id, updates]));
  }

  get isDone(): boolean {
    return this.#groups.every((group) => this.#isGroupDone(group));
  }

  state(): Pick<TrainerState, 'round' | 'learners' | 'buffers'> {
    const learners = [...this.#learners.values()].map(({ id, state }): LearnerState => {
      const { mean, square, steps } = state.adam;
      return {
        id,
        updates: state.updates,
        weights: encodeFloats(state.weights),
        adam: { mean: encodeFloats(mean), square: encodeFloats(square), steps },
        share: this.#shares.get(id) as TreeShare,
      };
    });
    const buffers = Object.entries(this.#buffers.state()).map(([id, waiting]) => [
      id,
      waiting.map(({ sample, age }) => ({ sample: toSavedSample(sample), age })),
    ]);
    return { round: this.#round, learners, buffers: Object.fromEntries(buffers) };
  }

  /** The current state of each learner. */
  checkpoints(): readonly AgentCheckpoint[] {
    return [...this.#learners.values()].map((learner) => this.#checkpoint(learner));
  }

  /** Evaluation of the untrained policies, if evaluations during training are enabled. */
  async untrained(evaluator: Evaluator): Promise<readonly MetricLine[]> {
    // Without updates, the final evaluation includes this.
    const { every, problems } = this.#spec.evaluation;
    return every > 0 && problems > 0 && !this.isDone ? this.#evaluated(evaluator) : [];
  }

  /** Grows the trees of all groups concurrently, then updates in the order of groups and learners. */
  async next(evaluator: Evaluator): Promise<RoundReport> {
    const groups = this.#groups.filter((group) => !this.#isGroupDone(group));
    this.#checkProgress(groups);
    this.#round += 1;
    this.#buffers.startRound();
    const grown = await Promise.all(groups.map((group) => this.#grow(group)));
    const rollouts =
      this.#round % ROLLOUT_ROUNDS === 1 ? grown.flatMap((trees) => this.#rollouts(trees)) : [];
    groups.forEach((group, i) => {
      this.#collect(group, grown[i] as readonly CreditedTree[]);
    });
    const lines: MetricLine[] = [];
    const checkpoints: AgentCheckpoint[] = [];
    const before = this.#first.updates;
    for (const id of groups.flatMap(({ learnerIds }) => learnerIds)) {
      this.#learn(this.#learner(id), lines, checkpoints);
    }
    const { every, problems } = this.#spec.evaluation;
    const isDue =
      every > 0 && problems > 0 && Math.floor(before / every) < Math.floor(this.#first.updates / every);
    // The final evaluation follows the last round and includes this.
    if (isDue && !this.isDone) lines.push(...(await this.#evaluated(evaluator)));
    return { lines, rollouts, checkpoints };
  }

  get #first(): Learner {
    return [...this.#learners.values()][0] as Learner;
  }

  #learner(id: string): Learner {
    const learner = this.#learners.get(id);
    if (learner === undefined) throw new Error(`No learner ${id}`);
    return learner;
  }

  #hasLearned(id: string): boolean {
    return this.#learner(id).updates >= this.#spec.updates;
  }

  #isGroupDone({ learnerIds }: LearnerGroup): boolean {
    return learnerIds.every((id) => this.#hasLearned(id));
  }

  async #grow(group: LearnerGroup): Promise<readonly CreditedTree[]> {
    const { seed, treesPerRound } = this.#spec;
    const search = trainingSearch(this.#spec);
    const trees = await Promise.all(
      Array.from({ length: treesPerRound }, (_, i) => {
        const number = (this.#round - 1) * treesPerRound + i;
        const own = deriveSeed('pocket-training', seed, group.id, number);
        const problem = this.#problems.of(number);
        return growTree(
          { problem, group, search, part: 'search', seed: own, scoredOn: 'all' },
          this.policies,
          this.#cache,
        );
      }),
    );
    return creditTrees(trees, this.#objective);
  }

  /** Adds samples to the buffers of learners that are not done. */
  #collect({ learnerIds }: LearnerGroup, trees: readonly CreditedTree[]): void {
    const samples = samplesOf(trees);
    const nodes = trees.reduce((sum, { tree }) => sum + tree.nodes.length, 0);
    const solved = trees.filter(({ tree }) => tree.nodes.some(({ passes }) => passes)).length;
    for (const id of learnerIds) {
      if (this.#hasLearned(id)) continue;
      this.#buffers.add(id, samples.get(id) ?? []);
      const own = trees.flatMap(({ tree }) => tree.nodes).filter(({ learnerId }) => learnerId === id).length;
      const share = this.#shares.get(id) as TreeShare;
      this.#shares.set(id, {
        trees: share.trees + trees.length,
        kept: share.kept + trees.filter(({ signal }) => signal !== null).length,
        solved: share.solved + solved,
        nodes: share.nodes + nodes,
        own: share.own + own,
      });
    }
  }

  #learn(learner: Learner, lines: MetricLine[], checkpoints: AgentCheckpoint[]): void {
    const { batch, updates, checkpointEvery } = this.#spec;
    const samples = this.#buffers.take(learner.id, updates - learner.updates);
    if (samples.length === 0) return;
    const share = this.#shares.get(learner.id) as TreeShare;
    const shares = {
      'node-share': share.own / share.nodes,
      'pass@n': share.solved / share.trees,
      ...(this.#objective.filter === null ? {} : { 'kept-trees': share.kept / share.trees }),
    };
    for (let from = 0; from < samples.length; from += batch) {
      const values = learner.update(samples.slice(from, from + batch), this.#objective, this.#spec);
      lines.push(this.#line(learner, { ...values, ...shares }));
      const isLast = learner.updates === updates;
      if (isLast || learner.updates % checkpointEvery === 0) checkpoints.push(this.#checkpoint(learner));
    }
    this.#shares.set(learner.id, NO_SHARE);
  }

  #line({ id, updates }: Learner, values: UpdateValues, part: Pick<MetricLine, 'part'> = {}): MetricLine {
    const samples = updates * this.#spec.batch;
    return { step: updates, round: this.#round, agent: id, ...part, samples, values };
  }

  #checkpoint({ id, policy, updates }: Learner): AgentCheckpoint {
    return { agentId: id, checkpoint: checkpointOf(policy, this.#spec.method, updates) };
  }

  #rollouts(trees: readonly CreditedTree[]): readonly Rollout[] {
    const isKnown = this.#objective.group !== 'batch';
    return trees.slice(0, 1).flatMap((tree) => rolloutsOf(tree, this.updates, isKnown));
  }

  /** Pass@1 of each agent alone. */
  async #evaluated(evaluator: Evaluator): Promise<readonly MetricLine[]> {
    const rates = await passRates(evaluator);
    return [...this.#learners.values()].map((learner) =>
      this.#line(learner, { 'pass@1': rates.get(learner.id) as number }, { part: 'evaluation' }),
    );
  }

  #checkProgress(groups: readonly LearnerGroup[]): void {
    const { updates, batch, treesPerRound, nodes } = this.#spec;
    for (const { learnerIds } of groups) {
      const most =
        ROUNDS_SAFETY_FACTOR * Math.ceil((updates * batch * learnerIds.length) / (treesPerRound * nodes));
      const late = learnerIds.find((id) => !this.#hasLearned(id));
      if (this.#round < most || late === undefined) continue;
      throw new TrainerError({
        code: 'unavailable',
        message: `After ${this.#round} rounds ${late} has made only ${this.#learner(late).updates} of its ${updates} updates.`,
        hint: 'The filter excludes too many trees, or the search gives this agent too few nodes.',
      });
    }
  }
}
