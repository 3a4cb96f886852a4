/** Runs the steps of a calculation one after the other, at once. */
export function runSteps<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same, letting other work run in between: `yieldControl` is awaited after every step (give it `setImmediate`). */
export async function runStepsYielding<T>(
  steps: Generator<void, T>,
  yieldControl: () => Promise<unknown>,
): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await yieldControl();
  }
}
