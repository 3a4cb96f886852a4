import {
  isLimitsEvent,
  type NodeAdded,
  type Refusal,
  type RunEvent,
  type TreeEnd,
} from '../../preload/contract';
import type { Generated } from './generation';
import { type ParentProgram, promptFor } from './prompts';
import {
  configAtStart,
  type RecordedTree,
  readRecordedTree,
  replayMismatch,
  type TrialFailed,
} from './recorded-tree';
import { runTrial, type TrialDeps, type TrialResult } from './run-trial';
import { ROOT } from './tree';
import { type Trial, TrialScheduler } from './trial-scheduler';

export type TreeRunnerOptions<Answer extends Generated = Generated> = TrialDeps<Answer> & {
  /** Events (with detail) of an earlier session: replayed, never generated again. Other trees' are ignored. */
  readonly recorded: readonly RunEvent[];
  /**
   * Resolves when the event is written; the search waits for it. `answer`: what `generate` returned for this node; null
   * for events that are not nodes. Replayed events are not recorded again.
   */
  readonly record: (event: RunEvent, answer: Answer | null) => Promise<void>;
  /** Cancels this tree's running requests when the tree is solved. */
  readonly abandonRunning?: () => void;
};

export type TreeRunnerEnd =
  | { readonly kind: 'searched' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly refusal: Refusal };

/** This many failed trials in a row end the tree: then the fault is not chance. */
const FAILURES_THAT_END = 10;

/** A running trial. `settled` never rejects: a bug is a value until its turn comes. */
type Running<Answer extends Generated> = {
  readonly trial: Trial;
  readonly result: Promise<{
    readonly trial: Trial;
    readonly outcome: TrialResult<Answer> | { readonly bug: unknown };
  }>;
};

/**
 * Searches one tree. In the order `asked`, trials are asked in batches, run in parallel, and told and recorded in the
 * order of asking, so that the same seed gives the same events however long anything takes; only `at`, `generateMs` and
 * `gradeMs` differ. In the order `arrival`, a batch of trials is kept running, and each is told and recorded when it
 * completes.
 *
 * The journal is in the order of telling: a resumed tree asks for everything again, takes the outcomes in `recorded`,
 * and reruns the trials that were running when the journal ends.
 */
export function searchTree<Answer extends Generated>(
  options: TreeRunnerOptions<Answer>,
): Promise<TreeRunnerEnd> {
  return new TreeRunner(options).search();
}

class TreeRunner<Answer extends Generated> {
  readonly #options: TreeRunnerOptions<Answer>;
  readonly #scheduler: TrialScheduler;
  readonly #recorded: RecordedTree;
  readonly #nodes: ParentProgram[] = [];
  /** In the order of asking. */
  readonly #running = new Map<number, Running<Answer>>();
  #failuresInRow = 0;

  constructor(options: TreeRunnerOptions<Answer>) {
    this.#options = options;
    this.#recorded = readRecordedTree(options.recorded, options.problem.id, options.part);
    const config = configAtStart(options.config, this.#recorded);
    this.#scheduler = new TrialScheduler(config, options.problem.id, options.part);
  }

  async search(): Promise<TreeRunnerEnd> {
    if (this.#recorded.searched !== null) return { kind: 'searched' };
    const mismatch = this.#replay();
    if (mismatch !== null) return this.#replayFailed(mismatch);
    try {
      return await this.#run();
    } finally {
      // No trial may be running when this returns or throws.
      await Promise.all([...this.#running.values()].map(({ result }) => result));
    }
  }

  /** Replays all steps of the journal; null when the search agrees with them. */
  #replay(): string | null {
    for (const recorded of this.#recorded.steps) {
      if (isLimitsEvent(recorded)) {
        this.#scheduler.changeLimits(recorded);
        continue;
      }
      this.#scheduler.ask();
      const [oldest] = this.#scheduler.running;
      if (oldest === undefined || this.#scheduler.shouldAbandonRunning) {
        return 'the journal has more outcomes than the search asks for';
      }
      const trial = this.#scheduler.expected(recorded.trial) ?? oldest;
      const mismatch = replayMismatch(
        { ...trial, index: this.#scheduler.nodes, promptDigest: this.#promptDigest(trial) },
        recorded,
      );
      if (mismatch !== null) return mismatch;
      this.#apply(trial, recorded);
    }
    return null;
  }

  async #run(): Promise<TreeRunnerEnd> {
    for (;;) {
      if (!this.#options.stop.aborted) this.#scheduler.ask();
      else if (this.#running.size === 0) return { kind: 'stopped' };
      const end = this.#scheduler.end();
      if (end !== null) return this.#finish(end);
      if (!this.#options.stop.aborted) {
        for (const trial of this.#scheduler.running) if (!this.#running.has(trial.trial)) this.#start(trial);
      }
      const failure = await this.#awaitNext();
      if (failure !== null) return failure;
    }
  }

  async #finish(reason: TreeEnd): Promise<TreeRunnerEnd> {
    const { problem, part, record, now, abandonRunning } = this.#options;
    if (this.#running.size > 0) abandonRunning?.(); // only a solved tree ends with running trials
    await record({ kind: 'tree-searched', at: now(), problemId: problem.id, part, reason }, null);
    return { kind: 'searched' };
  }

  #start(trial: Trial): void {
    const result = runTrial(trial, this.#messages(trial), this.#options).then(
      (outcome) => ({ trial, outcome }),
      (bug: unknown) => ({ trial, outcome: { bug } }),
    );
    this.#running.set(trial.trial, { trial, result });
  }

  /** Waits for the next outcome by the order, records and tells it. Null: continue. */
  async #awaitNext(): Promise<TreeRunnerEnd | null> {
    const [oldest] = this.#running.values();
    if (oldest === undefined) throw new Error('A search without an end has a trial under way');
    const { trial, outcome } = await (this.#options.config.search.order === 'arrival'
      ? Promise.race([...this.#running.values()].map(({ result }) => result))
      : oldest.result);
    this.#running.delete(trial.trial);
    if ('bug' in outcome) throw outcome.bug;
    if (outcome.kind === 'dropped') {
      // In the order of asking, no later outcome can be recorded; in the order of arrival it can.
      return this.#options.config.search.order === 'asked' ? { kind: 'stopped' } : null;
    }
    const at = this.#options.now();
    const event =
      outcome.kind === 'node'
        ? { ...outcome.node, at, index: this.#scheduler.nodes }
        : { ...outcome.failure, at };
    await this.#options.record(event, outcome.kind === 'node' ? outcome.answer : null);
    this.#apply(trial, event);
    return this.#countFailure(event);
  }

  /** Applies an outcome, just recorded or replayed. */
  #apply(trial: Trial, event: NodeAdded | TrialFailed): void {
    this.#scheduler.tell(trial, event);
    if (event.kind !== 'node-added') return;
    this.#nodes.push({
      program: event.detail?.program ?? null,
      answer: event.detail?.answer ?? '',
      publicVerdicts: event.publicVerdicts,
      publicResults: event.detail?.publicGrade.results ?? [],
    });
  }

  #messages(trial: Trial): ReturnType<typeof promptFor> {
    const { config, problem } = this.#options;
    const agent = config.team.agents.find(({ id }) => id === trial.agentId);
    if (agent === undefined) throw new Error(`The team has no agent ${trial.agentId}`);
    const parent = trial.parent === ROOT ? null : (this.#nodes[trial.parent] as ParentProgram);
    return promptFor(problem, agent, parent, config.search.feedback);
  }

  #promptDigest(trial: Trial): string {
    return this.#options.digest(JSON.stringify(this.#messages(trial)));
  }

  #countFailure(event: NodeAdded | TrialFailed): TreeRunnerEnd | null {
    if (event.kind === 'node-added') this.#failuresInRow = 0;
    // A recording without further samples is not a fault.
    else if (event.reason !== 'exhausted' && event.reason !== 'no-refinement') this.#failuresInRow += 1;
    if (event.kind === 'node-added' || this.#failuresInRow < FAILURES_THAT_END) return null;
    const noun = event.reason === 'server' ? 'generations' : 'trials';
    return {
      kind: 'failed',
      refusal: {
        code: 'unavailable',
        message: `${FAILURES_THAT_END} ${noun} in a row failed on problem ${this.#options.problem.id}, the last one of agent ${event.agentId}: ${event.message}`,
        hint: "Check the server's log, then resume the study. Everything searched so far is kept.",
      },
    };
  }

  #replayFailed(mismatch: string): TreeRunnerEnd {
    const { problem, part } = this.#options;
    return {
      kind: 'failed',
      refusal: {
        code: 'bad-input',
        message: `This journal does not replay: in the ${part} tree of problem ${problem.id}, ${mismatch}.`,
        hint: 'It was written by another version or was changed. Run the study again, or open it with the version that made it.',
      },
    };
  }
}
