import type { Random } from '../base';
import type { Family } from './families';
import {
  activeCopies,
  activeRows,
  COPY_COUNT,
  type Encoded,
  emptyPrefix,
  extend,
  LAYOUTS,
  LONGEST_PROGRAM,
  type Prefix,
  parentSymbol,
} from './features';
import { operationAt, type Program, STOP, SYMBOLS } from './operations';

/**
 * A log-linear policy: the logit of symbol k is the sum over the active rows f of W[f, k], and for the earlier
 * program's symbol at this position also the sum of the active copy weights. `weights` holds W row by row, then the
 * copy weights. The array is the policy's own state; training changes it in place.
 */
export type PocketPolicy = { readonly family: Family; readonly seed: number; readonly weights: Float64Array };

export function weightCount(family: Family): number {
  return LAYOUTS[family].rows * SYMBOLS + COPY_COUNT;
}

/** How to draw one symbol. Temperature 0 takes the most likely one; topP below 1 drops the tail (nucleus sampling). */
export type SymbolSampling = { readonly temperature: number; readonly topP: number };

/** The active features at the choice of one symbol. They are the same for all policies of a family. */
export type ActiveFeatures = {
  readonly rows: readonly number[];
  readonly copies: readonly number[];
  /** The symbol that the copy weights are added to; -1: none. */
  readonly copied: number;
  /** The program is still empty, so it cannot stop. */
  readonly isFirst: boolean;
};

function activeFeatures(family: Family, encoded: Encoded, prefix: Prefix): ActiveFeatures {
  const copied = parentSymbol(encoded, prefix.steps.length);
  return {
    rows: activeRows(family, encoded, prefix),
    copies: copied < 0 ? [] : activeCopies(family, encoded, prefix),
    copied,
    isFirst: prefix.steps.length === 0,
  };
}

/** Probabilities of all symbols at temperature 1; they sum to 1. */
function probabilitiesAt({ family, weights }: PocketPolicy, features: ActiveFeatures): Float64Array {
  const { rows, copies, copied, isFirst } = features;
  const logits = new Float64Array(SYMBOLS);
  for (const row of rows) {
    const start = row * SYMBOLS;
    for (let k = 0; k < SYMBOLS; k++) logits[k] = (logits[k] as number) + (weights[start + k] as number);
  }
  const copiesFrom = LAYOUTS[family].rows * SYMBOLS;
  for (const copy of copies) logits[copied] = (logits[copied] ?? 0) + (weights[copiesFrom + copy] ?? 0);
  if (isFirst) logits[STOP] = Number.NEGATIVE_INFINITY;
  return softmax(logits);
}

/** Overwrites the logits by their probabilities. */
function softmax(logits: Float64Array): Float64Array {
  let largest = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < logits.length; k++) largest = Math.max(largest, logits[k] as number);
  let total = 0;
  for (let k = 0; k < logits.length; k++) {
    const weight = Math.exp((logits[k] as number) - largest);
    logits[k] = weight;
    total += weight;
  }
  for (let k = 0; k < logits.length; k++) logits[k] = (logits[k] as number) / total;
  return logits;
}

function isOver(prefix: Prefix): boolean {
  const last = prefix.steps[prefix.steps.length - 1];
  return prefix.steps.length === LONGEST_PROGRAM || (last !== undefined && operationAt(last).final);
}

/** Probabilities of all symbols after these steps, at temperature 1. */
export function symbolProbabilities(policy: PocketPolicy, encoded: Encoded, steps: Program): Float64Array {
  let prefix = emptyPrefix(encoded);
  for (const step of steps) prefix = extend(policy.family, encoded, prefix, step);
  return probabilitiesAt(policy, activeFeatures(policy.family, encoded, prefix));
}

/** The symbols of a program: its steps, then STOP unless its last step ends it. */
export function symbolsOf(program: Program): readonly number[] {
  const last = program[program.length - 1];
  const endsItself = program.length === LONGEST_PROGRAM || (last !== undefined && operationAt(last).final);
  return endsItself ? program : [...program, STOP];
}

function isWritable(program: Program): boolean {
  return (
    program.length > 0 &&
    program.length <= LONGEST_PROGRAM &&
    program.every((step, i) => i === program.length - 1 || !operationAt(step).final)
  );
}

/**
 * Natural logarithm of the probability that the policy writes this program at temperature 1; -Infinity if it cannot.
 */
export function logProbability(policy: PocketPolicy, encoded: Encoded, program: Program): number {
  if (!isWritable(program)) return Number.NEGATIVE_INFINITY;
  let prefix = emptyPrefix(encoded);
  let sum = 0;
  for (const symbol of symbolsOf(program)) {
    const probabilities = probabilitiesAt(policy, activeFeatures(policy.family, encoded, prefix));
    sum += Math.log(probabilities[symbol] ?? 0);
    if (symbol !== STOP) prefix = extend(policy.family, encoded, prefix, symbol);
  }
  return sum;
}

/** A program with the features at each choice: enough to compute log-probabilities and gradients. */
export type Trace = readonly { readonly features: ActiveFeatures; readonly symbol: number }[];

/** Throws if no policy can write the program: that is a bug of the caller. */
export function traceOf(family: Family, encoded: Encoded, program: Program): Trace {
  if (!isWritable(program)) throw new RangeError(`No policy can write the program ${program.join()}`);
  let prefix = emptyPrefix(encoded);
  return symbolsOf(program).map((symbol) => {
    const features = activeFeatures(family, encoded, prefix);
    if (symbol !== STOP) prefix = extend(family, encoded, prefix, symbol);
    return { features, symbol };
  });
}

/** The probabilities of all symbols at temperature 1, at each choice of a trace. */
export function traceProbabilities(policy: PocketPolicy, trace: Trace): readonly Float64Array[] {
  return trace.map(({ features }) => probabilitiesAt(policy, features));
}

/** The natural logarithm of the probability of the trace's symbols, given `traceProbabilities`. */
export function traceLogProbability(trace: Trace, probabilities: readonly Float64Array[]): number {
  return trace.reduce((sum, { symbol }, t) => sum + Math.log(probabilities[t]?.[symbol] ?? 0), 0);
}

/**
 * Adds the gradient of `sum of slopes[t] * log-probability of symbol t` with respect to the weights into `gradient`.
 * `probabilities` must come from `traceProbabilities` with the policy's present weights.
 */
export function addTraceGradient(
  family: Family,
  trace: Trace,
  probabilities: readonly Float64Array[],
  slopes: ReadonlyArray<number> | Float64Array,
  gradient: Float64Array,
): void {
  const copiesFrom = LAYOUTS[family].rows * SYMBOLS;
  const step = new Float64Array(SYMBOLS);
  for (const [t, { features, symbol }] of trace.entries()) {
    const slope = slopes[t] as number;
    if (slope === 0) continue;
    const at = probabilities[t] as Float64Array;
    for (let k = 0; k < SYMBOLS; k++) step[k] = slope * ((k === symbol ? 1 : 0) - (at[k] as number));
    for (const row of features.rows) {
      const start = row * SYMBOLS;
      for (let k = 0; k < SYMBOLS; k++)
        gradient[start + k] = (gradient[start + k] as number) + (step[k] as number);
    }
    for (const copy of features.copies) {
      gradient[copiesFrom + copy] =
        (gradient[copiesFrom + copy] as number) + (step[features.copied] as number);
    }
  }
}

/**
 * Adds `scale` times the gradient of `logProbability` with respect to the weights into `gradient` (as long as the
 * weights) and returns the log-probability. Throws if no policy can write the program.
 */
export function addGradient(
  policy: PocketPolicy,
  encoded: Encoded,
  program: Program,
  scale: number,
  gradient: Float64Array,
): number {
  const trace = traceOf(policy.family, encoded, program);
  const probabilities = traceProbabilities(policy, trace);
  const slopes = trace.map(() => scale);
  addTraceGradient(policy.family, trace, probabilities, slopes, gradient);
  return traceLogProbability(trace, probabilities);
}

function largestOf(probabilities: Float64Array): number {
  return probabilities.reduce((best, p, k) => (p > (probabilities[best] ?? 0) ? k : best), 0);
}

/** The sampling probabilities: temperature applied first, then the cut to the nucleus. */
export function samplingProbabilities(
  probabilities: Float64Array,
  { temperature, topP }: SymbolSampling,
): Float64Array {
  if (temperature === 0) {
    const only = new Float64Array(probabilities.length);
    only[largestOf(probabilities)] = 1;
    return only;
  }
  const result =
    temperature === 1 ? probabilities.slice() : softmax(probabilities.map((p) => Math.log(p) / temperature));
  if (topP >= 1) return result;
  const order = Array.from(result.keys()).sort((a, b) => (result[b] ?? 0) - (result[a] ?? 0) || a - b);
  let cumulative = 0;
  for (const k of order) {
    const p = result[k] ?? 0;
    if (cumulative >= topP) result[k] = 0;
    cumulative += p;
  }
  const total = result.reduce((sum, p) => sum + p, 0);
  return result.map((p) => p / total);
}

function draw(probabilities: Float64Array, random: Random): number {
  const target = random.uniform();
  let cumulative = 0;
  for (let k = 0; k < probabilities.length; k++) {
    cumulative += probabilities[k] ?? 0;
    if (target < cumulative) return k;
  }
  return largestOf(probabilities); // rounding can leave the sum just below 1
}

export type SampledProgram = {
  readonly program: Program;
  /** The written symbols, with STOP if it was chosen, each with its log-probability at temperature 1. */
  readonly symbols: readonly { readonly symbol: number; readonly logProbability: number }[];
  readonly trace: Trace;
};

export function sampleProgram(
  policy: PocketPolicy,
  encoded: Encoded,
  random: Random,
  sampling: SymbolSampling,
): SampledProgram {
  const symbols: { symbol: number; logProbability: number }[] = [];
  const trace: { features: ActiveFeatures; symbol: number }[] = [];
  let prefix = emptyPrefix(encoded);
  while (!isOver(prefix)) {
    const features = activeFeatures(policy.family, encoded, prefix);
    const probabilities = probabilitiesAt(policy, features);
    const symbol = draw(samplingProbabilities(probabilities, sampling), random);
    symbols.push({ symbol, logProbability: Math.log(probabilities[symbol] ?? 0) });
    trace.push({ features, symbol });
    if (symbol === STOP) break;
    prefix = extend(policy.family, encoded, prefix, symbol);
  }
  return { program: prefix.steps, symbols, trace };
}
