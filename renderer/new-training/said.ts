/** Where on the form something is said: a field by its name, e.g. "machine", "objective.kl.coefficient", "agent 1". */
export type Spot = string;
/** missing: only said once the user wants to start; wrong: said at once. */
export type Fault = { readonly at: Spot; readonly kind: 'missing' | 'wrong'; readonly message: string };
/** A part of the form that was read: what it means, or what is wrong with it. */
export type Checked<T> = {
  readonly faults: readonly Fault[];
  /** What will run, but perhaps not as meant. */
  readonly warnings: readonly string[];
  /** Only to be used where there are no faults. */
  readonly value: T;
};

export function missing(at: Spot, message: string): Fault {
  return { at, kind: 'missing', message };
}

export function wrong(at: Spot, message: string): Fault {
  return { at, kind: 'wrong', message };
}

/** An absolute path, or one from the home folder. */
export function isWholePath(text: string): boolean {
  return /^[/~]/.test(text);
}

export const WHOLE_PATH = 'The whole path, from / or ~.';
