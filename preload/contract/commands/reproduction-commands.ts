import { z } from 'zod';
import { diversityJudgeSchema, diversitySchema, similaritySchema } from '../diversity';
import { exhibitEntrySchema, exhibitProblemSchema, exhibitResultSchema } from '../exhibit';
import {
  openedBundleSchema,
  reportPartSchema,
  reportRequestSchema,
  reportSourceSchema,
  writtenReportSchema,
} from '../report';
import {
  reproductionDecisionSchema,
  reproductionOrderSchema,
  reproductionPlanSchema,
  reproductionViewSchema,
} from '../reproduction';
import { comparedRunsSchema, runComparisonSchema } from '../run-comparison';
import { command, done, none } from './command';

const exhibitId = z.string().min(1);
const reproductionId = z.string().min(1);
const path = z.string().min(1);

/** Exhibits, their reproduction, comparison of any runs, and what leaves the workbench. */
export const reproductionCommands = {
  /** Built-in ones first; `problems`: files of the lab's own that could not be read, with why. */
  'exhibit.list': command(
    none,
    z.object({
      exhibits: z.array(exhibitEntrySchema),
      problems: z.array(z.object({ file: z.string(), problems: z.array(exhibitProblemSchema) })),
    }),
  ),
  /** The file's text, to be edited or copied; of "template" an example with every field. */
  'exhibit.text': command(z.strictObject({ exhibitId }), z.object({ text: z.string() })),
  /** What is wrong with the text; empty: nothing. Changes nothing. */
  'exhibit.check': command(
    z.strictObject({ text: z.string().max(2_000_000) }),
    z.object({ problems: z.array(exhibitProblemSchema) }),
  ),
  /** Makes or replaces one of the lab's own; refused for ids of built-in ones. */
  'exhibit.save': command(z.strictObject({ text: z.string().max(2_000_000) }), exhibitEntrySchema),
  'exhibit.remove': command(z.strictObject({ exhibitId }), done),
  /** As far as it is measured: of a reproduction, else of the newest one at this scale, else empty cells. */
  'exhibit.result': command(
    z.strictObject({
      exhibitId,
      scale: z.enum(['pocket', 'paper']),
      reproductionId: reproductionId.optional(),
    }),
    exhibitResultSchema,
  ),

  'reproduction.list': command(none, z.array(reproductionViewSchema)),
  /** What would be done, what it would cost, and what is missing. Changes nothing. */
  'reproduction.plan': command(reproductionOrderSchema, reproductionPlanSchema),
  /** Refused where something is missing. Goes on by itself after a restart. */
  'reproduction.start': command(reproductionOrderSchema, reproductionViewSchema),
  'reproduction.pause': command(z.strictObject({ reproductionId }), reproductionViewSchema),
  /** Also tries again what had failed. */
  'reproduction.resume': command(z.strictObject({ reproductionId }), reproductionViewSchema),
  /** Tries this failed step again, and what waited for it. */
  'reproduction.retry': command(
    z.strictObject({ reproductionId, stepId: z.string().min(1) }),
    reproductionViewSchema,
  ),
  /** Does this step on another machine; one that runs is stopped and goes on there. */
  'reproduction.move': command(
    z.strictObject({ reproductionId, stepId: z.string().min(1), machineId: z.string().min(1) }),
    reproductionViewSchema,
  ),
  /** Takes it out of the list. Its studies and trainings stay. Refused while it runs. */
  'reproduction.remove': command(z.strictObject({ reproductionId }), done),
  'reproduction.decisions': command(z.strictObject({ reproductionId }), z.array(reproductionDecisionSchema)),

  'comparison.read': command(z.strictObject({ runs: comparedRunsSchema }), runComparisonSchema),
  /** As `study.diversity`, over any runs. */
  'comparison.diversity': command(
    z.strictObject({
      runs: comparedRunsSchema,
      judge: diversityJudgeSchema.default({ kind: 'structure' }),
      similarity: similaritySchema.default({ kind: 'tokens' }),
    }),
    diversitySchema,
  ),

  'report.parts': command(z.strictObject({ source: reportSourceSchema }), z.array(reportPartSchema)),
  /** `path`: of the file; of the folder for format "all". The manifest is written beside it. */
  'report.write': command(
    z.strictObject({ order: reportRequestSchema, path }),
    writtenReportSchema,
    'terminal',
  ),
  'report.choose': command(z.strictObject({ order: reportRequestSchema }), writtenReportSchema, 'window'),
  /** Configuration, journals, tables and manifest of a source, for another lab to open. */
  'bundle.write': command(
    z.strictObject({ source: reportSourceSchema, path }),
    z.object({ path: z.string(), bytes: z.number().int() }),
    'terminal',
  ),
  'bundle.choose': command(
    z.strictObject({ source: reportSourceSchema }),
    z.object({ path: z.string(), bytes: z.number().int() }),
    'window',
  ),
  'bundle.open': command(z.strictObject({ path }), openedBundleSchema, 'terminal'),
  'bundle.chooseOpen': command(none, openedBundleSchema, 'window'),
} as const;
