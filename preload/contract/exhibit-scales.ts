import { z } from 'zod';
import { experimentRequestSchema } from './experiment';
import { publishedFormatSchema } from './problem';
import { searchOptionsSchema } from './strategy';

const seeds = z.array(z.number().int().min(0).max(2_147_483_647)).min(1).max(20);

/** How the exhibit is measured at a scale. */
export const exhibitScalesSchema = z.strictObject({
  paper: z
    .strictObject({
      benchmark: z.strictObject({
        /** As the paper calls it. */
        name: z.string().min(1).max(120),
        format: publishedFormatSchema,
        /** Days of contests, both inclusive; null: all. */
        from: z.iso.date().nullable().default(null),
        to: z.iso.date().nullable().default(null),
        /** Another number of problems makes a value not comparable. */
        problems: z.number().int().positive(),
      }),
      search: searchOptionsSchema,
      seeds,
    })
    .nullable()
    .default(null),
  pocket: z
    .strictObject({
      benchmark: z.strictObject({
        split: z.enum(['validation', 'test']).default('test'),
        problems: z.number().int().min(1).max(1_000).default(100),
      }),
      search: searchOptionsSchema,
      seeds,
      /** Where trainings differ from the trainer's defaults. */
      training: experimentRequestSchema.shape.training.default({}),
    })
    .nullable()
    .default(null),
});
