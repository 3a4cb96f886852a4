import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { makeFolder, replaceFile } from './durable-file';
import { reasonOf, systemErrorCode } from './system-error';

/**
 * missing: the file does not exist. damaged: its content is wrong. unreadable: the system could not read it, e.g. no
 * permission.
 */
export type JsonReading<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'missing' }
  | { readonly kind: 'damaged' | 'unreadable'; readonly why: string };

/** Reads a file and checks it. Never rejects. `migrate` converts an older form to the current one. */
export async function readJson<T>(
  path: string,
  schema: z.ZodType<T>,
  migrate: (value: unknown) => unknown = (value) => value,
): Promise<JsonReading<T>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error) ?? '');
    return isMissing ? { kind: 'missing' } : { kind: 'unreadable', why: reasonOf(error) };
  }
  try {
    const parsed = schema.safeParse(migrate(JSON.parse(text)));
    if (parsed.success) return { kind: 'read', value: parsed.data };
    const [issue] = parsed.error.issues;
    return { kind: 'damaged', why: `${issue?.path.map(String).join('.')}: ${issue?.message}` };
  } catch (error) {
    return { kind: 'damaged', why: error instanceof SyntaxError ? 'it is not JSON' : reasonOf(error) };
  }
}

/** Replaces the file atomically; creates its folders if they are missing. Rejects with the system's error. */
export async function writeJson(path: string, value: unknown, indent = 0): Promise<void> {
  await makeFolder(dirname(path));
  await replaceFile(path, `${JSON.stringify(value, null, indent)}\n`);
}
