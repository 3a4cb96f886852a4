import { z } from 'zod';
import { type Rollout, rolloutSchema } from '../../../../preload/contract';
import type { MetricRow } from './metric-row';

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
  /** JSON knows neither NaN nor infinite numbers: they are written as null. */
  values: z.record(z.string(), z.number().nullable()),
});

const timesLineSchema = z.object({
  step,
  agent: z.string().nullable(),
  /** ISO date, or milliseconds since 1970. */
  at: z.union([z.number(), z.iso.datetime({ offset: true })]),
});

const stageSchema = z.object({ stage: z.string() });

/** Rows of a line of metrics.jsonl; null: it is none. */
export function metricsLine(text: string): readonly MetricRow[] | null {
  const parsed = metricsLineSchema.safeParse(json(text));
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

/** A line of times.jsonl; `parseDate` makes milliseconds of an ISO date. */
export function timesLine(
  text: string,
  parseDate: (iso: string) => number,
): { readonly agentId: string | null; readonly step: number; readonly ms: number } | null {
  const parsed = timesLineSchema.safeParse(json(text));
  if (!parsed.success) return null;
  const { agent, step, at } = parsed.data;
  return { agentId: agent, step, ms: typeof at === 'number' ? at : parseDate(at) };
}

export function rolloutLine(text: string): Rollout | null {
  const parsed = rolloutSchema.safeParse(json(text));
  return parsed.success ? parsed.data : null;
}

export function stageOf(text: string): string | null {
  const parsed = stageSchema.safeParse(json(text));
  return parsed.success ? parsed.data.stage : null;
}

/** undefined: no JSON, e.g. a line that is cut. */
function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
