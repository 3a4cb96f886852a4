import { z } from 'zod';
import { diversityJudgeSchema, diversitySchema, similaritySchema } from '../diversity';
import { enteredPlaceSchema, enteredValueSchema } from '../entered-value';
import { exhibitEntrySchema, exhibitProblemSchema, exhibitResultSchema } from '../exhibit';
import { exhibitFillSchema, filledExhibitSchema } from '../exhibit-fill';
import {
  bundleContentsSchema,
  checkedReportSchema,
  openedBundleSchema,
  reportFileSchema,
  reportPartSchema,
  reportRequestSchema,
  reportSourceSchema,
  writtenReportSchema,
} from '../report';
import {
  reproductionDecisionSchema,
  reproductionPlanSchema,
  reproductionRequestSchema,
  reproductionViewSchema,
} from '../reproduction';
import { comparedRunsSchema, runComparisonSchema } from '../run-comparison';
import { command, done, none } from './command';

const exhibitId = z.string().min(1);
const reproductionId = z.string().min(1);
const path = z.string().min(1);

/** Exhibits, reproductions, comparisons, reports and bundles. */
export const reproductionCommands = {
  /** Built-in ones first; `problems`: own files that could not be read, and why. */
  'exhibit.list': command(
    none,
    z.object({
      exhibits: z.array(exhibitEntrySchema),
      problems: z.array(z.object({ file: z.string(), problems: z.array(exhibitProblemSchema) })),
    }),
  ),
  /** The text of the file; for "template" an example with every field. */
  'exhibit.text': command(z.strictObject({ exhibitId }), z.object({ text: z.string() })),
  /** Validates the text. Changes nothing. */
  'exhibit.check': command(
    z.strictObject({ text: z.string().max(2_000_000) }),
    z.object({ problems: z.array(exhibitProblemSchema) }),
  ),
  /** Creates or replaces an own exhibit; refused for ids of built-in ones. */
  'exhibit.save': command(z.strictObject({ text: z.string().max(2_000_000) }), exhibitEntrySchema),
  'exhibit.remove': command(z.strictObject({ exhibitId }), done),
  /** Enters values of the paper; one for the same cell or point is replaced. All of them, or none if one is refused. */
  'exhibit.set-values': command(
    z.strictObject({ exhibitId, values: z.array(enteredValueSchema).min(1).max(1_000) }),
    exhibitEntrySchema,
  ),
  /** The same from a CSV file (docs/exhibits.md); a refusal names its lines. */
  'exhibit.import-values': command(
    z.strictObject({ exhibitId, text: z.string().max(1_000_000) }),
    exhibitEntrySchema,
  ),
  'exhibit.remove-value': command(z.strictObject({ exhibitId, at: enteredPlaceSchema }), exhibitEntrySchema),
  /** The results of a reproduction, else of the newest one at this scale, else empty cells. */
  'exhibit.result': command(
    z.strictObject({
      exhibitId,
      scale: z.enum(['pocket', 'paper']),
      reproductionId: reproductionId.optional(),
    }),
    exhibitResultSchema,
  ),
  /** Rows of untrained models, filled by a study of desk scale. Saves nothing. */
  'exhibit.fill': command(exhibitFillSchema, filledExhibitSchema),

  'reproduction.list': command(none, z.array(reproductionViewSchema)),
  /** Steps, cost and missing inputs. Changes nothing. */
  'reproduction.plan': command(reproductionRequestSchema, reproductionPlanSchema),
  /** Refused if something is missing. Resumes by itself after a restart. */
  'reproduction.start': command(reproductionRequestSchema, reproductionViewSchema),
  'reproduction.pause': command(z.strictObject({ reproductionId }), reproductionViewSchema),
  /** Also retries what failed. */
  'reproduction.resume': command(z.strictObject({ reproductionId }), reproductionViewSchema),
  /** Retries a failed step and those blocked by it. */
  'reproduction.retry': command(
    z.strictObject({ reproductionId, stepId: z.string().min(1) }),
    reproductionViewSchema,
  ),
  /** Moves a step to another machine; a running one is stopped and resumed there. */
  'reproduction.move': command(
    z.strictObject({ reproductionId, stepId: z.string().min(1), machineId: z.string().min(1) }),
    reproductionViewSchema,
  ),
  /** Removes it from the list. Its studies and trainings are kept. Refused while it runs. */
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
  /** `path`: of the file; of the folder for format "all". The manifest is written next to it. */
  'report.write': command(
    z.strictObject({ request: reportRequestSchema, path }),
    writtenReportSchema,
    'terminal',
  ),
  'report.choose': command(z.strictObject({ request: reportRequestSchema }), writtenReportSchema, 'window'),
  /** Compares an export with its files and journals as they are now. `path`: an exported file, its manifest or its folder. */
  'report.check': command(z.strictObject({ path }), checkedReportSchema, 'terminal'),
  /** Several tables and figures into one folder; the first refusal ends it, files written before stay. */
  'report.chooseFolder': command(
    z.strictObject({ files: z.array(reportFileSchema).min(1).max(100) }),
    writtenReportSchema,
    'window',
  ),
  /** What a bundle of this would hold and leave out; refused where it cannot be written now. */
  'bundle.contents': command(z.strictObject({ source: reportSourceSchema }), bundleContentsSchema),
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
