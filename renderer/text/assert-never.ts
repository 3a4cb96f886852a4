/** The end of a switch over a closed union: a kind that was forgotten does not compile. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected: ${JSON.stringify(value)}`);
}
