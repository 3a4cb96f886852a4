/** Building blocks for every folder of main; nothing here belongs to one subject. */
export { assertNever } from '../../preload/contract/assert-never';
export { capitalised } from '../../preload/contract/plans/capitalised';
export { counted } from '../../preload/contract/plans/number-text';
export { boundedScript, hasTimedOut, type ScriptPart } from './bounded-script';
export { canonicalJson } from './canonical-json';
export { type CsvCell, type CsvFile, csvFile, csvRows } from './csv';
export { type Disposable, DisposableStore, Emitter } from './event';
export { findById } from './find-by-id';
export { findPythonLines } from './find-python';
export { forEachLimited } from './for-each-limited';
export { HIDDEN, hideSecrets, hideTokens, isSecretName } from './hide-secrets';
export { isHighest } from './highest';
export { closingQuote, type JsonSize, jsonSize, parsedJsonWithin } from './json-size';
export { createKeyedQueue, type KeyedQueue } from './keyed-queue';
export { LOGIN_PATH_LINES } from './login-path';
export type { NextAction } from './next-action';
export { parsedJson } from './parsed-json';
export { deriveSeed, RANDOM_VERSION, type Random, randomStream, shuffled } from './random';
export { RecentMap } from './recent-map';
export { failed, ok, orThrow, RefusalError, type Result } from './result';
export { nextRetry, type Retry, type RetryPolicy, retryText } from './retry';
export { linesOf, parseSections, type Section, sectionOf } from './sections';
export { SET_UP_FAILED, setUpLines, setUpScript } from './set-up-script';
export {
  exportLines,
  SCRIPT_ARGUMENTS,
  SCRIPT_VARIABLE,
  scriptCommand,
  shellPath,
  shellWord,
  shellWords,
} from './shell-words';
export { steadyClock } from './steady-clock';
export { runSteps, runStepsYielding } from './steps';
export { compareText, lastFencedBlock, pathText, printableText, shortText } from './text';
export {
  endedByError,
  endOnUnhandledErrors,
  onUnhandledErrors,
  type UnhandledSource,
} from './unhandled-errors';
export { LONGEST_CHARACTER_BYTES, leadingPart, trailingPart, utf8Bytes, utf8Length } from './utf8';
export { wholeProgram } from './whole-program';
export { withoutInheritedFiles } from './without-inherited-files';
