import { z } from 'zod';
import type { Rollout } from '../../../../preload/contract';
import { parsedJson, shellPath } from '../../../base';
import { shortened } from './workflow-rollouts';

/** Below what a machine's answer may hold (`MAX_STDOUT_BYTES`), and of one line below what a page can show. */
const MAX_BYTES = 12_000_000;
const MAX_LINE_BYTES = 1_000_000;

/**
 * Prints the newest rollouts of a folder with a file STEP.jsonl for each step, the newest step first: what verl writes to
 * trainer.rollout_data_dir. The tests of a problem ("gts"), which may be most of a line, are left out; so is a line that is
 * too long all the same.
 */
export function stepRolloutsScript(query: {
  readonly folder: string;
  readonly upToStep: number;
  readonly limit: number;
}): string {
  const longest = Math.min(MAX_LINE_BYTES, Math.floor(MAX_BYTES / query.limit));
  return `
export LC_ALL=C
cd ${shellPath(query.folder)} 2>/dev/null || exit 0
ls | grep -E '^[0-9]{1,9}\\.jsonl$' | awk -F . '$1 <= ${query.upToStep}' | sort -rn | head -n ${query.limit} |
while read -r file; do head -n ${query.limit} "./$file"; echo; done |
sed -E 's/"gts": "[^"\\\\]*(\\\\.[^"\\\\]*)*", //' | awk 'length($0) > 1 && length($0) <= ${longest}' | head -n ${query.limit}
exit 0
`;
}

/** A line of verl's files. */
const lineSchema = z.object({
  input: z.string(),
  output: z.string(),
  score: z.number().nullable().catch(null),
  step: z.number().int().nonnegative(),
});

/** Parses the output of `stepRolloutsScript`, newest first; what is no rollout, e.g. a line still being written, is skipped. */
export function parseStepRollouts(stdout: string, agentId: string): readonly Rollout[] {
  return stdout.split('\n').flatMap((line) => {
    const parsed = line === '' ? null : lineSchema.safeParse(parsedJson(line));
    if (!parsed?.success) return [];
    const { input, output, score, step } = parsed.data;
    return [
      {
        ...{ agentId, step, problemId: '', node: null, parent: null },
        prompt: shortened(input),
        answer: shortened(output),
        reward: score,
        shapedReward: null,
        advantage: null,
      },
    ];
  });
}
