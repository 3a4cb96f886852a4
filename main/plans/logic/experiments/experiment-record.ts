import { z } from 'zod';
import {
  type ExperimentRequest,
  type ExperimentRow,
  experimentRequestSchema,
  LOCAL_MACHINE,
  type ModelTraining,
  modelTrainingSchema,
  type PocketTraining,
  pocketTrainingSchema,
  type TrainingRequest,
  trainingCurveSchema,
  trainingEvaluationSchema,
  trainingRequestSchema,
} from '../../../../preload/contract';
import { trainingMethodOf, trainingsProblem } from '../../../../preload/contract/plans';
import { NO_AMOUNT } from '../costs';
import { NOT_STARTED, type Plan, type PlannedStep, planRecordSchema, type StepNote } from '../plan-record';

/** `experiment.json` in the experiment's folder. */
export const experimentRecordSchema = planRecordSchema.extend({
  version: z.literal(2),
  order: experimentRequestSchema,
  /** Name of the bundle that it came with: read-only. */
  fromBundle: z.string().max(300).optional(),
});
export type ExperimentRecord = Readonly<z.output<typeof experimentRecordSchema>>;

/** A row with a seed: a training. Its id is its place in the order of seeds, then rows. */
export type ExperimentStep = PlannedStep & { readonly label: string; readonly seed: number };

export type Experiment = Plan<ExperimentRecord, ExperimentStep>;

/** The outcome of a finished training, one file each, so that the training may be removed. */
export const outcomeSchema = z.object({
  evaluation: trainingEvaluationSchema,
  zeroAdvantage: z.array(z.object({ agentId: z.string(), share: z.number() })),
  /** Those that are drawn; left out by earlier versions. */
  curves: z.array(trainingCurveSchema).max(1_000).optional(),
});
export type Outcome = z.output<typeof outcomeSchema>;

export function newRecord(id: string, request: ExperimentRequest, createdAt: string): ExperimentRecord {
  return {
    version: 2,
    id,
    order: request,
    createdAt,
    endedAt: null,
    paused: false,
    removing: false,
    notes: {},
  };
}

/** Seed by seed, so that whole seeds can be compared early. */
export function stepsOf(request: ExperimentRequest): Pick<Experiment, 'plan' | 'work'> {
  const trainings = request.seeds
    .flatMap((seed) => request.rows.map((row) => ({ row, seed })))
    .map(({ row, seed }, at) => ({
      step: {
        id: String(at),
        kind: 'train' as const,
        title: memberLabel(row.label, seed),
        needs: [],
        label: row.label,
        seed,
      },
      request: trainingRequestOf(request, row, seed),
    }));
  return {
    plan: { steps: trainings.map(({ step }) => step) },
    work: new Map(trainings.map(({ step, request }) => [step.id, { kind: 'train', order: request }])),
  };
}

/** Version 1 had the states of the trainings as a list in their order. */
const firstMembersSchema = z.array(
  z.object({
    trainingId: z.string().nullable(),
    state: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal(['planned', 'begun', 'halted']) }),
      z.object({ kind: z.literal('done'), seconds: z.number() }),
      z.object({ kind: z.literal('failed'), message: z.string() }),
    ]),
  }),
);

/** Converts a record of version 1 to the present form. Throws if it is not one. */
export function recordOfVersion1(value: unknown): unknown {
  const { members, ...record } = z.looseObject({ members: firstMembersSchema }).parse(value);
  const notes = members.map(({ trainingId, state }, at): [string, StepNote] => {
    const note = { ...NOT_STARTED, trainingId };
    switch (state.kind) {
      case 'done': {
        const took = { ...NO_AMOUNT, seconds: state.seconds };
        return [String(at), { ...note, state: { kind: 'done', reused: false }, took }];
      }
      case 'failed':
        return [String(at), { ...note, state: { ...state, hint: null } }];
      default:
        return [String(at), { ...note, state }];
    }
  });
  return { ...record, version: 2, notes: Object.fromEntries(notes) };
}

/** The training of a row with a seed: the experiment's settings with the row's changes. */
export function pocketTrainingOf(
  request: ExperimentRequest,
  row: ExperimentRow,
  seed: number,
): PocketTraining {
  const { method, families, change } = row;
  return pocketTrainingSchema.parse({
    kind: 'pocket',
    method,
    families,
    seed,
    ...defined(request.training),
    ...defined(change),
  });
}

/** The same of an experiment with language models: of their agents those that the row names, in its order. */
function modelTrainingOf(spec: ModelTraining, { method, families, change }: ExperimentRow, seed: number) {
  const agents = families.flatMap((id) => spec.agents.find((agent) => agent.id === id) ?? []);
  return modelTrainingSchema.parse({ ...spec, method, agents, seed, ...defined(change) });
}

/** The training of a row with a seed. */
export function rowTrainingOf(
  request: ExperimentRequest,
  row: ExperimentRow,
  seed: number,
): PocketTraining | ModelTraining {
  const { models } = request;
  return models === undefined
    ? pocketTrainingOf(request, row, seed)
    : modelTrainingOf(models.spec, row, seed);
}

/** The request to the training service. The name is unique within the experiment. */
export function trainingRequestOf(
  request: ExperimentRequest,
  row: ExperimentRow,
  seed: number,
): TrainingRequest {
  return trainingRequestSchema.parse({
    machineId: LOCAL_MACHINE,
    ...request.models,
    name: memberName(request, row.label, seed),
    spec: rowTrainingOf(request, row, seed),
  });
}

const MAX_NAME = 120;

function memberName(request: ExperimentRequest, label: string, seed: number): string {
  const own = memberLabel(label, seed);
  const room = MAX_NAME - own.length - 2;
  return room < 1 ? own : `${request.name.slice(0, room)}: ${own}`;
}

function memberLabel(label: string, seed: number): string {
  return `${label}, seed ${seed}`;
}

/** The reason why the requested experiment would be pointless; null: none is visible in its request. */
export function findProblem(request: ExperimentRequest): string | null {
  const { rows, seeds, training, models } = request;
  if ((models?.spec.evaluation ?? training.evaluation)?.problems === 0) {
    return 'Its methods are compared by their evaluation: evaluate them on one problem at least.';
  }
  const twice = repeated(rows.map(({ label }) => label));
  if (twice !== null) return `Two rows are called "${twice}". Give each a label of its own.`;
  const seed = repeated(seeds);
  if (seed !== null) return `The seed ${seed} is there twice. Give each training a seed of its own.`;
  for (const { label, method, families } of rows) {
    const facts = trainingMethodOf(method);
    if (families.length < facts.families) {
      return `The row "${label}" has too few families: ${facts.name} needs ${facts.families}.`;
    }
  }
  return trainingsProblem(rows.length, seeds.length) ?? changeProblem(request);
}

/** What pocket policies or language models do not have. */
function changeProblem({ rows, training, models }: ExperimentRequest): string | null {
  if (models === undefined) {
    const row = rows.find(({ change }) => change.lora !== undefined);
    return row === undefined
      ? null
      : `The row "${row.label}" sets adapters, which pocket policies do not have.`;
  }
  if (Object.keys(training).length > 0) {
    return 'The settings of language models are in their training: leave those of pocket policies out.';
  }
  const ids = models.spec.agents.map(({ id }) => id);
  for (const { label, families, change } of rows) {
    const unknown = families.find((id) => !ids.includes(id));
    if (unknown !== undefined) {
      return `The row "${label}" names the agent "${unknown}". The training has: ${ids.join(', ')}.`;
    }
    if (change.problems !== undefined) {
      return `The row "${label}" changes the number of problems, which language models take from a benchmark.`;
    }
  }
  return null;
}

function repeated<T>(values: readonly T[]): T | null {
  return values.find((value, at) => values.indexOf(value) !== at) ?? null;
}

/** `undefined` would hide the value that it overrides. */
function defined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
