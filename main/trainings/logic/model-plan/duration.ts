import type { ModelTraining, TrainingView } from '../../../../preload/contract';
import type { MeasuredSpeed } from './measured-speed';
import { type DeviceKind, PROMPT_TOKENS, sampleTokens } from './memory';
import type { ModelShape } from './model-shape';
import { numberBytes, type TrainingWork, updateCost } from './work';

/** Seconds. */
export type SecondsRange = { readonly low: number; readonly high: number };

type Rates = {
  /** Floating-point operations a second of passes over many tokens: of a GPU, or of one core. */
  readonly operations: number;
  /** Bytes a second at which weights are read for each token that is written. */
  readonly bandwidth: number;
  /** Seconds a layer and token that are not arithmetic: launches of kernels, Python. */
  readonly layerSeconds: number;
  /** A program in the sandbox, with several at once. */
  readonly gradeSeconds: number;
  /** Share of the limit on tokens that an answer uses, and tokens of its prompt. */
  readonly answerShare: number;
  readonly promptTokens: number;
};

/**
 * The range in which devices of a kind and tasks are, fast first; docs/training.md has them with their sources. A GPU:
 * from a consumer card to an H100, at some 35 % of what its data sheet says for bfloat16, a tenth of it for float32.
 * A core: from a laptop's to two 512-bit units (measured: 85 × 10^9 on a shared core, an adapter of SmolLM2-135M).
 */
function ratesOf(device: DeviceKind, dtype: ModelTraining['dtype'], cores: number): readonly [Rates, Rates] {
  const fastTask = { gradeSeconds: 0.02, answerShare: 0.25, promptTokens: 256 };
  const slowTask = { gradeSeconds: 0.5, answerShare: 1, promptTokens: PROMPT_TOKENS };
  if (device === 'gpu') {
    const factor = dtype === 'bfloat16' ? 1 : 0.1;
    return [
      { operations: 4e14 * factor, bandwidth: 2.5e12, layerSeconds: 0.4e-3, ...fastTask },
      { operations: 4e13 * factor, bandwidth: 5e11, layerSeconds: 1.5e-3, ...slowTask },
    ];
  }
  return [
    { operations: 1.5e11 * cores, bandwidth: 4e10, layerSeconds: 0.3e-3, ...fastTask },
    { operations: 1e10 * cores, bandwidth: 8e9, layerSeconds: 2e-3, ...slowTask },
  ];
}

/** Another model differs from the one that was measured by so much, either way. */
const MEASURED_MODEL_FACTOR = 2;

/**
 * The ranges of a device around what was measured on it. Of the time of a token only the sum is known: its parts keep the
 * proportion that they have in the middle of the device's ranges. Tasks stay as wide as they are.
 */
function ratesAround(range: readonly [Rates, Rates], speed: MeasuredSpeed): readonly [Rates, Rates] {
  const middle = (of: (rates: Rates) => number): number => Math.sqrt(of(range[0]) * of(range[1]));
  const [bandwidth, layerSeconds] = [
    middle((rates) => rates.bandwidth),
    middle((rates) => rates.layerSeconds),
  ];
  const { operations, parameters, layers, rows, bytesPerParameter } = speed;
  const shared = layers * layerSeconds + (bytesPerParameter * parameters) / bandwidth;
  const factor = speed.tokenSeconds / (shared / rows + (2 * parameters) / operations);
  const around = (rates: Rates, by: number): Rates => ({
    ...rates,
    operations: operations * by,
    bandwidth: (bandwidth / factor) * by,
    layerSeconds: (layerSeconds * factor) / by,
  });
  return [around(range[0], MEASURED_MODEL_FACTOR), around(range[1], 1 / MEASURED_MODEL_FACTOR)];
}

/** One agent's model and limit. */
export type AgentSize = { readonly shape: ModelShape; readonly maxTokens: number };

/**
 * How long a training may take by the ranges of its device, or by what was measured on it: each written token reads the
 * weights once for all answers that are written together, and passes 2 operations a parameter; updates as in
 * `updateCost`. Learners share a processor; each has GPUs of its own, where the slowest counts.
 */
export function secondsByDevice(
  agents: readonly AgentSize[],
  spec: Pick<ModelTraining, 'lora' | 'objective' | 'dtype'>,
  work: TrainingWork,
  {
    device,
    cores,
    speed = null,
  }: { readonly device: DeviceKind; readonly cores: number; readonly speed?: MeasuredSpeed | null },
): SecondsRange {
  const { perToken } = updateCost(spec);
  const bytes = numberBytes(spec);
  const range = ratesOf(device, spec.dtype, cores);
  const [low, high] = (speed === null ? range : ratesAround(range, speed)).map((rates) => {
    const each = agents.map(({ shape, maxTokens }) => {
      const answer = maxTokens * rates.answerShare;
      const prompt = Math.min(rates.promptTokens, sampleTokens(shape, maxTokens) - answer);
      const pass = (2 * shape.parameters) / rates.operations;
      const writing = (answers: number, rows: number) =>
        answers * (answer * tokenSeconds(shape, bytes, rates, rows) + prompt * pass);
      const learning = (work.learned * (prompt + answer) * perToken * shape.parameters) / rates.operations;
      return (
        (writing(work.written, work.rows) +
          writing(work.evaluated + work.chosenBy, work.evaluationRows) +
          learning) /
        agents.length
      );
    });
    const computing = device === 'gpu' ? Math.max(...each) : each.reduce((sum, seconds) => sum + seconds, 0);
    return computing + (work.written + work.evaluated + work.chosenBy) * rates.gradeSeconds;
  }) as [number, number];
  return { low, high };
}

/** Seconds for a token of each of `rows` answers written together, divided by their number. */
function tokenSeconds(shape: ModelShape, bytes: number, rates: Rates, rows: number): number {
  const forAll = shape.layers * rates.layerSeconds + (bytes * shape.parameters) / rates.bandwidth;
  return forAll / rows + (2 * shape.parameters) / rates.operations;
}

/**
 * Time for an answer where `rows` are written together, as a share of the time where `fewer` are: at most 1, the share
 * of a fast device first. Of several models, the one that gains least counts.
 */
export function shareOfTime(
  shapes: readonly ModelShape[],
  spec: Pick<ModelTraining, 'dtype'>,
  { device, cores }: { readonly device: DeviceKind; readonly cores: number },
  { rows, fewer }: { readonly rows: number; readonly fewer: number },
): SecondsRange {
  const shares = ratesOf(device, spec.dtype, cores).map((rates) => {
    const seconds = (shape: ModelShape, count: number) =>
      tokenSeconds(shape, numberBytes(spec), rates, count);
    return Math.max(...shapes.map((shape) => Math.min(1, seconds(shape, rows) / seconds(shape, fewer))));
  });
  return { low: Math.min(...shares), high: Math.max(...shares) };
}

/** What an earlier training on the same machine has shown of its models. */
export type MeasuredRate = {
  readonly name: string;
  readonly spec: ModelTraining;
  /** Written a second of writing, all agents together. */
  readonly tokensPerSecond: number;
  /** Shares of a round. */
  readonly writing: number;
  readonly grading: number;
  /** Of an answer, on average. */
  readonly tokens: number;
};

/** The rate that a training has left in its latest values; null: it has made no update, or trains something else. */
export function measuredRate(view: Pick<TrainingView, 'name' | 'spec' | 'latest'>): MeasuredRate | null {
  if (view.spec.kind !== 'model') return null;
  const mean = (key: string): number => {
    const values = view.latest.filter((value) => value.key === key && value.part !== 'evaluation');
    return values.reduce((sum, { value }) => sum + value, 0) / values.length;
  };
  const rate = {
    tokensPerSecond: mean('tokens-per-second'),
    writing: mean('time-writing'),
    grading: mean('time-grading'),
    tokens: mean('tokens'),
  };
  const isUsable = rate.tokensPerSecond > 0 && rate.writing > 0 && rate.tokens > 0 && rate.grading >= 0;
  return isUsable ? { name: view.name, spec: view.spec, ...rate } : null;
}

/** Whether a rate of one says something about the other: the same models, trained in the same way. */
export function isComparableTraining(one: ModelTraining, other: ModelTraining): boolean {
  const key = ({ agents, lora, device, dtype, processes, threads }: ModelTraining) =>
    JSON.stringify([
      agents.map(({ model }) => model).sort(),
      lora === null,
      device,
      dtype,
      processes,
      threads,
    ]);
  return key(one) === key(other);
}

/** Rounds and the load of a machine differ by so much; more where another number of answers is written together. */
const MEASURED_FACTOR = 1.5;
const OTHER_FACTOR = 2.5;

/**
 * How long a training may take at the rate of an earlier one; longer answers are reckoned with where they are allowed.
 * `evaluating`: the time of an answer of an evaluation as a share of that of an answer of a round, since an evaluation
 * writes more of them together (`shareOfTime`).
 */
export function secondsByRate(
  spec: ModelTraining,
  work: TrainingWork,
  rate: MeasuredRate,
  evaluating: SecondsRange,
): SecondsRange {
  const limit = ({ agents }: ModelTraining) => Math.max(...agents.map(({ maxTokens }) => maxTokens));
  const longer = Math.max(1, limit(spec) / limit(rate.spec));
  const seconds = (tokens: number, share: number): number => {
    const training = (work.written * tokens) / (rate.tokensPerSecond * rate.writing);
    const writing = ((work.evaluated + work.chosenBy) * tokens) / rate.tokensPerSecond;
    return training + writing * (share + rate.grading / rate.writing);
  };
  const factor = spec.treesPerRound === rate.spec.treesPerRound ? MEASURED_FACTOR : OTHER_FACTOR;
  const { low, high } = evaluating;
  return { low: seconds(rate.tokens, low) / factor, high: seconds(rate.tokens * longer, high) * factor };
}

/** "10 to 40 minutes", "50 minutes to 2.3 days". */
export function rangeText({ low, high }: SecondsRange): string {
  if (high < 30) return 'less than a minute';
  const [from, to] = [inUnit(low), inUnit(high)];
  if (from.text === to.text && from.unit === to.unit)
    return `about ${to.text} ${to.text === '1' ? to.unit.slice(0, -1) : to.unit}`;
  return `${from.text} ${from.unit === to.unit ? '' : `${from.unit} `}to ${to.text} ${to.unit}`;
}

function inUnit(seconds: number): { readonly text: string; readonly unit: string } {
  if (seconds < 5_400) return { text: String(Math.max(1, Math.round(seconds / 60))), unit: 'minutes' };
  const [unit, size] = seconds < 172_800 ? ['hours', 3_600] : ['days', 86_400];
  const value = seconds / size;
  return { text: value >= 10 ? value.toFixed(0) : value.toFixed(1).replace(/\.0$/, ''), unit };
}
