import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { BenchmarkLibrary } from '../../../main/benchmarks';
import type { RecordingFormat } from '../../../preload/contract';
import { makeTemporaryFolder } from '../../support/temporary-folder';
import { humanEvalFile, humanEvalRow, libraryIn, realFiles } from './sample-files';

const shared = join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'data');
const digestOf = (program: string) => createHash('sha256').update(program).digest('hex').slice(0, 16);

type Line = {
  problemId: string;
  samples: string[];
  refinements?: { of: string; programs: string[] }[];
};

async function libraryWith(
  benchmark: string,
  id: string,
): Promise<{ folder: string; library: BenchmarkLibrary }> {
  const folder = await makeTemporaryFolder();
  onTestFinished(() => folder.dispose());
  const library = libraryIn(join(folder.path, 'data'));
  const imported = await library.importBenchmark({ path: benchmark, id });
  if (!imported.ok) throw new Error(imported.error.message);
  return { folder: folder.path, library };
}

async function made(rows: readonly object[] | string | Buffer, name = 'file.jsonl') {
  const folder = await makeTemporaryFolder();
  onTestFinished(() => folder.dispose());
  const benchmark = join(folder.path, 'benchmark.jsonl');
  await writeFile(benchmark, humanEvalFile(3) + humanEvalRow(12, { task_id: 'Other/12' }));
  const { library } = await libraryWith(benchmark, 'made');
  const path = join(folder.path, name);
  const content =
    typeof rows === 'string' || Buffer.isBuffer(rows)
      ? rows
      : rows.map((row) => JSON.stringify(row)).join('\n');
  await writeFile(path, content);
  return { folder: folder.path, library, path };
}

async function imported(library: BenchmarkLibrary, path: string, format: RecordingFormat = 'auto') {
  const benchmarkId = library.list()[0]?.id ?? 'none';
  const result = await library.importRecording({ path, benchmarkId, format });
  if (!result.ok) throw new Error(result.error.message);
  const file = library.recordingPath(result.value.value.id);
  if (!file.ok) throw new Error(file.error.message);
  const lines = (await readFile(file.value, 'utf8')).trimEnd().split('\n');
  return { recording: result.value.value, lines: lines.map((line): Line => JSON.parse(line)) };
}

async function refusal(library: BenchmarkLibrary, path: string, format: RecordingFormat = 'auto') {
  const result = await library.importRecording({ path, benchmarkId: 'made', format });
  return result.ok ? 'imported' : result.error.message;
}

const whole = (body: string) => `def add_0(x):\n    return ${body}\n`;

describe('a recording of traces', () => {
  it('has first programs and what was made of each program, repeats and all', async () => {
    const [a, b, c] = [whole('1'), whole('2'), whole('3')];
    const { library, path } = await made([
      {
        task_id: 'Made/0',
        implementations: [a, a, b, a, c],
        test_feedback: [['x'], ['x'], ['x'], ['x'], []],
      },
      { task_id: 'Made/1', implementations: [whole('9')] },
      { task_id: 'Made/0', implementations: [b, c] },
    ]);
    const { recording, lines } = await imported(library, path);
    expect(recording).toMatchObject({
      problems: 2,
      samples: 3,
      refinements: 5,
      fewestSamples: 0,
      mostSamples: 2,
    });
    expect(recording.source).toBe(
      'traces from the file file.jsonl; 1 of 5 refinements repeat the program they refine',
    );
    expect(lines).toEqual([
      {
        problemId: 'Made/0',
        samples: [a, b],
        refinements: [
          { of: digestOf(a), programs: [a, b, c] },
          { of: digestOf(b), programs: [a, c] },
        ],
      },
      { problemId: 'Made/1', samples: [expect.stringContaining('return 9')], refinements: [] },
    ]);
  });

  it('accepts rows of failed runs, and reports them', async () => {
    const { library, path } = await made([
      { name: 'Made_0_add', prompt: 'p', acc: 0 },
      { name: 'Made_0_add', implementations: [whole('1'), whole('2')] },
    ]);
    const { recording } = await imported(library, path);
    expect(recording).toMatchObject({ samples: 1, refinements: 1 });
    expect(recording.source).toContain('1 row without a program');
  });

  it('read as samples are their first programs alone', async () => {
    const { library, path } = await made([
      { task_id: 'Made/0', implementations: [whole('1'), whole('2')] },
      { task_id: 'Made/0', seed: whole('3'), implementations: [`import re\n${whole('3')}`] },
    ]);
    const { recording, lines } = await imported(library, path, 'samples');
    expect(recording).toMatchObject({ samples: 2, refinements: 0 });
    expect(lines).toEqual([{ problemId: 'Made/0', samples: [whole('1'), whole('3')] }]);
  });

  it('is refused where no row was refined', async () => {
    const { library, path } = await made([{ task_id: 'Made/0', solution: whole('1') }]);
    expect(await refusal(library, path, 'traces')).toContain('it has no refinements. Import it as samples.');
  });
});

describe('a recording of samples', () => {
  it('is the same from lines, a list over many lines, a packed list and a folder of files', async () => {
    const rows = [0, 1, 2].map((id) => ({ task_id: `Made/${id}`, completion_list: [`    return ${id}`] }));
    const digests: string[] = [];
    for (const content of [
      rows.map((row) => JSON.stringify(row)).join('\n'),
      JSON.stringify(rows, null, 4),
      gzipSync(JSON.stringify(rows)),
    ]) {
      const { library, path } = await made(content);
      digests.push((await imported(library, path)).recording.digest);
    }
    const { library, folder } = await made('');
    const many = join(folder, 'many');
    await mkdir(many);
    await writeFile(join(many, 'SOURCE.md'), '# no rows');
    await writeFile(join(many, 'b.json'), JSON.stringify(rows.slice(1)));
    await writeFile(join(many, 'a.jsonl.gz'), gzipSync(JSON.stringify(rows[0])));
    const { recording } = await imported(library, many);
    expect(recording.source).toBe('samples from 2 files of many');
    expect(new Set([...digests, recording.digest]).size).toBe(1);
  });

  it('leaves out rows of other benchmarks and reports how many', async () => {
    const { library, path } = await made([
      { task_id: 'Made/0', solution: whole('1') },
      { task_id: 'Mbpp/0', solution: whole('1') },
    ]);
    const { recording } = await imported(library, path);
    expect(recording.samples).toBe(1);
    expect(recording.source).toContain('1 row left out that join no problem of the benchmark');
  });

  it.each([
    [
      'a row without a program',
      '{"task_id": "Made/0", "solution": "x"}\n{"task_id": "Made/0"}',
      'line 2 has neither',
    ],
    ['a benchmark', humanEvalRow(0), 'none of its rows has a program'],
    ['CodeT samples without ids', '{"prompt": "p", "samples": ["x"]}', 'line 1 has samples but no task id'],
    ['a broken line', '{"task_id": "Made/0", "solution": "x"}\n{"task', 'line 2 is not JSON'],
    [
      'a list that is cut off',
      '[\n{"task_id": "Made/0", "solution": "x"},',
      'up to its line 2 it is not valid JSON',
    ],
    [
      'a row nested too deep',
      '['.repeat(1_001),
      'line 1 is nested more than 1000 deep (at its character 1001)',
    ],
    ['a list nested too deep over its lines', '[\n'.repeat(1_001), 'its value is nested more than 1000 deep'],
    ['a list of numbers', '[1, 2]', 'row 1 is JSON, but not an object'],
  ])('is refused when it is %s', async (_, content, message) => {
    const { library, path } = await made(content);
    expect(await refusal(library, path)).toContain(message);
  });

  it('is refused where the folder has no file of rows', async () => {
    const { library, folder } = await made('');
    await mkdir(join(folder, 'empty'));
    expect(await refusal(library, join(folder, 'empty'))).toContain('no file in it ends in .jsonl');
  });
});

describe.skipIf(!existsSync(shared))('the real files (skipped without ../shared/data)', () => {
  it.each([
    [
      'ldb-traces/humaneval-gpt-3.5-turbo-0613.jsonl.gz',
      { problems: 164, samples: 164, refinements: 249 },
      '120 of 249',
    ],
    [
      'ldb-traces/humaneval-codellama.jsonl.gz',
      { problems: 164, samples: 164, refinements: 550 },
      '350 of 550',
    ],
    [
      'mapcoder-chatgpt/humaneval/ChatGPT-Reflexion-10-Python3-0-1.jsonl.gz',
      { problems: 164, samples: 164, refinements: 243 },
      '82 of 243',
    ],
    [
      'lats-runs/test_dfs__humaneval-py._dfs_8_gpt-3.5-turbo_pass_at_k_1_py.jsonl.gz',
      { problems: 100, samples: 100, refinements: 100, fewestSamples: 0 },
      '61 rows without a program',
    ],
    [
      'mapcoder-chatgpt/humaneval/ChatGPT-CoT-Python3-0-1.jsonl.gz',
      { samples: 164, refinements: 0, mostSamples: 1 },
      'samples from the file',
    ],
    [
      'reflexion-runs/reflexion_humaneval_py_pass_at_1__reflexion_humaneval_py_pass_at_1.jsonl.gz',
      { samples: 164, refinements: 0 },
      'samples from the file',
    ],
    [
      'mgdebugger-seeds/humaneval-codeqwen.jsonl.gz',
      { samples: 164, problems: 164 },
      'samples from the file',
    ],
    [
      'agentcoder-gpt35/gpt-3.5-turbo-1106.json.gz',
      { samples: 820, fewestSamples: 5 },
      'samples from the file',
    ],
    [
      'evalperf-samples/gpt-4o-2024-08-06_openai_temp_1.0_evalperf_results.brief.json.gz',
      { refinements: 0, fewestSamples: 0, mostSamples: 20 },
      'only programs that passed were kept there',
    ],
    ['codegen-beam', { problems: 164, fewestSamples: 38, mostSamples: 38 }, '34 files of codegen-beam'],
  ])('%s joins with HumanEval', async (file, counts, source) => {
    const { library } = await libraryWith(realFiles.humanEval, 'humaneval');
    const { recording } = await imported(library, join(shared, file));
    expect(recording).toMatchObject(counts);
    expect(recording.source).toContain(source);
  });

  it.each([
    ['ldb-traces/mbpp-gpt-3.5-turbo-0613.jsonl.gz', { problems: 257, samples: 257, refinements: 247 }],
    [
      'mapcoder-chatgpt/mbpp/ChatGPT-Reflexion-10-MBPP-Python3-0-1.jsonl.gz',
      { problems: 397, samples: 397, refinements: 892 },
    ],
    ['intercode-mbpp/ic_python_multiturn_gpt-3.5_7_turns.json.gz', { problems: 32, refinements: 43 }],
    [
      'evalperf-samples/o1-mini-2024-09-12_openai_temp_1.0_evalperf_results.brief.json.gz',
      { problems: 82, samples: 1640 },
    ],
    ['mgdebugger-seeds/mbpp-codeqwen.jsonl.gz', { problems: 257, samples: 257, refinements: 0 }],
  ])('%s joins with the sanitized MBPP, which names its problems otherwise', async (file, counts) => {
    const mbpp = join(shared, 'mbpp-sanitized', 'mbpp_sanitized_for_code_generation.jsonl.gz');
    const { library } = await libraryWith(mbpp, 'mbpp');
    expect((await imported(library, join(shared, file))).recording).toMatchObject(counts);
  });

  it('of AgentCoder is sample by sample what the derived lines give', async () => {
    const { library } = await libraryWith(realFiles.humanEval, 'humaneval');
    const list = await imported(library, join(shared, 'agentcoder-gpt35', 'gpt-3.5-turbo-1106.json.gz'));
    const lines = await imported(library, realFiles.gpt35);
    expect(list.recording.digest).toBe(lines.recording.digest);
  });
});
