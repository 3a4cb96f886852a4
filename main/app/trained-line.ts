import { jobHasEnded, jobHasSucceeded } from '../../preload/contract/folds/index';
import type {
  AtHand,
  Exhibit,
  ExhibitSeries,
  TrainingCurve,
  TrainingSpec,
  TrainingView,
} from '../../preload/contract/index';
import {
  heldOutPart,
  isEvaluatedOnTheWay,
  isOwnTraining,
  seedOfTraining,
  withoutSeed,
} from '../../preload/contract/plans/index';
import { failed, ok, type Result } from '../base/index';
import { formatList, heldOutCurves } from '../metrics/index';

/** A training at hand that a line names. */
type LineTraining = Pick<
  TrainingView,
  'id' | 'name' | 'spec' | 'agents' | 'state' | 'scale' | 'alarms' | 'step' | 'steps'
>;

/** A line over its trainings, as the exhibit has it. */
type TrainedLine = {
  readonly series: ExhibitSeries;
  readonly configurations: Exhibit['configurations'];
};

/** What `trainedLine` gives: a curve per seed, in the order of the seeds, and what they are. */
export type LineAtHand = { readonly curves: readonly TrainingCurve[]; readonly atHand: AtHand };

/** Settings of where a training runs and what it keeps: they change no number of its curve. */
const NO_MATTER = new Set(['checkpointEvery', 'python', 'threads', 'rayAddress']);
const NAMES: Readonly<Record<string, string>> = {
  method: 'method',
  preset: 'method',
  families: 'models',
  agents: 'models',
};
/** Most names of settings in a message. */
const MAX_NAMED = 4;

/** Why these trainings cannot be the seeds of this line, with what to do; null: they can, once they are finished. */
export function lineProblem(line: TrainedLine, trainings: readonly LineTraining[]): string | null {
  const [first, ...others] = trainings;
  if (first === undefined) return 'Name a training.';
  const seedless = trainings.find(({ spec }) => seedOfTraining(spec) === null);
  if (seedless !== undefined && others.length > 0) {
    return `${quoted(seedless)} does not say its seed, so it cannot be one of several trainings of a line. Name it alone.`;
  }
  for (const other of others) {
    const differing = settingsThatDiffer(first.spec, other.spec);
    if (differing.length > 0) {
      return `${quoted(first)} and ${quoted(other)} differ in ${formatList(differing)}. Trainings of one line differ in their seed alone: give each a line of its own.`;
    }
  }
  for (const [at, training] of trainings.entries()) {
    const seed = seedOfTraining(training.spec);
    const same = trainings.slice(0, at).find(({ spec }) => seedOfTraining(spec) === seed);
    if (same !== undefined) {
      return `${quoted(same)} and ${quoted(training)} have the same seed, ${seed}. Leave one of them out.`;
    }
  }
  const agent = agentOf(line, first);
  return agent.ok ? null : agent.error;
}

/**
 * The first of these trainings that is evaluated only at its end, in a sentence; null: none. Such a training has no
 * learning curve.
 */
export function onePointProblem(trainings: readonly LineTraining[]): string | null {
  const once = trainings.find(({ spec }) => !isEvaluatedOnTheWay(spec));
  return once === undefined ? null : `${quoted(once)} ${ONLY_ONCE}`;
}

/** The line that these trainings give; their `curves` in their order. Fails with why they give none, and what to do. */
export function trainedLine(
  line: TrainedLine,
  trainings: readonly (LineTraining & { readonly curves: readonly TrainingCurve[] })[],
): Result<LineAtHand, string> {
  const why = lineProblem(line, trainings);
  if (why !== null) return failed(why);
  const ordered = trainings.toSorted((a, b) => (seedOfTraining(a.spec) ?? 0) - (seedOfTraining(b.spec) ?? 0));
  const curves: TrainingCurve[] = [];
  for (const training of ordered) {
    const curve = heldOutCurve(line, training);
    if (!curve.ok) return curve;
    curves.push(curve.value);
  }
  const [first] = ordered;
  if (first === undefined) return failed('Name a training.');
  const agent = agentOf(line, first);
  if (!agent.ok) return agent;
  return ok({
    curves,
    atHand: {
      scale: first.scale,
      seeds: ordered.flatMap(({ spec }) => seedOfTraining(spec) ?? []),
      ...evaluatedOn(first.spec),
      models: [agent.value.name],
      trainings: ordered.map(({ id, name, spec }) => ({ id, name, seed: seedOfTraining(spec) })),
    },
  });
}

/** Why a training gives no line before its curves are read; null: it may. */
function notReadyReason(training: LineTraining): string | null {
  const { spec, state, step, steps, alarms } = training;
  // How a run that others started has ended, only they know.
  const isDone = spec.kind === 'watched' ? jobHasEnded(state) : jobHasSucceeded(state);
  if (!isDone) {
    const far = steps === null ? '' : `, after ${step} of ${steps} updates`;
    return `${quoted(training)} is not finished${far}. Wait for its end or resume it, then fill the figure.`;
  }
  const damaged = alarms.find(({ kind }) => kind === 'unreadable');
  return damaged === undefined
    ? null
    : `The record of ${quoted(training)} is damaged, so its line could lack points. ${damaged.message} Bring the file back from a copy, or leave this training out.`;
}

function heldOutCurve(
  line: TrainedLine,
  training: LineTraining & { readonly curves: readonly TrainingCurve[] },
): Result<TrainingCurve, string> {
  const { curve } = line.series;
  if (curve.kind !== 'learning') return failed(`"${line.series.label}" is no line over a training.`);
  const why = notReadyReason(training);
  if (why !== null) return failed(why);
  const agent = agentOf(line, training);
  if (!agent.ok) return agent;
  const name = quoted(training);
  if (training.curves.length === 0) {
    return failed(
      `${name} has no curves: the files with its numbers are gone. Bring them back from a copy, or name another training.`,
    );
  }
  const evaluated = training.curves.filter(({ part }) => part === 'evaluation');
  if (evaluated.length === 0) {
    return failed(`${name} was not evaluated on held-out problems, so it gives no line. ${TRAIN_AGAIN}`);
  }
  const own = evaluated.filter(({ agentId }) => agentId === agent.value.id);
  if (own.length === 0) {
    return failed(
      `${name} was not evaluated with ${agent.value.name} alone, so it gives no line of it. Name another training.`,
    );
  }
  const [found] = heldOutCurves(own, { key: curve.key, agentId: agent.value.id });
  if (found === undefined) {
    const has = formatList(own.map(({ key }) => `"${key}"`));
    return failed(
      `${name} has no "${curve.key}" on held-out problems, but ${has}. Set "key" of the line to what it has, or name another training.`,
    );
  }
  if (new Set(found.steps).size < 2) {
    return failed(`${name} ${ONLY_ONCE}`);
  }
  if (curve.x === 'samples' && found.samples === null) {
    return failed(
      `${name} does not tell how many samples it had learned from. Set "x" of the line to "updates".`,
    );
  }
  return ok(found);
}

const TRAIN_AGAIN =
  'Train it again with evaluations on the way (their interval is evaluation.every of its settings), or name another training.';
const ONLY_ONCE = `was evaluated on held-out problems once, which is a point and no line. ${TRAIN_AGAIN}`;

/** The agent of the line's curve: the one that it names, else the only one, else the one at the place of its model. */
function agentOf(
  { series, configurations }: TrainedLine,
  training: LineTraining,
): Result<LineTraining['agents'][number], string> {
  const { agents } = training;
  const { curve } = series;
  if (curve.kind !== 'learning') return failed(`"${series.label}" is no line over a training.`);
  const names = formatList(agents.map(({ name }) => name));
  if (curve.agent !== undefined) {
    const named = agents.find(({ id, name }) => id === curve.agent || name === curve.agent);
    if (named !== undefined) return ok(named);
    return failed(`${quoted(training)} has no agent "${curve.agent}". It has: ${names}.`);
  }
  const own = configurations.find(({ id }) => id === series.configuration);
  const models = own === undefined ? [] : [...own.models, ...own.partners];
  const position = models.length === agents.length ? models.indexOf(curve.model) : -1;
  const agent = agents.length === 1 ? agents[0] : agents[position];
  return agent === undefined
    ? failed(`${quoted(training)} has several agents: ${names}. Name one of them in "agent" of the line.`)
    : ok(agent);
}

/** On what a training was evaluated while it learned, as far as the workbench knows it. */
function evaluatedOn(spec: TrainingSpec): Pick<AtHand, 'benchmarks' | 'problems'> {
  if (isOwnTraining(spec)) {
    const { evaluation } = spec;
    const part = heldOutPart('split' in evaluation ? evaluation.split : '', spec);
    const on = spec.kind === 'pocket' ? part.replace(/^the /, 'the pocket ') : part;
    return { benchmarks: [on], problems: evaluation.problems };
  }
  const of = spec.kind === 'marti' ? spec.data.split('/').findLast((part) => part !== '') : undefined;
  return { benchmarks: [of === undefined ? "its trainer's test data" : `the test data of ${of}`] };
}

/** What two trainings differ in besides their seeds, in words. */
function settingsThatDiffer(one: TrainingSpec, other: TrainingSpec): string[] {
  if (one.kind !== other.kind) return ['trainer'];
  const [first, second] = [settingsOf(one), settingsOf(other)];
  const names = [...new Set([...first.keys(), ...second.keys()])];
  const differing = names.filter((name) => first.get(name) !== second.get(name));
  return [...new Set(differing.map((name) => NAMES[name] ?? name))].slice(0, MAX_NAMED);
}

/** Every setting by its path, e.g. "evaluation.every", as text. */
function settingsOf(spec: TrainingSpec): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  const add = (value: unknown, path: readonly string[]): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      settings.set(path.join('.'), JSON.stringify(value) ?? '');
      return;
    }
    for (const [name, inner] of Object.entries(value)) add(inner, [...path, name]);
  };
  for (const [name, value] of Object.entries(withoutSeed(spec))) {
    if (!NO_MATTER.has(name)) add(value, [name]);
  }
  return settings;
}

const quoted = ({ name }: Pick<LineTraining, 'name'>): string => `"${name}"`;
