import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { createInflate } from 'node:zlib';
import type { TestCase } from '../../preload/contract';
import { failed, ok, parsedJson, type Result } from '../base';
import { JsonListError, JsonListSplitter } from './logic/json-list-splitter';
import { type LiveCodeBenchTestKind, liveCodeBenchTest } from './logic/livecodebench';
import { PickledString } from './logic/pickled-string';
import { rawFields } from './logic/raw-json';
import { withinRowSize } from './logic/row-size';
import type { FileRow } from './row-splitter';

/** The most that one problem's private tests may unpack to: twice the longest line, below V8's longest string. */
const MAX_TEST_BYTES = 384 * 1024 ** 2;
/** Characters of base64 that are decoded at once. */
const BASE64_PIECE = 256 * 1024;

/** Why packed tests cannot be read. The message is the end of a sentence. */
export class PackedTestsError extends Error {}

/** A row cut in two: the field with the packed tests in pieces, and the rest of the row as text. */
export type SplitRow = { readonly rest: string; readonly packed: readonly Buffer[] };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** The field's name comes after the statement and the public tests, which are not larger than this. */
const MAX_HEAD_BYTES = 8 * 1024 ** 2;

/** The first pieces in one, up to the size in which the name of the field is looked for. */
function headOf(pieces: readonly Buffer[]): { readonly head: Buffer; readonly further: readonly Buffer[] } {
  let bytes = 0;
  let count = 0;
  while (count < pieces.length && bytes < MAX_HEAD_BYTES) bytes += pieces[count++]?.length ?? 0;
  return { head: Buffer.concat(pieces.slice(0, count)), further: pieces.slice(count) };
}

/**
 * Takes a field that has a string without escapes (base64) out of a row, so that the row's other fields can be parsed
 * without joining its megabytes or making a string of them. Null where the row has no such field, or has it in another
 * form: the caller then parses the whole row.
 */
export function splitOffField({ pieces }: FileRow, field: string): SplitRow | null {
  const { head, further } = headOf(pieces);
  const key = Buffer.from(`"${field}"`);
  const at = head.indexOf(key);
  // Inside of a string the quotes of a key would be escaped; behind a value no colon follows.
  if (at <= 0 || head[at - 1] === BACKSLASH) return null;
  const between = head.toString('latin1', at + key.length, at + key.length + 16);
  const colon = /^\s*:\s*"/.exec(between)?.[0].length ?? null;
  if (colon === null) return null;
  const start = at + key.length + colon;
  const packed: Buffer[] = [];
  const behind: Buffer[] = [];
  for (const piece of [head.subarray(start), ...further]) {
    const end = behind.length > 0 ? 0 : piece.indexOf(QUOTE);
    const content = end === -1 ? piece : piece.subarray(0, end);
    if (content.indexOf(BACKSLASH) !== -1) return null;
    if (content.length > 0) packed.push(content);
    if (end !== -1) behind.push(piece.subarray(end));
  }
  const rest = Buffer.concat([head.subarray(0, start), ...behind]);
  return behind.length > 0 && isUtf8(rest) ? { rest: rest.toString('utf8'), packed } : null;
}

/** Pieces of base64 text in whole groups of 4 characters. */
function* wholeGroups(pieces: readonly Buffer[]): Iterable<string> {
  let carried = '';
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += BASE64_PIECE) {
      const text = carried + piece.toString('latin1', at, Math.min(piece.length, at + BASE64_PIECE));
      const decodableLength = text.length - (text.length % 4);
      carried = text.slice(decodableLength);
      if (decodableLength > 0) yield text.slice(0, decodableLength);
    }
  }
  if (carried !== '') throw new PackedTestsError('is not whole base64.');
}

function* bytesOfBase64(pieces: readonly Buffer[]): Iterable<Buffer> {
  let isOver = false;
  for (const text of wholeGroups(pieces)) {
    const bytes = Buffer.from(text, 'base64');
    const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
    // Node skips characters that are not base64, so bytes would be missing. Nothing may follow the padding.
    if (isOver || bytes.length !== (text.length / 4) * 3 - padding)
      throw new PackedTestsError('is not base64.');
    isOver = padding > 0;
    yield bytes;
  }
}

async function* inflated(text: readonly Buffer[], maxBytes: number): AsyncIterable<Buffer> {
  const source = Readable.from(bytesOfBase64(text), { objectMode: true });
  const inflate = createInflate({ chunkSize: 256 * 1024 });
  source.on('error', (error) => inflate.destroy(error));
  source.pipe(inflate);
  let bytes = 0;
  try {
    for await (const chunk of inflate as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        throw new PackedTestsError(`unpacks to more than ${Math.floor(maxBytes / 1024 ** 2)} MB.`);
      }
      yield chunk;
    }
  } catch (error) {
    if (error instanceof PackedTestsError) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'Z_BUF_ERROR') throw new PackedTestsError('is cut off: its zlib data have no end.');
    throw new PackedTestsError('is not zlib data in base64.');
  } finally {
    source.destroy();
    inflate.destroy();
  }
}

function testOf(pieces: readonly Uint8Array[], number: number, kind: LiveCodeBenchTestKind): TestCase {
  const bytes = Buffer.concat(pieces);
  if (!isUtf8(bytes)) throw new PackedTestsError(`has a test ${number} that is not UTF-8 text.`);
  const text = withinRowSize(bytes.toString('utf8'));
  if (!text.ok) throw new PackedTestsError(`has a test ${number} that ${text.error}`);
  const value = parsedJson(text.value);
  if (value === undefined) throw new PackedTestsError(`has a test ${number} that is not JSON.`);
  const test = liveCodeBenchTest(value, kind);
  if (!test.ok) throw new PackedTestsError(`has a test ${number} that ${test.error}`);
  return test.value;
}

/** The tests of a row whose field has them as JSON in a string, which LiveCodeBench's own loader tries first. */
export function plainTests(
  row: string,
  field: string,
  kind: LiveCodeBenchTestKind,
): Result<readonly TestCase[], string> {
  const written = parsedJson(rawFields(row)?.get(field) ?? '');
  if (typeof written !== 'string') return failed(`has no "${field}" that is text.`);
  const text = withinRowSize(written);
  if (!text.ok) return failed(`has a "${field}" that ${text.error}`);
  const list = parsedJson(text.value);
  if (!Array.isArray(list)) return failed(`has a "${field}" that is neither packed tests nor a JSON list.`);
  const tests: TestCase[] = [];
  for (const [i, value] of list.entries()) {
    const test = liveCodeBenchTest(value, kind);
    if (!test.ok) return failed(`has a "${field}" that has a test ${i + 1} that ${test.error}`);
    tests.push(test.value);
  }
  return ok(tests);
}

/**
 * The tests that LiveCodeBench packs as base64 of zlib of a pickle of one string that is a JSON list; unpacked bit
 * by bit, so that a test and some chunks are in memory, however large they all are. The pickle is never run.
 */
export async function* packedTests(
  text: readonly Buffer[],
  kind: LiveCodeBenchTestKind,
  maxBytes: number = MAX_TEST_BYTES,
): AsyncIterable<TestCase> {
  const pickle = new PickledString();
  const list = new JsonListSplitter(maxBytes);
  let tests = 0;
  try {
    for await (const chunk of inflated(text, maxBytes)) {
      const pieces = pickle.push(chunk);
      if (!pieces.ok) throw new PackedTestsError(`cannot be read: ${pieces.error}`);
      for (const piece of pieces.value) {
        for (const element of list.push(piece)) {
          tests += 1;
          yield testOf(element, tests, kind);
        }
      }
    }
    const end = pickle.finish();
    if (!end.ok) throw new PackedTestsError(`cannot be read: ${end.error}`);
    list.finish();
  } catch (error) {
    if (error instanceof JsonListError) throw new PackedTestsError(`cannot be read: ${error.message}`);
    throw error;
  }
}
