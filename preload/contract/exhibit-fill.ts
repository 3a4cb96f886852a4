import { z } from 'zod';
import {
  exhibitConfigurationSchema,
  exhibitModelSchema,
  exhibitResultSchema,
  exhibitSchema,
  exhibitSeriesSchema,
} from './exhibit';

/**
 * Rows of an exhibit that a finished study of small language models fills, or studies at hand that its file names; and lines
 * that trainings at hand give. At least one of both.
 */
export const exhibitFillSchema = z
  .strictObject({
    exhibitId: z.string().min(1),
    /** Left out: each row names its own. */
    studyId: z.string().min(1).optional(),
    /** Which of the study's configurations answers for which of the exhibit's. */
    filled: z
      .array(
        z.strictObject({
          configurationId: exhibitConfigurationSchema.shape.id,
          configuration: z.string().min(1).max(400),
          /** Left out: that of all. */
          studyId: z.string().min(1).optional(),
        }),
      )
      .max(60),
    /** Lines over trainings of an exhibit of the lab's own; left out: none. */
    lines: z
      .array(
        z.strictObject({
          seriesId: exhibitSeriesSchema.shape.id,
          /** One per seed: ids, or the first letters of ids. */
          trainings: z.array(z.string().min(1).max(200)).min(1).max(20),
        }),
      )
      .max(40)
      .optional(),
  })
  .refine(({ filled, lines = [] }) => filled.length + lines.length > 0, 'Name a row or a line to fill.');
export type ExhibitFill = z.output<typeof exhibitFillSchema>;

/** A model of a paper with the small language model that answered in its place, as `deskModelOf`; left out: none did. */
const deskModelSchema = exhibitModelSchema.extend({
  desk: z.strictObject({ name: z.string().min(1).max(200) }).optional(),
});

/** The filled rows alone. */
export const filledExhibitSchema = z.object({
  exhibit: exhibitSchema.extend({ models: z.array(deskModelSchema).min(1).max(20) }),
  result: exhibitResultSchema,
});
export type FilledExhibit = z.infer<typeof filledExhibitSchema>;
