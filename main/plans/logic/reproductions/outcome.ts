import { z } from 'zod';
import { diversityCellSchema, trainingCurveSchema } from '../../../../preload/contract';

/** What a step measured beside the journals of its runs, so that its training may be removed. */
export const outcomeSchema = z.object({
  /** Of a training: what its agents did on held-out problems on the way. */
  curves: z.array(trainingCurveSchema).default([]),
  /** Of a configuration: how different its programs are. */
  diversity: z.array(diversityCellSchema).default([]),
});
export type Outcome = z.output<typeof outcomeSchema>;
