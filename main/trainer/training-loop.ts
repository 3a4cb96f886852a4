import { join } from 'node:path';
import type { Objective } from '../../preload/contract/index';
import { deriveSeed } from '../base/index';
import { AgentBuffers } from '../objective/index';
import { type GrownTree, growTree, type TreeDeps } from './grow-tree';
import { Learner, type OldPolicySource, type UpdateValues } from './learner';
import { type LearnerGroup, objectiveOf, trainingGroups, trainingSearch } from './learner-groups';
import { agentIdsOf, type LearningInput } from './learning-input';
import type { Policy } from './policy';
import { checkRounds } from './round-limit';
import {
  type MetricLine,
  NO_SHARE,
  type RoundReport,
  type TreeShare,
  timeValues,
  withTrees,
} from './round-report';
import { runConcurrently } from './run-concurrently';
import {
  type CreditedTree,
  creditTrees,
  fromSavedSample,
  rolloutsOf,
  type Sample,
  samplesOf,
  toSavedSample,
  truncatedShare,
} from './sample';
import type { LearnerState, TrainerState } from './trainer-state';
import type { TrainingEnvironment } from './training-environment';

/** After this many rounds, one tree of each group is saved as rollouts: some megabytes per training. */
const ROLLOUT_ROUNDS = 5;

export type LoopOptions<Trace> = {
  readonly learning: LearningInput;
  readonly deps: TreeDeps<Trace>;
  readonly environment: Pick<TrainingEnvironment, 'problemOf'>;
  readonly oldFrom: OldPolicySource;
  /** The same seed gives the same bytes: no metric depends on a clock. */
  readonly isReproducible: boolean;
  /** Folder of the checkpoints. */
  readonly checkpoints: string;
  /** Its policies have been restored. */
  readonly saved: Pick<TrainerState, 'round' | 'learners' | 'buffers'> | null;
  /** Pass@1 of each agent alone on the held-out problems, by id; called where evaluations during training are due. */
  readonly passRates: () => Promise<ReadonlyMap<string, number>>;
  /** After each tree of a round; with the last one the learning begins. */
  readonly onTree?: (done: number, of: number) => Promise<void>;
};

/** The training loop: each round grows trees and updates learners. */
export class TrainingLoop<Trace> {
  readonly #options: LoopOptions<Trace>;
  readonly #spec: LearningInput['spec'];
  readonly #objective: Objective;
  readonly #groups: readonly LearnerGroup[];
  readonly #learners: ReadonlyMap<string, Learner<Trace>>;
  readonly #buffers: AgentBuffers<Sample<Trace>>;
  readonly #shares = new Map<string, TreeShare>();
  #round: number;

  constructor(options: LoopOptions<Trace>) {
    const { learning, deps, saved } = options;
    const { spec } = learning;
    this.#options = options;
    this.#spec = spec;
    this.#objective = objectiveOf(spec);
    this.#groups = trainingGroups(learning);
    this.#round = saved?.round ?? 0;
    this.#learners = new Map(
      agentIdsOf(learning).map((id) => {
        const state = saved?.learners.find((learner) => learner.id === id);
        this.#shares.set(id, state?.share ?? NO_SHARE);
        return [id, new Learner(deps.policies.get(id) as Policy<Trace>, state?.updates)];
      }),
    );
    const sizes = { rolloutBatch: spec.batch, trainBatch: spec.batch };
    const waiting = Object.entries(saved?.buffers ?? {}).map(([id, samples]) => {
      const { codec } = this.#learner(id).policy;
      return [id, samples.map(({ sample, age }) => ({ sample: fromSavedSample(codec, sample), age }))];
    });
    this.#buffers = AgentBuffers.restored(sizes, Object.fromEntries(waiting));
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

  async state(): Promise<Pick<TrainerState, 'round' | 'learners' | 'buffers'>> {
    const learners = await Promise.all(
      [...this.#learners.values()].map(async ({ id, policy, updates }): Promise<LearnerState> => {
        const mark = await policy.save();
        return { id, updates, ...mark, share: this.#shares.get(id) as TreeShare };
      }),
    );
    const buffers = Object.entries(this.#buffers.state()).map(([id, waiting]) => {
      const { codec } = this.#learner(id).policy;
      return [id, waiting.map(({ sample, age }) => ({ sample: toSavedSample(codec, sample), age }))];
    });
    return { round: this.#round, learners, buffers: Object.fromEntries(buffers) };
  }

  /** Writes a checkpoint of the current state of each learner. */
  async saveCheckpoints(): Promise<void> {
    for (const learner of this.#learners.values()) await this.#saveCheckpoint(learner);
  }

  /** Evaluation of the untrained policies, if evaluations before or during training are enabled. */
  async untrained(): Promise<readonly MetricLine[]> {
    // Without updates, the final evaluation includes this.
    const { every, problems } = this.#spec.evaluation;
    const isDue = this.#options.learning.measuresBefore ?? every > 0;
    return isDue && problems > 0 && !this.isDone ? this.#evaluated() : [];
  }

  /**
   * Grows the trees of all groups concurrently, then updates their learners concurrently. After a failure this object must
   * not be used any more.
   */
  async next(): Promise<RoundReport> {
    const { deps, isReproducible } = this.#options;
    const groups = this.#groups.filter((group) => !this.#isGroupDone(group));
    checkRounds(this.#round, this.#spec, groups, this.updates);
    this.#round += 1;
    this.#dropStale();
    const began = deps.now();
    const grown = await this.#grow(groups);
    const rollouts =
      this.#round % ROLLOUT_ROUNDS === 1 ? grown.flatMap((trees) => this.#rollouts(trees)) : [];
    groups.forEach((group, i) => {
      this.#collect(group, grown[i] as readonly CreditedTree<Trace>[]);
    });
    const searched = deps.now();
    const before = this.#first.updates;
    const learners = groups.flatMap(({ learnerIds }) => learnerIds.map((id) => this.#learner(id)));
    let lines = (await Promise.all(learners.map((learner) => this.#learn(learner)))).flat();
    if (!isReproducible) {
      const trees = grown.flatMap((credited) => credited.map(({ tree }) => tree));
      const times = timeValues(trees, searched - began, deps.now() - searched);
      lines = lines.map((line) => ({ ...line, values: { ...line.values, ...times } }));
    }
    const { every, problems } = this.#spec.evaluation;
    const isDue =
      every > 0 && problems > 0 && Math.floor(before / every) < Math.floor(this.#first.updates / every);
    // The final evaluation follows the last round and includes this.
    if (isDue && !this.isDone) lines.push(...(await this.#evaluated()));
    return { lines, rollouts };
  }

  get #first(): Learner<Trace> {
    return [...this.#learners.values()][0] as Learner<Trace>;
  }

  #learner(id: string): Learner<Trace> {
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

  /** The trees of this round, by group. */
  async #grow(groups: readonly LearnerGroup[]): Promise<readonly (readonly CreditedTree<Trace>[])[]> {
    const { deps, onTree } = this.#options;
    const { treesPerRound } = this.#spec;
    let done = 0;
    const trees = await runConcurrently(
      deps.signal,
      groups.flatMap((group) =>
        Array.from({ length: treesPerRound }, (_, i) => async (signal: AbortSignal) => {
          const tree = await this.#growOne(group, (this.#round - 1) * treesPerRound + i, { ...deps, signal });
          done += 1;
          await onTree?.(done, groups.length * treesPerRound);
          return tree;
        }),
      ),
    );
    return groups.map((_, i) =>
      creditTrees(trees.slice(i * treesPerRound, (i + 1) * treesPerRound), this.#objective),
    );
  }

  async #growOne(group: LearnerGroup, number: number, deps: TreeDeps<Trace>): Promise<GrownTree<Trace>> {
    const { kind, seed } = this.#spec;
    const problem = await this.#options.environment.problemOf(number);
    const own = deriveSeed(`${kind}-training`, seed, group.id, number);
    const search = trainingSearch(this.#spec);
    return growTree({ problem, group, search, part: 'search', seed: own, scoredOn: 'all' }, deps);
  }

  /** Leaves out samples that are too far from the current weights, and counts them. */
  #dropStale(): void {
    for (const [id, count] of this.#buffers.startRound()) {
      const share = this.#shares.get(id) as TreeShare;
      this.#shares.set(id, { ...share, stale: share.stale + count });
    }
  }

  /** Adds samples to the buffers of learners that are not done. */
  #collect({ learnerIds }: LearnerGroup, trees: readonly CreditedTree<Trace>[]): void {
    const samples = samplesOf(trees);
    for (const id of learnerIds) {
      if (this.#hasLearned(id)) continue;
      this.#buffers.add(id, samples.get(id) ?? []);
      const share = this.#shares.get(id) as TreeShare;
      this.#shares.set(id, withTrees(share, id, trees));
    }
  }

  /** All updates for which there are samples; nothing where there are too few. */
  async #learn(learner: Learner<Trace>): Promise<readonly MetricLine[]> {
    const { batch, updates, checkpointEvery } = this.#spec;
    const samples = this.#buffers.take(learner.id, updates - learner.updates);
    if (samples.length === 0) return [];
    const share = this.#shares.get(learner.id) as TreeShare;
    const { isReproducible, oldFrom } = this.#options;
    const shares = {
      'node-share': share.own / share.nodes,
      'pass@n': share.solved / share.trees,
      ...(this.#objective.filter === null ? {} : { 'kept-trees': share.kept / share.trees }),
    };
    const old = await learner.oldScores(samples, batch, oldFrom);
    const lines: MetricLine[] = [];
    for (let i = 0; i * batch < samples.length; i++) {
      const own = samples.slice(i * batch, (i + 1) * batch);
      const values = await learner.update(own, this.#objective, this.#spec, old[i]);
      // Pocket trainings keep the lines that they had.
      const use = isReproducible
        ? {}
        : {
            'cut-answers': truncatedShare(own),
            'stale-samples': share.stale,
            'unjudged-samples': share.unjudged ?? 0,
          };
      lines.push(this.#line(learner, { ...values, ...shares, ...use }));
      const isLast = learner.updates === updates;
      if (isLast || learner.updates % checkpointEvery === 0) await this.#saveCheckpoint(learner);
    }
    const published = await learner.policy.publish();
    this.#shares.set(learner.id, NO_SHARE);
    const last = lines.pop() as MetricLine;
    return [...lines, { ...last, values: { ...last.values, ...published } }];
  }

  #line(
    { id, updates }: Learner<Trace>,
    values: UpdateValues,
    part: Pick<MetricLine, 'part'> = {},
  ): MetricLine {
    const samples = updates * this.#spec.batch;
    return { step: updates, round: this.#round, agent: id, ...part, samples, values };
  }

  async #saveCheckpoint({ id, policy, updates }: Learner<Trace>): Promise<void> {
    await policy.exportTo(join(this.#options.checkpoints, `${id}-${String(updates).padStart(6, '0')}`));
  }

  #rollouts(trees: readonly CreditedTree<Trace>[]): ReturnType<typeof rolloutsOf> {
    const isKnown = this.#objective.group !== 'batch';
    return trees.slice(0, 1).flatMap((tree) => rolloutsOf(tree, this.updates, isKnown));
  }

  /** Pass@1 of each agent alone. */
  async #evaluated(): Promise<readonly MetricLine[]> {
    const rates = await this.#options.passRates();
    return [...this.#learners.values()].map((learner) =>
      this.#line(learner, { 'pass@1': rates.get(learner.id) as number }, { part: 'evaluation' }),
    );
  }
}
