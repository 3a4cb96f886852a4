import type { Problem, TestCase } from '../../../preload/contract';
import type { SourceAnswer } from './source-answer';

/** A problem with a test that Python cannot parse. */
export type UnparsedTest = {
  /** Of its row, e.g. "line 3 of own.jsonl". */
  readonly location: string;
  readonly problemId: string;
  /** e.g. "private test 1: '(' was never closed (line 1 of the test)" */
  readonly what: string;
};

/** As many are named; a longer list is not read. */
const MAX_NAMED = 8;

/** The texts of a problem's tests that are Python, each once, with what people call them. */
export function pythonSources({ publicTests, privateTests }: Problem): ReadonlyMap<string, string> {
  const named = (kind: string, tests: readonly TestCase[]) =>
    tests.flatMap((test, at) => {
      const name = `${kind} test ${at + 1}`;
      if (test.kind === 'check') return [[test.source, name] as const];
      return test.kind === 'reference' ? [[test.reference, `the reference program of ${name}`] as const] : [];
    });
  // Of a text that both have, the name that is set last stays.
  return new Map([...named('public', publicTests), ...named('private', privateTests)]);
}

export function failureText(name: string, { message, line }: Exclude<SourceAnswer, string>): string {
  return `${name}: ${message}${line === null ? '' : ` (line ${line} of the test)`}`;
}

/** The end of a sentence that begins with the file. */
export function unparsedText(unparsed: readonly UnparsedTest[]): string {
  const named = unparsed
    .slice(0, MAX_NAMED)
    .map(({ location, problemId, what }) => `${location}, problem "${problemId}", ${what}`);
  const rest = unparsed.length - named.length;
  const which = unparsed.length === 1 ? 'a test' : 'tests';
  const them = unparsed.length === 1 ? 'it' : 'them';
  return `it has ${which} that Python cannot parse, so no program can pass ${them}: ${named.join('; ')}${rest > 0 ? `; and ${rest} more problems` : ''}.`;
}
