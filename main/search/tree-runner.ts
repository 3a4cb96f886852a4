import type { NodeAdded, Refusal, RunEvent, TreeEnd } from '../../preload/contract';
import { type AttemptOutcome, type AttemptSurroundings, attemptTrial } from './attempt';
import { type ParentProgram, promptFor } from './prompts';
import { type RecordedTree, readRecordedTree, replayMismatch, type TrialFailed } from './recorded-tree';
import { ROOT } from './tree';
import { TreeCourse, type Trial } from './tree-course';

export type TreeRunnerOptions = AttemptSurroundings & {
  /** Events (with detail) of an earlier session: replayed, never generated again. Other trees' are passed over. */
  readonly recorded: readonly RunEvent[];
  /** Resolves when the event is written; the search goes on only then. */
  readonly record: (event: RunEvent) => Promise<void>;
  /** Ends what is under way for this tree alone, because its outcomes are not wanted any more. */
  readonly giveUp?: () => void;
};

export type TreeRunnerEnd =
  | { readonly kind: 'searched' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly refusal: Refusal };

/** Failed trials in a row that end the tree: then the fault is not chance. */
export const FAILURES_THAT_END = 10;

/** A trial that is being carried out. `settled` never rejects: a bug is a value until its turn comes. */
type Running = {
  readonly trial: Trial;
  readonly settled: Promise<{
    readonly trial: Trial;
    readonly outcome: AttemptOutcome | { readonly bug: unknown };
  }>;
};

/**
 * Searches one tree. In the order `asked`, trials are asked in batches, carried out side by side, and told and
 * recorded in the order in which they were asked, so that the same seed gives the same events whatever takes how
 * long; only `at`, `generateMs` and `gradeMs` differ. In the order `arrival`, as many trials as a batch has are kept
 * under way, and each is told and recorded as it comes.
 *
 * The order of the journal is the order of telling: a resumed tree asks everything again, takes the outcomes that it
 * finds in `recorded`, and carries out anew what was under way when the journal ends.
 */
export function searchTree(options: TreeRunnerOptions): Promise<TreeRunnerEnd> {
  return new TreeRunner(options).search();
}

class TreeRunner {
  readonly #options: TreeRunnerOptions;
  readonly #course: TreeCourse;
  readonly #recorded: RecordedTree;
  readonly #nodes: ParentProgram[] = [];
  /** In the order of asking. */
  readonly #running = new Map<number, Running>();
  #failuresInRow = 0;

  constructor(options: TreeRunnerOptions) {
    this.#options = options;
    this.#recorded = readRecordedTree(options.recorded, options.problem.id, options.part);
    this.#course = new TreeCourse(options.config, options.problem.id, options.part);
  }

  async search(): Promise<TreeRunnerEnd> {
    if (this.#recorded.searched !== null) return { kind: 'searched' };
    const mismatch = this.#replay();
    if (mismatch !== null) return this.#doesNotReplay(mismatch);
    try {
      return await this.#goOn();
    } finally {
      // Nothing may be under way when this returns or throws.
      await Promise.all([...this.#running.values()].map(({ settled }) => settled));
    }
  }

  /** Asks for everything that the journal has an outcome of; null when they agree. */
  #replay(): string | null {
    for (const recorded of this.#recorded.outcomes) {
      this.#course.ask();
      const [oldest] = this.#course.underWay;
      if (oldest === undefined || this.#course.isSolved) {
        return 'there are more outcomes in the journal than the search asks for';
      }
      const trial = this.#course.expected(recorded.trial) ?? oldest;
      const mismatch = replayMismatch(
        { ...trial, index: this.#course.nodes, promptDigest: this.#promptDigest(trial) },
        recorded,
      );
      if (mismatch !== null) return mismatch;
      this.#apply(trial, recorded);
    }
    return null;
  }

  async #goOn(): Promise<TreeRunnerEnd> {
    for (;;) {
      if (!this.#options.stop.aborted) this.#course.ask();
      else if (this.#running.size === 0) return { kind: 'stopped' };
      const end = this.#course.end();
      if (end !== null) return this.#finish(end);
      if (!this.#options.stop.aborted) {
        for (const trial of this.#course.underWay) if (!this.#running.has(trial.trial)) this.#begin(trial);
      }
      const failure = await this.#takeNext();
      if (failure !== null) return failure;
    }
  }

  async #finish(reason: TreeEnd): Promise<TreeRunnerEnd> {
    const { problem, part, record, now, giveUp } = this.#options;
    if (this.#running.size > 0) giveUp?.(); // of a solved tree: nothing else ends with trials under way
    await record({ kind: 'tree-searched', at: now(), problemId: problem.id, part, reason });
    return { kind: 'searched' };
  }

  #begin(trial: Trial): void {
    const settled = attemptTrial(trial, this.#messages(trial), this.#options).then(
      (outcome) => ({ trial, outcome }),
      (bug: unknown) => ({ trial, outcome: { bug } }),
    );
    this.#running.set(trial.trial, { trial, settled });
  }

  /** Waits for the outcome whose turn it is, records and tells it. Null when the search is to go on. */
  async #takeNext(): Promise<TreeRunnerEnd | null> {
    const [oldest] = this.#running.values();
    if (oldest === undefined) throw new Error('A search without an end has a trial under way');
    const { trial, outcome } = await (this.#options.config.search.order === 'arrival'
      ? Promise.race([...this.#running.values()].map(({ settled }) => settled))
      : oldest.settled);
    this.#running.delete(trial.trial);
    if ('bug' in outcome) throw outcome.bug;
    if (outcome.kind === 'dropped') {
      // In the order of asking nothing behind it can be recorded; otherwise what has come still can.
      return this.#options.config.search.order === 'asked' ? { kind: 'stopped' } : null;
    }
    const at = this.#options.now();
    const event =
      outcome.kind === 'node'
        ? { ...outcome.node, at, index: this.#course.nodes }
        : { ...outcome.failure, at };
    await this.#options.record(event);
    this.#apply(trial, event);
    return this.#countFailure(event);
  }

  /** The same for an outcome that has just been recorded and one replayed. */
  #apply(trial: Trial, event: NodeAdded | TrialFailed): void {
    this.#course.tell(trial, event);
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
    // A recording that has nothing more to give is no fault.
    else if (event.reason !== 'exhausted' && event.reason !== 'no-refinement') this.#failuresInRow += 1;
    if (event.kind === 'node-added' || this.#failuresInRow < FAILURES_THAT_END) return null;
    const what = event.reason === 'server' ? 'generations' : 'trials';
    return {
      kind: 'failed',
      refusal: {
        code: 'unavailable',
        message: `${FAILURES_THAT_END} ${what} in a row failed on problem ${this.#options.problem.id}, the last one of agent ${event.agentId}: ${event.message}`,
        hint: "Look at the server's log, then resume the study: what was searched so far is kept.",
      },
    };
  }

  #doesNotReplay(mismatch: string): TreeRunnerEnd {
    const { problem, part } = this.#options;
    return {
      kind: 'failed',
      refusal: {
        code: 'bad-input',
        message: `This journal does not replay: in the ${part} tree of problem ${problem.id}, ${mismatch}.`,
        hint: 'It was written by another version or was changed. Run the study anew, or open it with the version that made it.',
      },
    };
  }
}
