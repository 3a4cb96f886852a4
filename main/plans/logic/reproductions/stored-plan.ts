import { z } from 'zod';
import {
  reproductionPlanSchema,
  searchOptionsSchema,
  serverLaunchSchema,
  standInText,
  standInTextInFull,
  trainingMethodSchema,
  trainingRequestSchema,
} from '../../../../preload/contract';
import type { Reproduction } from './record';
import type { PlannedServer, StepWork } from './work';

const weightsSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('training'), stepId: z.string(), agentId: z.string() }),
  z.object({ kind: z.literal('known'), stepId: z.string(), trainingId: z.string(), agentId: z.string() }),
  z.object({ kind: z.literal('base') }),
  z.object({ kind: z.literal('path'), path: z.string() }),
]);

const serverSchema: z.ZodType<PlannedServer> = z.object({
  id: z.string(),
  modelId: z.string(),
  agentId: z.string().optional(),
  method: trainingMethodSchema,
  trainedWith: z.array(z.string()),
  seed: z.number().int(),
  weights: weightsSchema,
  place: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('pocket'), family: z.string(), machineId: z.string() }),
    // The weights of a checkpoint that is not there yet are "".
    z.object({ kind: z.literal('launch'), launch: serverLaunchSchema.extend({ weights: z.string() }) }),
  ]),
});

const problemsSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('pocket'),
    split: z.enum(['validation', 'test']),
    seed: z.number().int(),
    count: z.number().int(),
    first: z.number().int(),
  }),
  z.object({ kind: z.literal('imported'), benchmarkId: z.string(), problemIds: z.array(z.string()) }),
]);

const stepWorkSchema: z.ZodType<StepWork> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('train'),
    order: trainingRequestSchema,
    models: z.array(z.string()),
    trainingId: z.string().nullable(),
  }),
  z.object({ kind: z.literal('serve'), server: serverSchema, untilWave: z.number().int() }),
  z.object({
    kind: z.literal('search'),
    configurationId: z.string(),
    configuration: z.string(),
    seed: z.number().int(),
    members: z.array(z.string()),
    servers: z.array(serverSchema),
    maxTokens: z.number().int(),
    problems: problemsSchema,
    search: searchOptionsSchema,
    run: z.object({ studyId: z.string(), runId: z.string() }).nullable(),
  }),
  z.object({
    kind: z.literal('grade'),
    configurationId: z.string(),
    seed: z.number().int(),
    searchStepId: z.string(),
  }),
  z.object({
    kind: z.literal('metrics'),
    configurationId: z.string(),
    searchStepIds: z.array(z.string()),
    diversity: z.boolean(),
  }),
  z.object({
    kind: z.literal('cell'),
    key: z.string(),
    configurationId: z.string(),
    trainStepIds: z.array(z.string()),
  }),
]);

/** `plan.json` in the reproduction's folder: what was planned, and what the runner needs to do it. */
export const storedPlanSchema = z.object({
  version: z.literal(1),
  plan: reproductionPlanSchema,
  work: z.record(z.string(), stepWorkSchema),
  unmeasured: z.record(z.string(), z.string()),
});

/** Older plans use the paper's model names for stand-ins. */
export function withStandIns({ record, plan, work, unmeasured }: Reproduction): Reproduction {
  const { exhibit, order: request } = record;
  const inFull = (text: string): string => standInTextInFull(exhibit, request.scale, text);
  const steps = plan.steps.map((step) => ({
    ...step,
    title: inFull(step.title),
    detail: inFull(step.detail),
  }));
  const named = [...work].map(([id, step]): [string, StepWork] => {
    switch (step.kind) {
      case 'train':
        return [id, { ...step, order: { ...step.order, name: inFull(step.order.name).slice(0, 120) } }];
      case 'search':
        return [id, { ...step, configuration: standInText(exhibit, request.scale, step.configuration) }];
      default:
        return [id, step];
    }
  });
  return { record, plan: { ...plan, steps }, work: new Map(named), unmeasured };
}
