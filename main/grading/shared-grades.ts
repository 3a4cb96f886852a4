import { type Grade, isFaultVerdict, type Refusal } from '../../preload/contract';
import { failed, type Result } from '../base';
import { GradeCache } from './grade-cache';
import type { GradeRequest } from './grader';

export const CANCELLED: Refusal = { code: 'cancelled', message: 'The grading was cancelled.' };

type GradeAnswer = Promise<Result<Grade, Refusal>>;
type GradeFresh = (request: GradeRequest, program: string, signal: AbortSignal) => GradeAnswer;
type Shared = { readonly answer: GradeAnswer; readonly controller: AbortController; waiters: number };

/** Equal requests are graded once: simultaneous ones share the work, later ones get the cached grade. */
export class SharedGrades {
  readonly #cache: GradeCache;
  readonly #shared = new Map<string, Shared>();
  /** One per grade. `AbortSignal.any` with a common signal would cost more than everything else here. */
  readonly #atWork = new Set<AbortController>();
  readonly #gradeFresh: GradeFresh;

  /** `maxWeight`: see `GradeCache`. */
  constructor(gradeFresh: GradeFresh, maxWeight?: number) {
    this.#cache = new GradeCache(maxWeight);
    this.#gradeFresh = gradeFresh;
  }

  /** A request for a fresh grade shares no work, but its grade is cached. */
  async grade(request: GradeRequest, program: string, signal: AbortSignal | undefined): GradeAnswer {
    const key = this.#cache.keyOf(request);
    const cached = request.fresh ? null : this.#cache.get(key);
    if (cached !== null) return { ok: true, value: cached };
    const entry = (request.fresh ? undefined : this.#shared.get(key)) ?? this.#start(key, request, program);
    entry.waiters += 1;
    return cancelledOr(entry.answer, signal, () => this.#leave(key, entry));
  }

  cancelAll(): void {
    for (const controller of this.#atWork) controller.abort();
  }

  /** Resolves when no shared grading is running. */
  async whenIdle(): Promise<void> {
    // Who waits for a grading gets its error; here it only has to be over.
    await Promise.allSettled([...this.#shared.values()].map((entry) => entry.answer));
  }

  #start(key: string, request: GradeRequest, program: string): Shared {
    const controller = new AbortController();
    this.#atWork.add(controller);
    const work = async (): GradeAnswer => {
      try {
        const result = await this.#gradeFresh(request, program, controller.signal);
        if (result.ok && !isFaultVerdict(result.value.verdict)) this.#cache.set(key, result.value);
        return result;
      } finally {
        // Also after an error: a later equal request must not get its rejection, nor `whenIdle` wait for it.
        this.#atWork.delete(controller);
        if (this.#shared.get(key)?.controller === controller) this.#shared.delete(key);
      }
    };
    const answer = work();
    const entry = { answer, controller, waiters: 0 };
    this.#shared.set(key, entry);
    return entry;
  }

  #leave(key: string, entry: Shared): void {
    entry.waiters -= 1;
    if (entry.waiters > 0) return;
    // No waiter is left; a later equal request must not find the cancelled one.
    if (this.#shared.get(key) === entry) this.#shared.delete(key);
    entry.controller.abort();
  }
}

function cancelledOr(answer: GradeAnswer, signal: AbortSignal | undefined, cancel: () => void): GradeAnswer {
  if (signal === undefined) return answer;
  return new Promise((resolve, reject) => {
    const stop = () => {
      cancel();
      resolve(failed(CANCELLED));
    };
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
