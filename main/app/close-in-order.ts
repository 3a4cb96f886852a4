/** One thing to close, and its name for the log. */
export type ClosingStep = readonly [name: string, close: () => unknown];

/**
 * Closes one after the other, also after one that fails, so that the last one, the data folder's lock, is always released.
 * `onError` gets every failure as it happens; in the end all of them are one rejection.
 */
export async function closeInOrder(
  steps: readonly ClosingStep[],
  onError: (name: string, error: unknown) => void,
): Promise<void> {
  const failures: string[] = [];
  const errors: unknown[] = [];
  for (const [name, close] of steps) {
    try {
      await close();
    } catch (error) {
      onError(name, error);
      failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      errors.push(error);
    }
  }
  if (errors.length > 0)
    throw new AggregateError(errors, `Not everything could be closed: ${failures.join('; ')}`);
}
