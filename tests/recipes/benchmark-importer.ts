import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { BenchmarkLibrary } from '../../main/benchmarks';
import { temporaryFolder } from '../support/temporary-folder';
import type { Recipe } from './recipe';

// CONTRIBUTING.md, "Add a benchmark importer": its own file and two entries.

export const benchmarkImporter: Recipe = {
  name: 'a benchmark importer',
  about: /PublishedFormat|BenchmarkFormat|BENCHMARK_FORMATS|PUBLISHED_FORM/,
  adds: {
    'main/benchmarks/logic/riddles.ts': `
import { z } from 'zod';
import type { GradingLimits } from '../../../preload/contract';
import { failed, ok, type Result } from '../../base';
import { GIBIBYTE, type ImportedRow, MEBIBYTE } from './imported-row';
import { parseRow, taskIdSchema } from './rows';

export const riddlesLimits: GradingLimits = {
  cpuSeconds: 5,
  wallSeconds: 20,
  memoryBytes: GIBIBYTE,
  processes: 16,
  outputBytes: MEBIBYTE,
};

const rowSchema = z.object({ riddle_id: taskIdSchema, riddle: z.string(), answers: z.record(z.string(), z.string()) });

export function riddlesProblem(row: string): Result<ImportedRow, string> {
  const parsed = parseRow(row, rowSchema);
  if (!parsed.ok) return failed(parsed.error.message);
  const { riddle_id: id, riddle, answers } = parsed.value;
  const tests = Object.entries(answers).map(([input, expected]) => ({ kind: 'stdin' as const, input, expected }));
  return ok({
    problem: {
      id,
      title: id,
      statement: riddle,
      entryPoint: null,
      starterCode: '',
      difficulty: null,
      date: null,
      skills: [],
      publicTests: tests.slice(0, 1),
      privateTests: tests,
      canonicalProgram: null,
    },
  });
}
`,
  },
  touches: {
    'preload/contract/plans/benchmark-formats.ts': [
      [
        'export const BENCHMARK_FORMATS = {',
        "\n  riddles: { label: 'Riddles (riddles.jsonl)', rules: 'plain', named: 'riddles' },",
      ],
    ],
    'main/benchmarks/logic/row-formats.ts': [
      [
        "import { rawFields } from './raw-json';",
        "\nimport { riddlesLimits, riddlesProblem } from './riddles';",
      ],
      [
        'export const PUBLISHED_FORMS: readonly PublishedForm[] = [',
        `
  {
    format: 'riddles',
    name: 'Riddles',
    rules: 'plain',
    limits: riddlesLimits,
    keepsFirstOfRepeated: false,
    fits: (row) => row.has('riddle_id', 'riddle', 'answers'),
    read: riddlesProblem,
  },`,
      ],
    ],
  },
  entry: `
export { createBenchmarkLibrary } from './main/benchmarks';
export { benchmarkFormatSchema } from './preload/contract';
`,
  check: async (added) => {
    const folder = await temporaryFolder();
    const file = join(folder, 'riddles.jsonl');
    await writeFile(
      file,
      '{"riddle_id": "r1", "riddle": "Print twice the number.", "answers": {"1": "2", "2": "4"}}\n',
    );
    expect(added.benchmarkFormatSchema).toMatchObject({ options: expect.arrayContaining(['riddles']) });
    const open = added.createBenchmarkLibrary as (options: object) => BenchmarkLibrary;
    const library = open({ dataDir: folder, clock: () => 0 });
    const imported = await library.importBenchmark({ path: file });
    expect(imported).toMatchObject({
      ok: true,
      value: { value: { id: 'riddles', problems: 1, rules: 'plain' } },
    });
    const problems = await library.problems('riddles');
    expect(problems).toMatchObject({
      ok: true,
      value: [{ id: 'r1', publicTests: [{ input: '1' }], privateTests: [{ input: '1' }, { input: '2' }] }],
    });
  },
};
