import type { DoctorCheck, ModelTraining, PlanMemory } from '../../../../preload/contract';
import {
  type MeasuredRate,
  rangeText,
  type SecondsRange,
  secondsByDevice,
  secondsByRate,
  shareOfTime,
} from './duration';
import type { MeasuredSpeed } from './measured-speed';
import { type DeviceKind, engineMemory, type LearnerMemory, learnerMemory, PROMPT_TOKENS } from './memory';
import { labelledParts, memoryStacks } from './memory-picture';
import type { ModelShape, ShapeReading } from './model-shape';
import { type TrainingWork, trainingWork, updateCost } from './work';

/** What is known of a training before it starts. */
export type Known = {
  readonly device: DeviceKind;
  /** Cores that the learners use; null: unknown. */
  readonly cores: number | null;
  /** Of the machine's memory, or of its smallest GPU; null: unknown. */
  readonly deviceBytes: number | null;
  /** By agent, in order; null: the machine was not asked. */
  readonly shapes: readonly ShapeReading[] | null;
  /** Problems that it trains on. */
  readonly problems: number;
  /** Of the earlier training that is most like it. */
  readonly rate: MeasuredRate | null;
  /** Of the machine's GPU day; null: none, or not of this kind of training. */
  readonly speed: MeasuredSpeed | null;
  /** The least gain that its evaluation detects, as a share: in Pass@1, and in problems solved by a search. */
  readonly gains: { readonly passOne: number | null; readonly search: number | null };
};

/** On a cluster or an unknown machine. */
const ASSUMED_CORES = 8;

/** What the training is expected to take, a sentence each: hours, then memory, then what it does and can show. */
export function expectation(spec: ModelTraining, known: Known): string[] {
  const work = trainingWork(spec, known.problems);
  return [
    hoursLine(spec, work, known),
    ...memoryLines(spec, work, known),
    workLine(spec, work, known.problems),
    passesLine(spec, work, shapesOf(known)),
    gainLine(spec, known.gains),
  ].filter((line) => line !== '');
}

function shapesOf({ shapes }: Known): readonly ModelShape[] | null {
  const found = (shapes ?? []).flatMap((reading) => (reading.kind === 'known' ? [reading.shape] : []));
  return shapes !== null && found.length === shapes.length ? found : null;
}

function hoursLine(spec: ModelTraining, work: TrainingWork, known: Known): string {
  if (known.rate !== null) {
    const range = rangeText(secondsByRate(spec, work, known.rate, evaluatingShare(spec, work, known)));
    return `Takes ${range}, at the rate at which "${known.rate.name}" trained these models on this machine.`;
  }
  if (known.shapes === null) return 'How long it takes is unknown until the machine is checked.';
  const range = guessedSeconds(spec, work, known);
  if (range === null) return 'How long it takes is unknown: a model could not be read.';
  const { device, cores, speed } = known;
  if (speed !== null)
    return `Takes ${rangeText(range)}, by the speed that the GPU day of ${speed.day} measured with ${speed.model} (another model: by its size). Once these models have trained here, the plan goes by their rate.`;
  const of = device === 'gpu' ? 'GPUs' : `a processor with ${coresText(cores ?? ASSUMED_CORES)}`;
  const assumed = device === 'gpu' || cores !== null ? '' : ' (assumed)';
  return `Takes ${rangeText(range)}: a wide guess, from the sizes of the models and the usual speed of ${of}${assumed}. Once these models have trained here, the plan goes by their rate.`;
}

/** Of an answer's time in a round, in an evaluation; 1 where the models are unknown. */
function evaluatingShare(spec: ModelTraining, work: TrainingWork, known: Known): SecondsRange {
  const shapes = shapesOf(known);
  if (shapes === null) return { low: 1, high: 1 };
  const cores = (known.cores ?? ASSUMED_CORES) / spec.agents.length;
  return shareOfTime(
    shapes,
    spec,
    { device: known.device, cores },
    { rows: work.evaluationRows, fewer: work.rows },
  );
}

function guessedSeconds(spec: ModelTraining, work: TrainingWork, known: Known): SecondsRange | null {
  const shapes = shapesOf(known);
  if (shapes === null) return null;
  const agents = spec.agents.map(({ maxTokens }, i) => ({ maxTokens, shape: shapes[i] as ModelShape }));
  const { device, cores, speed } = known;
  return secondsByDevice(agents, spec, work, { device, cores: cores ?? ASSUMED_CORES, speed });
}

function memoryLines(spec: ModelTraining, work: TrainingWork, known: Known): string[] {
  if (known.shapes === null) {
    return ['Memory is unknown until the machine is checked: the models are there, not here.'];
  }
  const learners = memoryOf(spec, work, known);
  const unknown = known.shapes.flatMap((reading, i) =>
    reading.kind === 'known'
      ? []
      : [`Memory of ${spec.agents[i]?.id} is unknown: ${spec.agents[i]?.model} ${reading.why}.`],
  );
  const needed = neededBytes(learners, known.device);
  const parts = learners.map((learner) => partsLine(learner, spec));
  if (learners.length === 0) return unknown;
  return [memoryText(spec, needed, known), ...parts, ...unknown];
}

function memoryText(spec: ModelTraining, needed: number, { device, deviceBytes }: Known): string {
  const isOne = spec.agents.length === 1;
  const [of, who] =
    device === 'gpu' ? ['a GPU', 'for the largest agent'] : ['the machine', 'all agents together'];
  const size = deviceBytes === null ? '' : ` of the ${gigabytes(deviceBytes)}`;
  const start = `Memory: about ${gigabytes(needed)}${size} of ${of}${isOne ? '' : `, ${who}`}.`;
  const isTooMuch = deviceBytes !== null && needed > deviceBytes;
  return isTooMuch ? `${start} It does not fit. ${smallestChange(spec)}` : start;
}

type NeededMemory = {
  readonly id: string;
  readonly shape: ModelShape;
  readonly memory: LearnerMemory;
  readonly stacks: ReturnType<typeof memoryStacks>;
  /** Of the learner and the engine that writes for it at their peak. */
  readonly total: number;
};

function memoryOf(
  spec: ModelTraining,
  work: TrainingWork,
  { shapes, device, deviceBytes }: Known,
): NeededMemory[] {
  const rows = Math.max(work.rows, work.evaluated > 0 ? work.evaluationRows : 0);
  return spec.agents.flatMap(({ id, maxTokens }, i) => {
    const reading = shapes?.[i];
    if (reading?.kind !== 'known') return [];
    const { shape } = reading;
    const memory = learnerMemory(shape, spec, { maxTokens, device, rows });
    const { engine, total } = engineMemory(shape, spec, memory, { device, deviceBytes });
    const isShareUnknown = device === 'gpu' && deviceBytes === null;
    const stacks = memoryStacks(spec, memory, { engine: isShareUnknown ? null : engine, device });
    return [{ id, shape, memory, stacks, total }];
  });
}

/** The memory of the sentences as a picture; undefined where no model's sizes are known. */
export function memoryPicture(spec: ModelTraining, known: Known): PlanMemory | undefined {
  const learners = memoryOf(spec, trainingWork(spec, known.problems), known);
  if (learners.length === 0) return undefined;
  const agents = learners.map(({ id, total, stacks }) => ({ id, total, ...stacks }));
  return { device: known.device, deviceBytes: known.deviceBytes, agents };
}

/** Learners share a machine's memory; each has GPUs of its own. */
function neededBytes(learners: readonly NeededMemory[], device: DeviceKind): number {
  const totals = learners.map(({ total }) => total);
  return device === 'gpu' ? Math.max(0, ...totals) : totals.reduce((sum, bytes) => sum + bytes, 0);
}

function partsLine(
  { id, shape: { parameters }, memory: { trained }, stacks }: NeededMemory,
  { writer }: Pick<ModelTraining, 'writer'>,
): string {
  const turns =
    writer === undefined
      ? 'Writing and learning take turns: the larger of them counts.'
      : 'On GPUs the engine stops or sleeps while the learner learns; what the learner keeps stays.';
  const parts = labelledParts(stacks).map(([label, bytes]) => `${label} ${gigabytes(bytes)}`);
  return `${id}: ${millions(parameters)} million parameters, ${millions(trained)} million of them trained; ${parts.join(', ')}. ${turns}`;
}

function workLine(spec: ModelTraining, work: TrainingWork, problems: number): string {
  const { learned, written, evaluated, rounds } = work;
  const evaluation = `${many(evaluated)} in the evaluation`;
  if (rounds === 0) return `Writes ${evaluation}, and trains nothing.`;
  const filtered = spec.objective.filter === null ? '' : ' Trees that the filter drops come on top.';
  return `All ${many(spec.updates)} updates are reached after about ${many(rounds)} rounds: ${many(written)} answers are written, ${many(learned)} of them learned from, ${metText(spec, work, problems)}; ${evaluation}. What is not certain is the signal: problems that are never or always solved teach nothing.${filtered}`;
}

/** How often the problems come up. How many there will be is unknown where they are yet to be chosen. */
function metText(spec: ModelTraining, { treesPerProblem }: TrainingWork, problems: number): string {
  const trees = many(Math.round(treesPerProblem * problems));
  if (spec.problems.choose !== undefined) return `in ${trees} trees of the chosen problems`;
  if (treesPerProblem < 1) return `so that ${trees} of ${many(problems)} problems are met`;
  return `so that each of ${many(problems)} problems is met ${treesPerProblem.toFixed(1)} times`;
}

function passesLine(spec: ModelTraining, work: TrainingWork, shapes: readonly ModelShape[] | null): string {
  if (work.rounds === 0) return '';
  const { scores, perToken } = updateCost(spec);
  const scored = scores === 1 ? 'scored once' : 'scored twice (by the model and by the reference)';
  const passes = `In an update each answer is ${scored}, then passed forward, forward again and backward: ${perToken} operations for each parameter and token`;
  if (shapes === null) return `${passes}.`;
  const most = spec.agents.reduce((sum, { maxTokens }, i) => {
    const tokens = (work.learned / spec.agents.length) * (maxTokens + PROMPT_TOKENS);
    return sum + tokens * perToken * (shapes[i]?.parameters ?? 0);
  }, 0);
  return `${passes}, at most ${operations(most)} in all updates.`;
}

function gainLine({ evaluation }: ModelTraining, { passOne, search }: Known['gains']): string {
  if (evaluation.problems === 0) return 'Without an evaluation no gain can be shown.';
  if (passOne === null) return `${evaluation.problems} held-out problems are too few to show any gain.`;
  const points = (gain: number) => `${Math.ceil(gain * 1_000) / 10} points`;
  const bySearch = search === null ? '' : `, ${points(search)} of problems solved by a search`;
  return `The smallest gain that ${evaluation.problems} held-out problems can show: ${points(passOne)} of Pass@1 with ${evaluation.samples} answers a problem${bySearch} (before and after on the same problems, two-sided 5 %, found in four of five trainings; more where problems differ in their gain).`;
}

/** Whether the learners fit their devices; null: unknown. For the checks of a plan. */
export function memoryCheck(spec: ModelTraining, known: Known): DoctorCheck | null {
  const check = { id: 'model-memory', title: 'Memory of the learners' };
  if (known.deviceBytes === null || shapesOf(known) === null) return null;
  const needed = neededBytes(memoryOf(spec, trainingWork(spec, known.problems), known), known.device);
  const finding = `About ${gigabytes(needed)} of ${gigabytes(known.deviceBytes)}.`;
  if (needed > known.deviceBytes)
    return { ...check, state: 'bad', found: finding, todo: smallestChange(spec) };
  // It is an estimate, and other programs run there as well.
  const isTight = needed > 0.85 * known.deviceBytes;
  return {
    ...check,
    state: isTight ? 'warning' : 'good',
    found: finding,
    todo: isTight ? smallestChange(spec) : null,
  };
}

function smallestChange({ lora, dtype }: Pick<ModelTraining, 'lora' | 'dtype'>): string {
  if (lora === null) return 'Train adapters (--lora 16) instead of all weights.';
  if (dtype === 'float32') return 'Compute in bfloat16 (--dtype bfloat16).';
  return 'Allow shorter answers, or take a smaller model.';
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(bytes < 0.05e9 ? 2 : bytes < 100e9 ? 1 : 0)} GB`;
}

function millions(count: number): string {
  return (count / 1e6).toLocaleString('en', { maximumFractionDigits: count < 1e8 ? 1 : 0 });
}

function coresText(count: number): string {
  return count === 1 ? 'one core' : `${count} cores`;
}

function many(count: number): string {
  return count.toLocaleString('en');
}

function operations(count: number): string {
  const power = Math.floor(Math.log10(Math.max(1, count)));
  return `${(count / 10 ** power).toFixed(1)} × 10^${power} operations`;
}
