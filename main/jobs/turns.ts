/** Work of one name is done one piece after the other, in the order in which it was asked for. */
export function createTurns(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const turn = (last.get(name) ?? Promise.resolve()).then(work, work);
    last.set(name, turn);
    const leave = () => {
      if (last.get(name) === turn) last.delete(name);
    };
    turn.then(leave, leave);
    return turn;
  };
}

/** One piece of work in the turns of all these names: begun when each has come, and nobody else's in between. */
export function inTurnOfAll<T>(
  turn: <U>(name: string, work: () => Promise<U>) => Promise<U>,
  names: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  // Asked for at once for all names: two that share some come in the same order everywhere, so none waits for ever.
  let whole: Promise<T> | null = null;
  let missing = names.length;
  let open: () => void = () => undefined;
  const allCame = new Promise<void>((resolve) => {
    open = resolve;
  });
  const turns = names.map((name) =>
    turn(name, async () => {
      missing -= 1;
      if (missing === 0) open();
      await allCame;
      whole ??= work();
      await whole.catch(() => undefined);
    }),
  );
  return Promise.all(turns).then(() => whole ?? work());
}

/**
 * The same work for all who ask: it is done once at a time, and who asks while it is done gets the next, which began
 * after the question.
 */
export function shared<T>(work: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const begin = (): Promise<T> => {
    const run = work().finally(() => {
      if (current === run) current = null;
    });
    current = run;
    return run;
  };
  return () => {
    if (current === null) return begin();
    next ??= current
      .catch(() => undefined)
      .then(() => {
        next = null;
        return begin();
      });
    return next;
  };
}
