import { setMaxListeners } from 'node:events';
import { type Grader, type ItemResult, SERVICE_LIMITS, type ServiceAnswer } from '../grading';
import { gradeItem, type ItemDeps } from './grade-item';

/** Why the rest of a request's items is not graded: its time, the service's end, or a client that left. */
export type End = 'timeout' | 'closing' | 'gone';

export type Batch = {
  readonly items: readonly unknown[];
  readonly details: boolean;
  readonly timeoutSeconds: number;
};

/** One request that is under way, from before its body is read. */
export type UnderWay = {
  /** Ends the rest of its items; the first reason counts. */
  readonly end: (why: End) => void;
  readonly ended: () => End | null;
  readonly grade: (batch: Batch) => Promise<ServiceAnswer>;
};

/** The requests under way and their items. */
export class Batches {
  readonly #deps: ItemDeps & { readonly grader: Pick<Grader, 'grade' | 'health'> };
  readonly #underWay = new Set<UnderWay>();
  #ungraded = 0;
  #unfinished = 0;

  constructor(deps: ItemDeps & { readonly grader: Pick<Grader, 'grade' | 'health'> }) {
    this.#deps = deps;
  }

  /** Requests under way. */
  get size(): number {
    return this.#underWay.size;
  }

  /** Items that are asked for and have no result yet. */
  get ungraded(): number {
    return this.#ungraded;
  }

  /** Items that were answered with the error that the service ended before them. */
  get unfinished(): number {
    return this.#unfinished;
  }

  endAll(why: End): void {
    for (const task of this.#underWay) task.end(why);
  }

  /** Reserves a slot for a request while `work` runs; calls `onEnd` when it is ended early. */
  async during(onEnd: () => void, work: (request: UnderWay) => Promise<void>): Promise<void> {
    const stop = new AbortController();
    // Every item of a batch listens.
    setMaxListeners(0, stop.signal);
    let ended: End | null = null;
    const request: UnderWay = {
      ended: () => ended,
      end: (why) => {
        ended ??= why;
        stop.abort();
        onEnd();
      },
      grade: async (batch) => {
        const timer = setTimeout(() => request.end('timeout'), batch.timeoutSeconds * 1_000);
        try {
          return await this.#grade(batch, stop.signal, request.ended);
        } finally {
          clearTimeout(timer);
        }
      },
    };
    this.#underWay.add(request);
    try {
      await work(request);
    } finally {
      this.#underWay.delete(request);
    }
  }

  async #grade(batch: Batch, signal: AbortSignal, ended: () => End | null): Promise<ServiceAnswer> {
    const { items, details, timeoutSeconds } = batch;
    this.#ungraded += items.length;
    const grade = async (item: unknown): Promise<ItemResult> => {
      const result = await gradeItem(item, details, this.#deps, signal).catch(internalError);
      this.#ungraded -= 1;
      const end = ended();
      if (!('error' in result) || result.error.code !== 'unavailable' || end === null) return result;
      if (end === 'closing') this.#unfinished += 1;
      return { ...result, error: endError(end, timeoutSeconds) };
    };
    const results = await Promise.all(items.map(grade));
    return { results: details ? shortened(results) : results, grader: this.#deps.grader.health() };
  }
}

function internalError(error: unknown): ItemResult {
  return {
    error: { code: 'internal', message: `The grader service failed on this item: ${String(error)}` },
  };
}

function endError(end: End, seconds: number): { code: string; message: string } {
  return end === 'timeout'
    ? { code: 'timeout', message: `This item was not graded within the ${seconds} s of its request.` }
    : { code: 'closing', message: 'The grader service ended before this item was graded.' };
}

/** Outputs and errors up to the limit of one answer, then none. */
function shortened(results: readonly ItemResult[]): ItemResult[] {
  let left: number = SERVICE_LIMITS.detailCharacters;
  return results.map((result) => {
    if ('error' in result) return result;
    const tests = result.tests.map((test) => {
      left -= (test.actual?.length ?? 0) + (test.error?.length ?? 0);
      return left >= 0 ? test : { ...test, actual: null, error: null };
    });
    return { ...result, tests };
  });
}
