import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { grade, LIMITS, openGrader } from './sandbox';

const FILE = join(import.meta.dirname, '../../../../shared/data/humaneval/HumanEval.jsonl.gz');

const rowSchema = z.object({
  task_id: z.string(),
  prompt: z.string(),
  entry_point: z.string(),
  canonical_solution: z.string(),
  test: z.string(),
});

test.skipIf(!existsSync(FILE))(
  'all 164 canonical solutions of HumanEval pass (skipped without its file)',
  async () => {
    const rows = gunzipSync(readFileSync(FILE)).toString('utf8').trim().split('\n');
    const grader = await openGrader();
    const graded = await Promise.all(
      rows.map(async (row) => {
        const task = rowSchema.parse(JSON.parse(row));
        const one = { kind: 'check', source: `${task.test}\ncheck(${task.entry_point})` } as const;
        // The origin allows 3 s; solutions of some tasks take a good part of it on slow computers.
        const limits = { ...LIMITS, cpuSeconds: 10, wallSeconds: 30, memoryBytes: 4 * 1024 ** 3 };
        const program = task.prompt + task.canonical_solution;
        const { verdict, results } = await grade(grader, {
          program,
          entryPoint: task.entry_point,
          tests: [one],
          limits,
        });
        return { id: task.task_id, verdict, error: results[0]?.error };
      }),
    );
    await grader.dispose();
    expect(graded.filter((one) => one.verdict !== 'passed')).toEqual([]);
    expect(graded).toHaveLength(164);
  },
);
