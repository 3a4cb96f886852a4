import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { type JsonReading, readJson } from './json-file';

/** The field with the SHA-256 of all others, as JSON without spaces. */
const SEAL = 'sha256';

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** The value of a JSON file with its own digest, so that one changed digit is noticed. */
export function sealed(value: object): object {
  return { [SEAL]: digest(value), ...value };
}

/** What `sealed` was given; `value` itself where it has no seal, e.g. by an earlier version. Throws where it was changed since. */
export function unsealed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !(SEAL in value)) return value;
  const { [SEAL]: seal, ...content } = value;
  if (seal !== digest(content)) throw new Error('its content does not match its checksum');
  return content;
}

/**
 * Reads a file whose value may be `sealed`, and checks it; one from before there were seals is read as `ofEarlier` says, by
 * default as it is. Never rejects.
 */
export function readSealed<T>(
  path: string,
  schema: z.ZodType<T>,
  ofEarlier: (value: unknown) => unknown = (value) => value,
): Promise<JsonReading<T>> {
  return readJson(path, schema, (value) => {
    const content = unsealed(value);
    return content === value ? ofEarlier(value) : content;
  });
}

/** `after` is `before` with something hidden in it: a seal is renewed. */
export function resealed(before: unknown, after: unknown): unknown {
  if (typeof after !== 'object' || after === null || !(SEAL in after)) return after;
  if (JSON.stringify(before) === JSON.stringify(after)) return after;
  const { [SEAL]: _, ...content } = after;
  return sealed(content);
}
