/** Ends a `switch` over a closed union: a new member without a case is a type error here. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
