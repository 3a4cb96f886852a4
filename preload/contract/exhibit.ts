import { z } from 'zod';
import { cellTestSchema, chipsSchema, metricNameSchema, seedSpreadSchema } from './analysis';
import { atHandSchema, exhibitCautionSchema, trainingsAtHandSchema } from './at-hand';
import { diversityCellSchema } from './diversity';
import { enteredValueSchema } from './entered-value';
import { exhibitScalesSchema } from './exhibit-scales';
import { trainingMethodSchema } from './learning';
import { searchChangeSchema } from './strategy';

const id = z.string().regex(/^[a-z0-9][a-z0-9-]{0,59}$/);
/** true: not in the paper, a control or an addition of ours, which has no value of the paper. */
const ours = z.boolean().optional();

/** A model of a paper, and what stands for it at pocket scale. */
export const exhibitModelSchema = z.strictObject({
  id,
  /** As the paper calls it, e.g. "Qwen3-8B". */
  name: z.string().min(1).max(60),
  /** Its name at the hub and the size of its weights; null: not available. */
  paper: z
    .strictObject({ hub: z.string().min(1).max(200), weightsGib: z.number().positive() })
    .nullable()
    .default(null),
  /** The pocket policy family in its place; null: none, so its cells stay empty at pocket scale. */
  pocket: z
    .strictObject({ family: z.string().regex(/^[a-z][a-z0-9-]{0,30}$/) })
    .nullable()
    .default(null),
});
export type ExhibitModel = z.output<typeof exhibitModelSchema>;

/** What is trained how, and searched how: whatever a cell or a line of the exhibit measures. */
export const exhibitConfigurationSchema = z.strictObject({
  id,
  /** Unique within the exhibit; the row's name in every comparison. */
  label: z.string().min(1).max(80),
  /** Searched together in one tree; one: alone. */
  models: z.array(id).min(1).max(4),
  /** How each of them was trained. heter-mars2: together, in the same trees; all others: each model by itself. */
  method: trainingMethodSchema,
  /** For heter-mars2: models that were trained in the same trees but are not searched here. */
  partners: z.array(id).max(3).default([]),
  /** For a single model: roles that share its search tree; from 2 on it is a homogeneous team. */
  roles: z.number().int().min(1).max(4).default(1),
  /** Where its search differs from the exhibit's. */
  search: searchChangeSchema.default({}),
  /**
   * Another configuration whose tokens it may spend, problem by problem and seed by seed: its programs count up to these
   * tokens. Left out: all of them count. For repeated sampling, whose programs do not depend on each other.
   */
  tokensOf: id.optional(),
  /**
   * A finished study at hand that answers for it, with what the study calls the configuration: nothing is trained or
   * searched for it. For tables of a lab's own, whose rows may be of any scale and benchmark.
   */
  study: z
    .strictObject({ id: z.string().min(1).max(200), configuration: z.string().min(1).max(400) })
    .optional(),
});
export type ExhibitConfiguration = z.output<typeof exhibitConfigurationSchema>;

/** A number that a source gives. Two sources that differ are two references. */
export const exhibitReferenceSchema = z.strictObject({
  value: z.number(),
  /** %: percent of problems; points: difference of percents; number: as printed in the paper. */
  unit: z.enum(['%', 'points', 'number']).default('%'),
  /** Where it was read, e.g. "Figure 3". */
  source: z.string().min(1).max(300),
});
export type ExhibitReference = z.output<typeof exhibitReferenceSchema>;

/** What a cell shows of its configuration. */
export const exhibitMeasureSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('metric'), metric: metricNameSchema }),
  z.strictObject({
    kind: z.literal('diversity'),
    measure: diversityCellSchema.shape.measure,
    /** Of da@k. */
    k: z.number().int().positive().nullable().default(null),
  }),
]);
export type ExhibitMeasure = z.output<typeof exhibitMeasureSchema>;

export const exhibitCellSchema = z.strictObject({
  row: id,
  column: id,
  configuration: id,
  measure: exhibitMeasureSchema,
  /** The first is the one that differences are taken to. Empty: no number of the paper is known. */
  reference: z.array(exhibitReferenceSchema).max(6).default([]),
});
export type ExhibitCell = z.output<typeof exhibitCellSchema>;

/** A line of a figure. */
export const exhibitSeriesSchema = z.strictObject({
  id,
  label: z.string().min(1).max(80),
  configuration: id,
  curve: z.discriminatedUnion('kind', [
    /** Over the first n nodes of the trees. */
    z.strictObject({
      kind: z.literal('nodes'),
      measure: z.enum(['pass@n', 'pass@n(public)', 'pass@1(mcts)']),
    }),
    /** What `model` did on held-out problems while it learned. */
    z.strictObject({
      kind: z.literal('learning'),
      key: z.string().min(1).max(60).default('pass@1'),
      model: id,
      x: z.enum(['updates', 'samples']).default('updates'),
      /** In a figure of a lab's own: trainings at hand whose evaluations give the line; nothing is trained for it. */
      training: trainingsAtHandSchema.optional(),
      /** For trainings of several agents: the agent of the line; left out: the one at the place of `model`. */
      agent: z.string().min(1).max(80).optional(),
    }),
  ]),
  /** Points of the paper, where they are known; `y` in percent, as papers print it. */
  reference: z.array(z.strictObject({ x: z.number(), y: z.number(), source: z.string().min(1) })).default([]),
  ours,
});
export type ExhibitSeries = z.output<typeof exhibitSeriesSchema>;

/** A table or figure of a paper as data: `resources/exhibits/ID.json`, or a lab's own (docs/exhibits.md). */
export const exhibitSchema = z.strictObject({
  version: z.literal(1),
  id,
  paper: z.strictObject({
    title: z.string().min(1).max(120),
    arxiv: z.string().max(40).nullable().default(null),
  }),
  /** Where in the paper, e.g. "Figure 3". */
  place: z.string().min(1).max(80),
  title: z.string().min(1).max(120),
  /** What it asks, and what is not known about it. */
  note: z.string().max(2_000).default(''),
  models: z.array(exhibitModelSchema).min(1).max(20),
  configurations: z.array(exhibitConfigurationSchema).min(1).max(60),
  /** Rows that share a group stand under its name. */
  rows: z
    .array(
      z.strictObject({ id, label: z.string().min(1).max(80), group: z.string().max(80).default(''), ours }),
    )
    .default([]),
  columns: z
    .array(
      z.strictObject({ id, label: z.string().min(1).max(60), group: z.string().max(80).default(''), ours }),
    )
    .default([]),
  cells: z.array(exhibitCellSchema).max(2_000).default([]),
  series: z.array(exhibitSeriesSchema).max(40).default([]),
  /** Lines of the paper's figure that are measured by none of `series`; drawn in its first chart. */
  paperLines: z
    .array(
      z.strictObject({
        label: z.string().min(1).max(80),
        reference: exhibitSeriesSchema.shape.reference,
      }),
    )
    .max(20)
    .optional(),
  scales: exhibitScalesSchema.prefault({}),
  /** Numbers of the paper about the exhibit as a whole, e.g. a gain that its text names. */
  claims: z
    .array(
      z.strictObject({
        text: z.string().min(1).max(300),
        reference: z.array(exhibitReferenceSchema),
        /** What a reader of the numbers must know, in sentences. */
        remark: z.string().min(1).max(300).optional(),
      }),
    )
    .default([]),
});
export type Exhibit = z.output<typeof exhibitSchema>;

/** In the list. */
export const exhibitEntrySchema = z.object({
  exhibit: exhibitSchema,
  /** own: of this data folder; built-in: part of the workbench, not to be changed. */
  origin: z.enum(['built-in', 'own']),
  /** Of the file's text, so that a result can name what it filled. */
  digest: z.string(),
  /** Values of the paper that the lab has entered; they stand in `exhibit` with this as their source. Left out: none. */
  entered: z.array(enteredValueSchema).optional(),
});
export type ExhibitEntry = z.infer<typeof exhibitEntrySchema>;

/** Something wrong in an exhibit file. `path`: e.g. "cells[3].configuration"; "" for the whole. */
export const exhibitProblemSchema = z.object({ path: z.string(), message: z.string() });
export type ExhibitProblem = z.infer<typeof exhibitProblemSchema>;

/** What an amount of work took or may take; null: not known. */
export const amountSchema = z.object({
  /** Of wall time, one after the other. */
  seconds: z.number().nonnegative().nullable(),
  gpuSeconds: z.number().nonnegative().nullable(),
  /** Prompt and completion together. */
  tokens: z.number().nonnegative().nullable(),
});
export type Amount = z.infer<typeof amountSchema>;

export const cellStateSchema = z.discriminatedUnion('kind', [
  /** Nothing has been asked for. */
  z.object({ kind: z.literal('empty') }),
  z.object({ kind: z.literal('planned') }),
  /** `share01` of its problems, or of its training. */
  z.object({ kind: z.literal('running'), share01: z.number().min(0).max(1) }),
  z.object({ kind: z.literal('done'), reused: z.boolean() }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
  /** It cannot be measured at this scale, or not with what is available. */
  z.object({ kind: z.literal('missing'), message: z.string() }),
]);
export type CellState = z.infer<typeof cellStateSchema>;

export const filledCellSchema = z.object({
  row: z.string(),
  column: z.string(),
  state: cellStateSchema,
  /** Rates in [0, 1] for metrics; the interval is the 95 % bootstrap over problems, and over seeds where there are several. */
  ours: z
    .object({
      value: z.number(),
      low: z.number(),
      high: z.number(),
      problems: z.number().int(),
      seeds: z.number().int(),
      seedSpread: seedSpreadSchema.optional(),
      /** Each seed's own value, by its number; left out: fewer than two seeds, or they are not known. */
      seedValues: z.record(z.string(), z.number()).optional(),
    })
    .nullable(),
  /** Where it is highest: in its row if columns are methods, else in its column within its group of rows. */
  highestOf: z.enum(['row', 'column']).optional(),
  /** Left out: it was not compared. */
  test: cellTestSchema.optional(),
  /** Ours minus the first reference, in its unit; null: one of both is not there. */
  difference: z.number().nullable(),
  /** Why ours is not comparable with the paper's number, a sentence for each reason. Empty: it is. */
  notComparable: z.array(z.string()),
  runs: z.array(z.object({ studyId: z.string(), runId: z.string() })),
  trainingIds: z.array(z.string()),
  /** Its share of what its jobs took. Sums over the cells of a reproduction to the jobs' own. */
  cost: amountSchema,
  /** What the runs at hand of a table of a lab's own are, each cell for itself; left out: those of the exhibit's scale. */
  atHand: atHandSchema.optional(),
});
export type FilledCell = z.infer<typeof filledCellSchema>;

export const filledSeriesSchema = z.object({
  id: z.string(),
  state: cellStateSchema,
  points: z.array(z.object({ x: z.number(), y: z.number(), low: z.number(), high: z.number() })),
  notComparable: z.array(z.string()),
  runs: z.array(z.object({ studyId: z.string(), runId: z.string() })),
  trainingIds: z.array(z.string()),
  atHand: atHandSchema.optional(),
});
export type FilledSeries = z.infer<typeof filledSeriesSchema>;

/** The exhibit as far as it is measured. */
export const exhibitResultSchema = z.object({
  exhibitId: z.string(),
  /** own: of runs at hand, each of its own scale. */
  scale: z.enum(['pocket', 'desk', 'paper', 'own']),
  /** null: no reproduction; at desk and own scale a study has filled it. */
  reproductionId: z.string().nullable(),
  /** One for every cell and series of the exhibit, in its order. */
  cells: z.array(filledCellSchema),
  series: z.array(filledSeriesSchema),
  /** What can and cannot be concluded, in plain sentences. */
  sentences: z.array(z.string()),
  chips: chipsSchema,
  /** The `sentences` that are kept however short the text is; left out: none. */
  cautions: z.array(exhibitCautionSchema).optional(),
  /** The `sentences` about how rows differ, and what that rests on; left out: none. */
  differences: z.array(z.string()).optional(),
  /**
   * For configurations limited to the tokens of another: programs per problem, a mean over problems and seeds, and
   * their share of these tokens (left out: there were none to spend); left out: there are none.
   */
  counted: z
    .array(
      z.object({
        configuration: z.string(),
        programs: z.number(),
        written: z.number(),
        tokens01: z.number().optional(),
      }),
    )
    .optional(),
  /** How values and intervals were made. */
  method: z.string(),
  complete: z.boolean(),
});
export type ExhibitResult = z.infer<typeof exhibitResultSchema>;
