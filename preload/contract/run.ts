import { z } from 'zod';
import { scaleSchema } from './scale';
import { searchOptionsSchema } from './strategy';
import { teamSchema } from './team';

/** One team x one benchmark x one strategy x one seed: everything that determines a run. */
export const runConfigSchema = z.object({
  id: z.string().min(1),
  /** The row of the comparison that this run belongs to, e.g. "heterogeneous"; runs of several seeds share it. */
  configuration: z.string().min(1),
  team: teamSchema,
  benchmarkId: z.string().min(1),
  benchmarkDigest: z.string(),
  /** In the order in which they are searched. */
  problemIds: z.array(z.string()).min(1),
  search: searchOptionsSchema,
  seed: z.number().int().nonnegative(),
  scale: scaleSchema,
});
export type RunConfig = z.infer<typeof runConfigSchema>;
