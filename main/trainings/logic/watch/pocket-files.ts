import { z } from 'zod';
import {
  type ProblemsKept,
  problemsKeptSchema,
  type Rollout,
  rolloutSchema,
} from '../../../../preload/contract';
import { parsedJson } from '../../../base';
import type { MetricRow } from './metric-names';

/** Files of the pocket trainer in its folder (docs/training.md). */
export const pocketFiles = {
  metrics: 'metrics.jsonl',
  times: 'times.jsonl',
  rollouts: 'rollouts.jsonl',
  stage: 'stage.json',
} as const;

const step = z.number().int().nonnegative();

const metricsLineSchema = z.object({
  step,
  /** null: the team. */
  agent: z.string().nullable(),
  samples: z.number().nonnegative().optional(),
  part: z.enum(['train', 'evaluation']).default('train'),
  /** NaN and infinite numbers, which JSON lacks, are written as null. */
  values: z.record(z.string(), z.number().nullable()),
});

const timesLineSchema = z.object({
  step,
  agent: z.string().nullable(),
  /** ISO date, or milliseconds since 1970. */
  at: z.union([z.number(), z.iso.datetime({ offset: true })]),
});

const stageSchema = z.object({ stage: z.string() });
const keptSchema = z.object({ kept: problemsKeptSchema });

/** Parses a line of metrics.jsonl; null: invalid. */
export function metricsLine(text: string): readonly MetricRow[] | null {
  const parsed = metricsLineSchema.safeParse(parsedJson(text));
  if (!parsed.success) return null;
  const { agent: agentId, step, samples, part, values } = parsed.data;
  return Object.entries(values).map(([key, value]) => ({
    agentId,
    step,
    part,
    key,
    dataset: null,
    value: value ?? Number.NaN,
    ...(samples === undefined ? {} : { samples }),
  }));
}

/** Parses a line of times.jsonl; `parseDate` converts an ISO date to milliseconds. */
export function timesLine(
  text: string,
  parseDate: (iso: string) => number,
): { readonly agentId: string | null; readonly step: number; readonly ms: number } | null {
  const parsed = timesLineSchema.safeParse(parsedJson(text));
  if (!parsed.success) return null;
  const { agent, step, at } = parsed.data;
  return { agentId: agent, step, ms: typeof at === 'number' ? at : parseDate(at) };
}

export function rolloutLine(text: string): Rollout | null {
  const parsed = rolloutSchema.safeParse(parsedJson(text));
  return parsed.success ? parsed.data : null;
}

export function stageOf(text: string): string | null {
  const parsed = stageSchema.safeParse(parsedJson(text));
  return parsed.success ? parsed.data.stage : null;
}

/** Of stage.json, once problems were chosen by their Pass@1. */
export function problemsKeptOf(text: string): ProblemsKept | null {
  const parsed = keptSchema.safeParse(parsedJson(text));
  return parsed.success ? parsed.data.kept : null;
}
