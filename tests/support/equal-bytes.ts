import { expect } from 'vitest';

/**
 * `toEqual` compares bytes one by one, as fields of an object, in milliseconds for each kilobyte. What is equal as a whole is
 * seen as a whole; what is not goes the long way, which shows where.
 */
expect.addEqualityTesters([
  (one: unknown, other: unknown): true | undefined => {
    if (!(one instanceof Uint8Array) || !(other instanceof Uint8Array)) return undefined;
    const isSameKind = Object.getPrototypeOf(one) === Object.getPrototypeOf(other);
    return isSameKind && Buffer.compare(one, other) === 0 ? true : undefined;
  },
]);
