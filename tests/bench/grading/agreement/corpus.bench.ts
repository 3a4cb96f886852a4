// Measures the published graders' verdicts on our own corpus again and writes them into the test's data.
// Run: LIVECODEBENCH=DIR HUMAN_EVAL=DIR EVALPLUS=DIR npx vitest run --config tests/bench/grading/agreement/bench.config.ts corpus
import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { corpus } from '../../../main/grading/agreement/corpus';
import { PUBLISHED_SECONDS } from '../../../support/grading-case';

const { env } = process;
const CHECKOUTS = {
  livecodebench: env.LIVECODEBENCH,
  'human-eval': env.HUMAN_EVAL,
  evalplus: env.EVALPLUS,
};
const OUT = join(import.meta.dirname, '../../../main/grading/agreement/published-verdicts.json');
const lineSchema = z.object({ id: z.string(), passed: z.boolean(), said: z.unknown() });

test.skipIf(Object.values(CHECKOUTS).includes(undefined))('the corpus by the published graders', async () => {
  const args = Object.entries(CHECKOUTS).flatMap(([name, path]) => [`--${name}`, path ?? '']);
  const python = env.PYTHON ?? 'python3';
  const script = join(import.meta.dirname, 'published.py');
  const child = spawn(python, ['-W', 'ignore', script, ...args, '--workers', '2'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (data: string) => {
    text += data;
  });
  for (const one of corpus) {
    child.stdin.write(`${JSON.stringify({ ...one, seconds: PUBLISHED_SECONDS[one.rules] })}\n`);
  }
  child.stdin.end();
  await new Promise((resolve) => child.once('close', resolve));
  const rows = text
    .trim()
    .split('\n')
    .map((line) => lineSchema.parse(JSON.parse(line)));
  const passed = new Map(rows.map((row) => [row.id, row.passed]));
  expect(passed.size).toBe(corpus.length);
  const version = execFileSync(python, ['--version'], { encoding: 'utf8' }).trim();
  const verdicts = Object.fromEntries(corpus.map(({ id }) => [id, passed.get(id)]));
  writeFileSync(OUT, `${JSON.stringify({ measuredWith: version, verdicts }, null, 2)}\n`);
});
