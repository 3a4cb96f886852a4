import type { Grade, Refusal } from '../../preload/contract';
import { failed, type Result } from '../base';
import { GradeMemo } from './grade-memo';
import type { GradeRequest } from './grader';

export const CANCELLED: Refusal = { code: 'cancelled', message: 'The grading was cancelled.' };

type GradeAnswer = Promise<Result<Grade, Refusal>>;
type GradeFresh = (request: GradeRequest, program: string, signal: AbortSignal) => GradeAnswer;
type Shared = { readonly answer: GradeAnswer; readonly controller: AbortController; waiters: number };

/** Equal requests are graded once: those at the same time share the work, later ones find what came of it. */
export class SharedGrades {
  readonly #memo = new GradeMemo();
  readonly #shared = new Map<string, Shared>();
  /** Of every grade; AbortSignal.any over one signal of all would cost more than all else that is done here for one. */
  readonly #atWork = new Set<AbortController>();
  readonly #gradeFresh: GradeFresh;

  constructor(gradeFresh: GradeFresh) {
    this.#gradeFresh = gradeFresh;
  }

  /** A request that wants a fresh grade shares with nobody, but what it finds is remembered. */
  async grade(request: GradeRequest, program: string, signal: AbortSignal | undefined): GradeAnswer {
    const key = this.#memo.keyOf(request);
    const known = request.fresh ? null : this.#memo.get(key);
    if (known !== null) return { ok: true, value: known };
    const entry = (request.fresh ? undefined : this.#shared.get(key)) ?? this.#start(key, request, program);
    entry.waiters += 1;
    return orCancelled(entry.answer, signal, () => this.#leave(key, entry));
  }

  cancelAll(): void {
    for (const controller of this.#atWork) controller.abort();
  }

  /** Resolves when nothing that others may share goes on. */
  async settled(): Promise<void> {
    await Promise.all([...this.#shared.values()].map((entry) => entry.answer));
  }

  #start(key: string, request: GradeRequest, program: string): Shared {
    const controller = new AbortController();
    this.#atWork.add(controller);
    const answer = this.#gradeFresh(request, program, controller.signal).then((result) => {
      this.#atWork.delete(controller);
      if (this.#shared.get(key)?.controller === controller) this.#shared.delete(key);
      if (result.ok && result.value.verdict !== 'sandbox-fault') this.#memo.set(key, result.value);
      return result;
    });
    const entry = { answer, controller, waiters: 0 };
    this.#shared.set(key, entry);
    return entry;
  }

  #leave(key: string, entry: Shared): void {
    entry.waiters -= 1;
    if (entry.waiters > 0) return;
    // Nobody waits any more; an equal request that comes later must not find the cancelled one.
    if (this.#shared.get(key) === entry) this.#shared.delete(key);
    entry.controller.abort();
  }
}

function orCancelled(answer: GradeAnswer, signal: AbortSignal | undefined, cancel: () => void): GradeAnswer {
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
