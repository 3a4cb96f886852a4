import type {
  Agent,
  Grade,
  NodeAdded,
  Problem,
  Refusal,
  RunConfig,
  RunEvent,
  SearchOptions,
  TreePart,
} from '../../preload/contract';
import { assertNever, deriveSeed, randomStream } from '../base';
import { extractProgram } from './extract-program';
import { type Generate, generateWithRetries, Ordinals, type Stop } from './generation';
import { type ParentProgram, promptFor } from './prompts';
import { type RecordedTree, readRecordedTree, replayMismatch, type TrialFailed } from './recorded-tree';
import { type Ask, createSampling, createStrategy, type TreeStrategy } from './strategy';
import { ROOT } from './tree';

export type TreeRunnerOptions = {
  readonly problem: Problem;
  /** search: the run's strategy and nodes; samples: `samplesPerAgent` first attempts of each agent. */
  readonly part: TreePart;
  readonly config: RunConfig;
  /** Events (with detail) of an earlier session: replayed, never generated again. Other trees' are passed over. */
  readonly recorded: readonly RunEvent[];
  readonly generate: Generate;
  /** Runs the public tests; has its own retries for faults of the sandbox. */
  readonly grade: (program: string) => Promise<Grade>;
  /** Resolves when the event is written; the search goes on only then. */
  readonly record: (event: RunEvent) => Promise<void>;
  /** First 16 hex digits of the SHA-256. */
  readonly digest: (text: string) => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly stop: Stop;
};

export type TreeRunnerEnd =
  | { readonly kind: 'searched' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly refusal: Refusal };

/** Failed trials in a row that end the tree: then the fault is not chance. */
const FAILURES_THAT_END = 10;

/** One trial as it was asked, with all that decides its outcome. */
type Slot = Ask & {
  readonly agent: Agent;
  readonly ordinal: number;
  readonly generationSeed: number;
  readonly messages: ReturnType<typeof promptFor>;
  readonly promptDigest: string;
};

type Outcome =
  | { readonly kind: 'node'; readonly node: Omit<NodeAdded, 'at' | 'index'> }
  | { readonly kind: 'failed'; readonly failure: Omit<TrialFailed, 'at'> }
  | { readonly kind: 'dropped' };

/** Share of the public tests passed, or 1 only when all pass; 0 where there are none. */
export function scoreOf(grade: Grade, publicTests: number, score: SearchOptions['score']): number {
  if (publicTests === 0) return 0;
  const passed = grade.results.filter((result) => result.verdict === 'passed').length;
  if (score === 'fraction') return passed / publicTests;
  return grade.verdict === 'passed' && passed === publicTests ? 1 : 0;
}

/**
 * Searches one tree. Trials are asked in batches, carried out side by side, and told and recorded in the order in
 * which they were asked, so that the same seed gives the same events whatever takes how long; only
 * `at`, `generateMs` and `gradeMs` differ. A resumed tree asks everything again and takes the outcomes that it
 * finds in `recorded`.
 */
export function searchTree(options: TreeRunnerOptions): Promise<TreeRunnerEnd> {
  return new TreeRunner(options).search();
}

class TreeRunner {
  readonly #options: TreeRunnerOptions;
  readonly #strategy: TreeStrategy;
  readonly #recorded: RecordedTree;
  readonly #budget: number;
  readonly #ordinals = new Ordinals();
  readonly #nodes: ParentProgram[] = [];
  #replayed = 0;
  #failuresInRow = 0;

  constructor(options: TreeRunnerOptions) {
    const { config, part, problem } = options;
    const agentIds = config.team.agents.map((agent) => agent.id);
    const { strategy, nodes, samplesPerAgent } = config.search;
    this.#options = options;
    this.#recorded = readRecordedTree(options.recorded, problem.id, part);
    this.#budget = part === 'search' ? nodes : samplesPerAgent * agentIds.length;
    this.#strategy =
      part === 'search'
        ? createStrategy(strategy, agentIds, randomStream(config.seed, problem.id, part))
        : createSampling(agentIds, samplesPerAgent);
  }

  async search(): Promise<TreeRunnerEnd> {
    if (this.#recorded.searched !== null) return { kind: 'searched' };
    for (;;) {
      if (this.#options.stop.aborted) return { kind: 'stopped' };
      const slots = this.#askBatch();
      if (slots.length === 0) return this.#finish();
      const end = await this.#carryOut(slots);
      if (end !== null) return end;
    }
  }

  /** The last batch is cut to the nodes that are still wanted. */
  #askBatch(): Slot[] {
    const size = Math.min(this.#options.config.search.batch, this.#budget - this.#nodes.length);
    const slots: Slot[] = [];
    while (slots.length < size) {
      const ask = this.#strategy.ask();
      if (ask === null) break;
      slots.push(this.#slot(ask));
    }
    return slots;
  }

  #slot(ask: Ask): Slot {
    const { config, problem, part, digest } = this.#options;
    const agent = config.team.agents.find(({ id }) => id === ask.agentId) as Agent;
    const parent = ask.parent === ROOT ? null : (this.#nodes[ask.parent] as ParentProgram);
    const messages = promptFor(problem, agent, parent);
    return {
      ...ask,
      agent,
      ordinal: this.#ordinals.take(agent.id),
      generationSeed: deriveSeed(config.seed, problem.id, part, ask.trial),
      messages,
      promptDigest: digest(JSON.stringify(messages)),
    };
  }

  /** Null when the search is to go on. */
  async #carryOut(slots: readonly Slot[]): Promise<TreeRunnerEnd | null> {
    const known = this.#recorded.outcomes.slice(this.#replayed, this.#replayed + slots.length);
    this.#replayed += known.length;
    for (const [i, recorded] of known.entries()) {
      const slot = slots[i] as Slot;
      const mismatch = replayMismatch({ ...slot, index: this.#nodes.length }, recorded);
      if (mismatch !== null) return this.#doesNotReplay(mismatch);
      this.#apply(slot, recorded);
    }
    return this.#carryOutLive(slots.slice(known.length));
  }

  async #carryOutLive(slots: readonly Slot[]): Promise<TreeRunnerEnd | null> {
    const attempts = slots.map((slot) => this.#attempt(slot));
    // Nothing may be under way when this returns or throws, nor may a late rejection go unheard.
    const settled = Promise.allSettled(attempts);
    try {
      for (const [i, slot] of slots.entries()) {
        const outcome = await (attempts[i] as Promise<Outcome>);
        if (outcome.kind === 'dropped') return { kind: 'stopped' };
        const at = this.#options.now();
        const event =
          outcome.kind === 'node'
            ? { ...outcome.node, at, index: this.#nodes.length }
            : { ...outcome.failure, at };
        await this.#options.record(event);
        this.#apply(slot, event);
        const end = this.#countFailure(event);
        if (end !== null) return end;
      }
      return null;
    } finally {
      await settled;
    }
  }

  async #attempt(slot: Slot): Promise<Outcome> {
    const { problem, part, config, generate, grade, digest, now, sleep, stop } = this.#options;
    const { trial, agentId, agent, messages, ordinal, generationSeed } = slot;
    const where = { problemId: problem.id, part };
    const started = now();
    const request = { agent, messages, seed: generationSeed, ...where, ordinal, signal: stop };
    const answer = await generateWithRetries(generate, request, sleep);
    if (!answer.ok) {
      if (answer.error.kind === 'stopped') return { kind: 'dropped' };
      const { kind: reason, message } = answer.error;
      return { kind: 'failed', failure: { kind: 'trial-failed', ...where, trial, agentId, reason, message } };
    }
    if (stop.aborted) return { kind: 'dropped' };

    const generated = now();
    const program = extractProgram(answer.value.answer, agent.extraction);
    const publicGrade: Grade = program === null ? { verdict: 'no-code', results: [] } : await grade(program);
    const fault = publicGrade.results.find(({ verdict }) => verdict === 'sandbox-fault');
    if (publicGrade.verdict === 'sandbox-fault' || fault !== undefined) {
      if (stop.aborted) return { kind: 'dropped' };
      const message = fault?.error ?? 'The sandbox failed on the public tests of this program.';
      const failure = {
        kind: 'trial-failed',
        ...where,
        trial,
        agentId,
        reason: 'sandbox-fault',
        message,
      } as const;
      return { kind: 'failed', failure };
    }
    return {
      kind: 'node',
      node: {
        kind: 'node-added',
        ...where,
        trial,
        parent: slot.parent,
        agentId,
        score: scoreOf(publicGrade, problem.publicTests.length, config.search.score),
        publicVerdict: publicGrade.verdict,
        publicVerdicts: publicGrade.results.map(({ verdict }) => verdict),
        generationSeed,
        programDigest: program === null ? null : digest(program),
        promptTokens: answer.value.promptTokens,
        completionTokens: answer.value.completionTokens,
        generateMs: generated - started,
        gradeMs: now() - generated,
        detail: { answer: answer.value.answer, program, promptDigest: slot.promptDigest, publicGrade },
      },
    };
  }

  /** What an outcome means for the search; the same for one that has just been recorded and one replayed. */
  #apply(slot: Slot, event: NodeAdded | TrialFailed): void {
    const { trial, agentId, ordinal } = slot;
    if (event.kind === 'node-added') {
      this.#strategy.tell(trial, { kind: 'node', index: event.index, score: event.score });
      this.#nodes.push({ program: event.detail?.program ?? null, publicVerdicts: event.publicVerdicts });
      return;
    }
    this.#strategy.tell(trial, { kind: 'failed' });
    switch (event.reason) {
      case 'exhausted':
        this.#strategy.retire(agentId);
        return;
      case 'server':
        this.#ordinals.giveBack(agentId, ordinal);
        return;
      case 'sandbox-fault':
        return; // the sample is used: the same one would fail again
      default:
        assertNever(event.reason);
    }
  }

  #countFailure(event: NodeAdded | TrialFailed): TreeRunnerEnd | null {
    if (event.kind === 'node-added') this.#failuresInRow = 0;
    else if (event.reason !== 'exhausted') this.#failuresInRow += 1;
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

  async #finish(): Promise<TreeRunnerEnd> {
    const { problem, part, record, now } = this.#options;
    if (this.#replayed < this.#recorded.outcomes.length) {
      return this.#doesNotReplay('there are more outcomes in the journal than the search asks for');
    }
    const reason = this.#nodes.length >= this.#budget ? 'budget' : 'exhausted';
    await record({ kind: 'tree-searched', at: now(), problemId: problem.id, part, reason });
    return { kind: 'searched' };
  }
}
