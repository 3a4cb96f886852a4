/**
 * Does tasks from the first to the last, `width` at a time, until all are done, one fails or `signal` says stop.
 * Order of starting is the order of the list; nothing else about order is promised.
 * The first failure ends the queue: tasks under way are waited for, no new one starts.
 */
export async function workThrough<T, E>(
  tasks: readonly T[],
  width: number,
  signal: { readonly aborted: boolean },
  work: (task: T) => Promise<E | null>,
): Promise<E | null> {
  let next = 0;
  let failure: E | null = null;
  const worker = async (): Promise<void> => {
    while (next < tasks.length && failure === null && !signal.aborted) {
      const task = tasks[next] as T;
      next += 1;
      const outcome = await work(task);
      if (outcome !== null) failure ??= outcome;
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, tasks.length) }, worker));
  return failure;
}
