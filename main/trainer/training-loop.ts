import type { Objective, PocketTraining, Rollout } from '../../preload/contract/index';
import { deriveSeed } from '../base/index';
import { AgentBuffers } from '../objective/index';
import { type Checkpoint, checkpointOf, type PocketPolicy } from '../pocket/index';
import { type Evaluator, passRates } from './evaluation';
import { growTree } from './grow-tree';
import { type LearnerGroup, objectiveOf, trainingGroups, trainingSearch } from './learner-groups';
import { Learner, type UpdateValues } from './learner';
import { TrainerError } from './trainer-error';
import { rolloutsOf } from './rollouts';
import { type CreditedTree, creditTrees, toSavedSample, fromSavedSample, type Sample, samplesOf } from './sample';
import { decodeFloats, encodeFloats, type LearnerState, type TrainerState } from './trainer-state';
import type { TrainingInput } from './training-input';
import { TrainingProblems } from './training-problems';
import type { VerdictCache } from './verdict-cache';

/** A line of metrics.jsonl. */
export type MetricLine = {
  /** Updates of the agent. */
  readonly step: number;
  readonly round: number;
  /** null: of all agents together. */
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

/** What a learner wrote of its lane's trees since its last update. */
type TreeShare = LearnerState['share'];

const NO_SHARE: TreeShare = { trees: 0, kept: 0, solved: 0, nodes: 0, own: 0 };

/** One tree of every lane is kept for reading in each so many rounds: some megabytes a training. */
const ROLLOUT_ROUNDS = 5;
/** So many times the rounds that would do if every sample were used and shared out evenly. */
const ROUNDS_SAFETY_FACTOR = 50;

/** The rounds of a training: trees grow, learners learn. */
export class TrainingLoop {
  readonly #spec: PocketTraining;
  readonly #objective: Objective;
  readonly #lanes: readonly LearnerGroup[];
  readonly #learners: ReadonlyMap<string, Learner>;
  readonly #buffers: AgentBuffers<Sample>;
  readonly #shares = new Map<string, TreeShare>();
  readonly #problems: TrainingProblems;
  readonly #book: VerdictCache;
  #round: number;

  constructor(options: {
    readonly input: TrainingInput;
    /** As pre-trained, one an agent. */
    readonly policies: readonly PocketPolicy[];
    readonly book: VerdictCache;
    readonly saved: TrainerState | null;
  }) {
    const { input, policies, book, saved } = options;
    this.#spec = input.spec;
    this.#objective = objectiveOf(input.spec);
    this.#lanes = trainingGroups(input);
    this.#book = book;
    this.#round = saved?.round ?? 0;
    this.#problems = new TrainingProblems(input.spec);
    this.#learners = new Map(
      input.agents.map(({ id }, i) => {
        const policy = policies[i] as PocketPolicy;
        const kept = saved?.learners.find((learner) => learner.id === id) ?? null;
        this.#shares.set(id, kept?.share ?? NO_SHARE);
        return [id, new Learner(id, policy, kept === null ? null : learnerFrom(kept, policy))];
      }),
    );
    const sizes = { rolloutBatch: input.spec.batch, trainBatch: input.spec.batch };
    const waiting = Object.entries(saved?.buffers ?? {}).map(([id, samples]) => {
      const { family } = this.#learner(id).policy;
      return [id, samples.map(({ sample, age }) => ({ sample: fromSavedSample(family, sample), age }))];
    });
    this.#buffers = AgentBuffers.restored(sizes, Object.fromEntries(waiting));
  }

  /** By learner; they change while it learns. */
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
    return this.#lanes.every((lane) => this.#isOver(lane));
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

  /** Each learner as it is now. */
  checkpoints(): readonly AgentCheckpoint[] {
    return [...this.#learners.values()].map((learner) => this.#checkpoint(learner));
  }

  /** What the policies can do before anything is learned, where they are evaluated on the way. */
  async untrained(evaluator: Evaluator): Promise<readonly MetricLine[]> {
    // Of a method that learns nothing the evaluation at the end tells the same and more.
    const { every, problems } = this.#spec.evaluation;
    return every > 0 && problems > 0 && !this.isDone ? this.#evaluated(evaluator) : [];
  }

  /** Trees of all lanes side by side, then the updates in the order of lanes and learners. */
  async next(evaluator: Evaluator): Promise<RoundReport> {
    const lanes = this.#lanes.filter((lane) => !this.#isOver(lane));
    this.#refuseEndless(lanes);
    this.#round += 1;
    this.#buffers.startRound();
    const grown = await Promise.all(lanes.map((lane) => this.#grow(lane)));
    const rollouts =
      this.#round % ROLLOUT_ROUNDS === 1 ? grown.flatMap((trees) => this.#rollouts(trees)) : [];
    lanes.forEach((lane, i) => {
      this.#collect(lane, grown[i] as readonly CreditedTree[]);
    });
    const lines: MetricLine[] = [];
    const checkpoints: AgentCheckpoint[] = [];
    const before = this.#first.updates;
    for (const id of lanes.flatMap(({ learnerIds }) => learnerIds)) {
      this.#learn(this.#learner(id), lines, checkpoints);
    }
    const { every, problems } = this.#spec.evaluation;
    const isDue = every > 0 && problems > 0 && Math.floor(before / every) < Math.floor(this.#first.updates / every);
    // After the last round comes the evaluation, which tells the same and more.
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

  #isOver({ learnerIds }: LearnerGroup): boolean {
    return learnerIds.every((id) => this.#hasLearned(id));
  }

  async #grow(lane: LearnerGroup): Promise<readonly CreditedTree[]> {
    const { seed, treesPerRound } = this.#spec;
    const search = trainingSearch(this.#spec);
    const trees = await Promise.all(
      Array.from({ length: treesPerRound }, (_, i) => {
        const number = (this.#round - 1) * treesPerRound + i;
        const own = deriveSeed('pocket-training', seed, lane.id, number);
        const problem = this.#problems.of(number);
        return growTree(
          { problem, lane, search, part: 'search', seed: own, scoredOn: 'all' },
          this.policies,
          this.#book,
        );
      }),
    );
    return creditTrees(trees, this.#objective);
  }

  /** Samples go to the buffers of those who still learn. */
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

  /** Pass@1 of every agent alone. */
  async #evaluated(evaluator: Evaluator): Promise<readonly MetricLine[]> {
    const rates = await passRates(evaluator);
    return [...this.#learners.values()].map((learner) =>
      this.#line(learner, { 'pass@1': rates.get(learner.id) as number }, { part: 'evaluation' }),
    );
  }

  #refuseEndless(lanes: readonly LearnerGroup[]): void {
    const { updates, batch, treesPerRound, nodes } = this.#spec;
    for (const { learnerIds } of lanes) {
      const most = ROUNDS_SAFETY_FACTOR * Math.ceil((updates * batch * learnerIds.length) / (treesPerRound * nodes));
      const late = learnerIds.find((id) => !this.#hasLearned(id));
      if (this.#round < most || late === undefined) continue;
      throw new TrainerError({
        code: 'unavailable',
        message: `After ${this.#round} rounds ${late} has made ${this.#learner(late).updates} of its ${updates} updates.`,
        hint: 'The filter leaves too few trees, or the search gives it too few nodes.',
      });
    }
  }
}

function learnerFrom(
  kept: LearnerState,
  { weights }: PocketPolicy,
): ConstructorParameters<typeof Learner>[2] {
  const read = (text: string): Float64Array => {
    const numbers = decodeFloats(text, weights.length);
    if (numbers !== null) return numbers;
    throw new TrainerError({
      code: 'bad-input',
      message: `The saved weights of ${kept.id} are damaged: ${weights.length} numbers are needed.`,
      hint: 'Delete state.json to begin anew.',
    });
  };
  const { mean, square, steps } = kept.adam;
  return {
    weights: read(kept.weights),
    adam: { mean: read(mean), square: read(square), steps },
    updates: kept.updates,
  };
}
