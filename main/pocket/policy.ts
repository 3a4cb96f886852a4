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
 * A log-linear policy: the logit of symbol k is the sum over the active rows f of W[f, k], and for the symbol
 * that the earlier program has at this place also the sum of the active copy numbers. `weights` holds W row by
 * row, then the copy numbers. The array is the policy's own state; training changes it in place.
 */
export type PocketPolicy = { readonly family: Family; readonly seed: number; readonly weights: Float64Array };

export function weightCount(family: Family): number {
  return LAYOUTS[family].rows * SYMBOLS + COPY_COUNT;
}

/** How one symbol is drawn. Temperature 0 takes the likeliest; topP below 1 cuts the tail off (nucleus sampling). */
export type SymbolSampling = { readonly temperature: number; readonly topP: number };

type Choice = {
  readonly rows: readonly number[];
  readonly copies: readonly number[];
  readonly copied: number;
  /** Probabilities of all symbols at temperature 1; they sum to 1. */
  readonly probabilities: Float64Array;
};

function choiceAt({ family, weights }: PocketPolicy, encoded: Encoded, prefix: Prefix): Choice {
  const rows = activeRows(family, encoded, prefix);
  const logits = new Float64Array(SYMBOLS);
  for (const row of rows) {
    const start = row * SYMBOLS;
    for (let k = 0; k < SYMBOLS; k++) logits[k] = (logits[k] ?? 0) + (weights[start + k] ?? 0);
  }
  const copied = parentSymbol(encoded, prefix.steps.length);
  const copies = copied < 0 ? [] : activeCopies(family, encoded, prefix);
  const copiesFrom = LAYOUTS[family].rows * SYMBOLS;
  for (const copy of copies) logits[copied] = (logits[copied] ?? 0) + (weights[copiesFrom + copy] ?? 0);
  if (prefix.steps.length === 0) logits[STOP] = Number.NEGATIVE_INFINITY;
  return { rows, copies, copied, probabilities: softmax(logits) };
}

function softmax(logits: Float64Array): Float64Array {
  let largest = Number.NEGATIVE_INFINITY;
  for (const logit of logits) if (logit > largest) largest = logit;
  const result = new Float64Array(logits.length);
  let total = 0;
  for (let k = 0; k < logits.length; k++) {
    const weight = Math.exp((logits[k] ?? 0) - largest);
    result[k] = weight;
    total += weight;
  }
  for (let k = 0; k < result.length; k++) result[k] = (result[k] ?? 0) / total;
  return result;
}

function isOver(prefix: Prefix): boolean {
  const last = prefix.steps[prefix.steps.length - 1];
  return prefix.steps.length === LONGEST_PROGRAM || (last !== undefined && operationAt(last).final);
}

/** Probabilities of all symbols after these steps, at temperature 1. */
export function symbolProbabilities(policy: PocketPolicy, encoded: Encoded, steps: Program): Float64Array {
  let prefix = emptyPrefix(encoded);
  for (const step of steps) prefix = extend(policy.family, encoded, prefix, step);
  return choiceAt(policy, encoded, prefix).probabilities;
}

/** The symbols that a program is written with: its steps, and STOP unless it ends by itself. */
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

/** Natural logarithm of the probability that the policy writes this program at temperature 1; -Infinity if it cannot. */
export function logProbability(policy: PocketPolicy, encoded: Encoded, program: Program): number {
  if (!isWritable(program)) return Number.NEGATIVE_INFINITY;
  let prefix = emptyPrefix(encoded);
  let sum = 0;
  for (const symbol of symbolsOf(program)) {
    sum += Math.log(choiceAt(policy, encoded, prefix).probabilities[symbol] ?? 0);
    if (symbol !== STOP) prefix = extend(policy.family, encoded, prefix, symbol);
  }
  return sum;
}

/**
 * Adds `scale` times the gradient of `logProbability` with respect to the weights into `gradient` (as long as the
 * weights) and gives back the log-probability. A program that the policy cannot write is a bug of the caller's.
 */
export function addGradient(
  policy: PocketPolicy,
  encoded: Encoded,
  program: Program,
  scale: number,
  gradient: Float64Array,
): number {
  if (!isWritable(program)) throw new RangeError(`No policy can write the program ${program.join()}`);
  const copiesFrom = LAYOUTS[policy.family].rows * SYMBOLS;
  let prefix = emptyPrefix(encoded);
  let sum = 0;
  for (const symbol of symbolsOf(program)) {
    const { rows, copies, copied, probabilities } = choiceAt(policy, encoded, prefix);
    sum += Math.log(probabilities[symbol] ?? 0);
    for (let k = 0; k < SYMBOLS; k++) {
      const slope = scale * ((k === symbol ? 1 : 0) - (probabilities[k] ?? 0));
      probabilities[k] = slope;
    }
    for (const row of rows) {
      const start = row * SYMBOLS;
      for (let k = 0; k < SYMBOLS; k++)
        gradient[start + k] = (gradient[start + k] ?? 0) + (probabilities[k] ?? 0);
    }
    for (const copy of copies) {
      gradient[copiesFrom + copy] = (gradient[copiesFrom + copy] ?? 0) + (probabilities[copied] ?? 0);
    }
    if (symbol !== STOP) prefix = extend(policy.family, encoded, prefix, symbol);
  }
  return sum;
}

function largestOf(probabilities: Float64Array): number {
  return probabilities.reduce((best, p, k) => (p > (probabilities[best] ?? 0) ? k : best), 0);
}

/** The probabilities that are really drawn from: sharpened by the temperature, then cut to the nucleus. */
export function sharpened(probabilities: Float64Array, { temperature, topP }: SymbolSampling): Float64Array {
  if (temperature === 0) {
    const only = new Float64Array(probabilities.length);
    only[largestOf(probabilities)] = 1;
    return only;
  }
  const result =
    temperature === 1 ? probabilities.slice() : softmax(probabilities.map((p) => Math.log(p) / temperature));
  if (topP >= 1) return result;
  const order = Array.from(result.keys()).sort((a, b) => (result[b] ?? 0) - (result[a] ?? 0) || a - b);
  let held = 0;
  for (const k of order) {
    const p = result[k] ?? 0;
    if (held >= topP) result[k] = 0;
    held += p;
  }
  const total = result.reduce((sum, p) => sum + p, 0);
  return result.map((p) => p / total);
}

function draw(probabilities: Float64Array, random: Random): number {
  const wanted = random.uniform();
  let held = 0;
  for (let k = 0; k < probabilities.length; k++) {
    held += probabilities[k] ?? 0;
    if (wanted < held) return k;
  }
  return largestOf(probabilities); // rounding left the sum just below 1
}

export type SampledProgram = {
  readonly program: Program;
  /** The symbols written, STOP included where it was, each with its log-probability at temperature 1. */
  readonly symbols: readonly { readonly symbol: number; readonly logProbability: number }[];
};

export function sampleProgram(
  policy: PocketPolicy,
  encoded: Encoded,
  random: Random,
  sampling: SymbolSampling,
): SampledProgram {
  const symbols: { symbol: number; logProbability: number }[] = [];
  let prefix = emptyPrefix(encoded);
  while (!isOver(prefix)) {
    const { probabilities } = choiceAt(policy, encoded, prefix);
    const symbol = draw(sharpened(probabilities, sampling), random);
    symbols.push({ symbol, logProbability: Math.log(probabilities[symbol] ?? 0) });
    if (symbol === STOP) break;
    prefix = extend(policy.family, encoded, prefix, symbol);
  }
  return { program: prefix.steps, symbols };
}
