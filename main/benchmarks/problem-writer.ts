import type { Problem, TestCase } from '../../preload/contract';
import type { LineFile, LineLocation } from './line-file';
import { canonicalJson } from './logic/canonical-json';

/** The canonical JSON of a problem in parts, with further private tests behind those that it has. */
async function* partsOf(
  problem: Problem,
  further: AsyncIterable<TestCase> | Iterable<TestCase>,
): AsyncIterable<string> {
  const { privateTests, ...rest } = problem;
  const json = canonicalJson({ ...rest, privateTests: [] });
  const key = '"privateTests":[';
  const at = placeOfPrivateTests(rest) + key.length;
  yield json.slice(0, at);
  let separator = '';
  for (const test of privateTests) {
    yield separator + canonicalJson(test);
    separator = ',';
  }
  for await (const test of further) {
    yield separator + canonicalJson(test);
    separator = ',';
  }
  yield json.slice(at);
}

/** Index of the key in the canonical JSON: behind all fields that sort before it, whatever texts are in them. */
function placeOfPrivateTests(rest: Omit<Problem, 'privateTests'>): number {
  const before = Object.entries(rest).filter(([key]) => key < 'privateTests');
  return canonicalJson(Object.fromEntries(before)).length - 1 + (before.length > 0 ? 1 : 0);
}

/** Writes a problem whose further private tests are still to be unpacked. */
export function addProblem(
  lines: LineFile,
  problem: Problem,
  further: AsyncIterable<TestCase> | Iterable<TestCase>,
): Promise<LineLocation> {
  return lines.addParts(partsOf(problem, further));
}
