import { z } from 'zod';
import {
  type ExperimentOrder,
  type ExperimentRow,
  experimentOrderSchema,
  LOCAL_MACHINE,
  type PocketTraining,
  pocketTrainingSchema,
  type TrainingRequest,
  trainingEvaluationSchema,
  trainingRequestSchema,
} from '../../../../preload/contract';

/** How far a training of the experiment is, as this record knows it; the rest is known by the training itself. */
const memberStateSchema = z.discriminatedUnion('kind', [
  /** Not started, or its training was removed. */
  z.object({ kind: z.literal('planned') }),
  z.object({ kind: z.literal('begun') }),
  /** Stopped by the experiment's pause, to be resumed with it. */
  z.object({ kind: z.literal('halted') }),
  /** What it measured is kept; `seconds`: that it took. */
  z.object({ kind: z.literal('done'), seconds: z.number().nonnegative() }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
]);

const memberSchema = z.object({
  label: z.string(),
  seed: z.number().int(),
  trainingId: z.string().nullable(),
  /** Its start and automatic resumes since a person last started it. */
  attempts: z.number().int().nonnegative(),
  state: memberStateSchema,
});
/** A training of an experiment: a row with a seed. */
export type Member = Readonly<z.output<typeof memberSchema>>;

/** `experiment.json` in the experiment's folder. Times are ISO dates. */
export const experimentRecordSchema = z.object({
  version: z.literal(1),
  id: z.string().min(1),
  order: experimentOrderSchema,
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  paused: z.boolean(),
  /** Being removed: continued at the next start where it was cut off. */
  removing: z.boolean(),
  /** In the order of seeds, then rows, so that whole seeds can be compared early. */
  members: z.array(memberSchema),
});
export type ExperimentRecord = Readonly<Omit<z.output<typeof experimentRecordSchema>, 'members'>> & {
  readonly members: readonly Member[];
};

/** What came of a training that is done; a file each, so that its training may be removed. */
export const outcomeSchema = z.object({
  evaluation: trainingEvaluationSchema,
  zeroAdvantage: z.array(z.object({ agentId: z.string(), share: z.number() })),
});
export type Outcome = z.output<typeof outcomeSchema>;

export function newRecord(id: string, order: ExperimentOrder, createdAt: string): ExperimentRecord {
  const members = order.seeds.flatMap((seed) =>
    order.rows.map(
      ({ label }): Member => ({ label, seed, trainingId: null, attempts: 0, state: { kind: 'planned' } }),
    ),
  );
  return { version: 1, id, order, createdAt, endedAt: null, paused: false, removing: false, members };
}

/** The training of a row with a seed: the experiment's, but where the row changes it. */
export function pocketTrainingOf(order: ExperimentOrder, row: ExperimentRow, seed: number): PocketTraining {
  const { method, families, change } = row;
  return pocketTrainingSchema.parse({
    kind: 'pocket',
    method,
    families,
    seed,
    ...defined(order.training),
    ...defined(change),
  });
}

/** What is ordered of the trainings' service. The name is unique within the experiment. */
export function trainingRequestOf(order: ExperimentOrder, row: ExperimentRow, seed: number): TrainingRequest {
  return trainingRequestSchema.parse({
    name: memberName(order, row.label, seed),
    machineId: LOCAL_MACHINE,
    spec: pocketTrainingOf(order, row, seed),
  });
}

const MOST_NAME = 120;

export function memberName(order: ExperimentOrder, label: string, seed: number): string {
  const own = `${label}, seed ${seed}`;
  const room = MOST_NAME - own.length - 2;
  return room < 1 ? own : `${order.name.slice(0, room)}: ${own}`;
}

export function isDone(member: Member): boolean {
  return member.state.kind === 'done';
}

/** Nothing more is due without a person. */
export function isSettled(member: Member): boolean {
  return member.state.kind === 'done' || member.state.kind === 'failed';
}

/** `undefined` would hide what it stands over. */
function defined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
