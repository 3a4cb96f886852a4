import { z } from 'zod';
import { failed, ok, type Result, randomStream, shuffled } from '../../base';

const recordedProblemSchema = z.object({
  problemId: z.string().min(1),
  /** Independent samples, or the first programs of traces. */
  samples: z.array(z.string()),
  /** Only in a recording of traces: programs by the digest of the one that they refine, in the order of recording. */
  refinements: z
    .array(z.object({ of: z.string().regex(/^[0-9a-f]{16}$/), programs: z.array(z.string()) }))
    .optional(),
});
export type RecordedProblem = z.infer<typeof recordedProblemSchema>;

/** One line of a recording: `{"problemId": ..., "samples": [...]}`. The error says what is wrong with it. */
export function parseRecordedProblem(line: string): Result<RecordedProblem, string> {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return failed('it is not JSON');
  }
  const parsed = recordedProblemSchema.safeParse(json);
  if (parsed.success) return ok(parsed.data);
  const refines = parsed.error.issues[0]?.path[0] === 'refinements';
  return failed(
    refines
      ? 'its "refinements" are no list of {"of": 16 hex digits, "programs": texts}'
      : 'it is not an object with a "problemId" text and a "samples" list of texts',
  );
}

/**
 * The sample that a session sees at a position of its own order, or null past the end. The order is a permutation
 * seeded by server, session and problem: no state is kept, so a request sent again gets the same sample, and no
 * session sees a sample twice.
 */
export function sampleAt(
  samples: readonly string[],
  key: { readonly serverSeed: number; readonly session: string; readonly problemId: string },
  ordinal: number,
): string | null {
  if (ordinal >= samples.length) return null;
  const random = randomStream('recorded-order', key.serverSeed, key.session, key.problemId);
  return shuffled(samples, random)[ordinal] ?? null;
}
