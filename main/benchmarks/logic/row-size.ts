import { failed, type JsonSize, jsonSize, ok, type Result } from '../../base';

/**
 * What a row may have before it is parsed. The largest rows of published files nest 5 deep and have some 20,000 values;
 * parsing the most takes a tenth of a second, and Python's own reader gives up at about this depth.
 */
export const ROW_SIZE: JsonSize = { depth: 1_000, parts: 4_000_000 };

/** The text, or why it is not parsed: the end of a sentence that begins with the row's place. */
export function withinRowSize(text: string): Result<string, string> {
  const size = jsonSize(text, ROW_SIZE);
  if (size.ok) return ok(text);
  const { at } = size.error;
  const isDeep = !jsonSize(text.slice(0, at + 1), { ...ROW_SIZE, parts: Number.POSITIVE_INFINITY }).ok;
  const problem = isDeep
    ? `is nested more than ${ROW_SIZE.depth} deep`
    : `has more than ${ROW_SIZE.parts} values and keys`;
  return failed(`${problem} (at its character ${at + 1}).`);
}
