import type { TrainingCurve, TrainingView } from '../../../preload/contract/index';
import { monthOf } from './usage-table';

type Part = {
  readonly month: string;
  readonly model: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
};

/** Mean tokens of a sample: of its prompt, and of the answer. */
const KEYS = { 'prompt-tokens': 'promptTokens', tokens: 'completionTokens' } as const;

/** Tokens of the samples that a training learned from, by month and agent: of each update the mean times its samples. */
export function trainingTokens(
  curves: readonly TrainingCurve[],
  {
    startedAt,
    endedAt,
    createdAt,
    agents,
  }: Pick<TrainingView, 'startedAt' | 'endedAt' | 'createdAt' | 'agents'>,
): readonly Part[] {
  const fromMs = Date.parse(startedAt ?? createdAt);
  const toMs = endedAt === null ? fromMs : Math.max(fromMs, Date.parse(endedAt));
  const sums = new Map<string, { -readonly [K in keyof Part]: Part[K] }>();
  for (const { agentId, key, part, values, samples, seconds } of curves) {
    const field = key === 'tokens' || key === 'prompt-tokens' ? KEYS[key] : null;
    if (field === null || part !== 'train' || samples === null) continue;
    const model = agents.find(({ id }) => id === agentId)?.name ?? agentId ?? '';
    for (const [at, value] of values.entries()) {
      const learned = (samples[at] ?? 0) - (samples[at - 1] ?? 0);
      const amount = value * learned;
      if (!Number.isFinite(amount) || amount <= 0) continue;
      // In a restarted training, later updates cannot be later than its end.
      const month = monthOf(Math.min(toMs, fromMs + (seconds?.[at] ?? 0) * 1_000));
      const sum = sums.get(`${month} ${model}`) ?? { month, model, promptTokens: 0, completionTokens: 0 };
      sum[field] += Math.round(amount);
      sums.set(`${month} ${model}`, sum);
    }
  }
  return [...sums.values()];
}
