import type { ReconcileProblem } from './reconciler';

/** Reports records that could not be read, one problem each. */
export function reportUnreadable(
  name: string,
  noun: string,
  store: {
    readonly unreadable: () => readonly {
      readonly id: string;
      readonly path: string;
      readonly why: string;
    }[];
  },
  onError: (problem: ReconcileProblem) => void,
): void {
  for (const { id, path, why } of store.unreadable()) {
    const error = new Error(`The ${noun} "${id}" cannot be read (${why}). Its file is ${path}.`);
    onError({ name, key: id, error, failures: 1, waitMs: 0 });
  }
}
