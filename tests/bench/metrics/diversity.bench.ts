// Run: npx vitest run --config tests/bench/metrics/bench.config.ts
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { test } from 'vitest';
import {
  diversityCells,
  type ProblemDiversity,
  structureJudge,
  tokenCounts,
  treeDiversity,
} from '../../../main/metrics';
import { parsePython } from '../../../main/search';

/** 100 programs by CodeGen-16B for each HumanEval problem: real ones, of which hardly two are equal. */
const DATA = resolve('../shared/data/codet-codegen16b/samples.jsonl.gz');

function programsByProblem(): string[][] {
  const groups = new Map<string, string[]>();
  for (const line of gunzipSync(readFileSync(DATA)).toString().split('\n')) {
    if (line === '') continue;
    const row: { task_id: string; completion?: string; solution?: string } = JSON.parse(line);
    const program = `def f(*args):\n${row.completion ?? row.solution ?? ''}`;
    groups.set(row.task_id, [...(groups.get(row.task_id) ?? []), program]);
  }
  return [...groups.values()];
}

/** Every program counts as correct, so that all are parsed and compared: more work than a study has. */
test.skipIf(!existsSync(DATA))('what diversity costs (needs ../shared/data/codet-codegen16b)', async () => {
  const groups = programsByProblem();
  const lines = ['trees x nodes   seconds  longest step (ms)'];
  for (const [problems, configurations, nodes] of [
    [60, 3, 24],
    [175, 3, 60],
  ] as const) {
    let [longest, last] = [0, performance.now()];
    const yieldControl = async () => {
      longest = Math.max(longest, performance.now() - last);
      await new Promise((resolve) => setImmediate(resolve));
      last = performance.now();
    };
    const start = performance.now();
    const found: ProblemDiversity[] = [];
    for (let p = 0; p < problems; p++) {
      const programs = groups[p % groups.length] ?? [];
      const same = structureJudge(parsePython);
      for (let c = 0; c < configurations; c++) {
        const own = Array.from({ length: nodes }, (_, i) => programs[(20 * c + i) % programs.length] ?? '');
        const candidates = own.map((program) => ({ program, passed: true }));
        const trees = [await treeDiversity(candidates, { same, vectorsOf: tokenCounts, yieldControl })];
        found.push({ configuration: `${c}`, problemId: `${p}`, trees });
      }
    }
    const cells = diversityCells(found, { seed: 1, resamples: 2_000 });
    const seconds = (performance.now() - start) / 1000;
    lines.push(
      `${`${problems} x ${configurations} x ${nodes}`.padEnd(15)} ${seconds.toFixed(1).padEnd(8)} ${longest.toFixed(1)}`,
    );
    lines.push(
      `  ${cells
        .slice(0, cells.length / configurations)
        .map(({ measure, k, value }) => `${measure}${k ?? ''} ${value.toFixed(2)}`)
        .join(', ')}`,
    );
  }
  process.stdout.write(`${lines.join('\n')}\n`);
});
