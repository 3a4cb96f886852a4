import { expect, it } from 'vitest';
import { createBenchmarkLibrary } from '../../../main/benchmarks';
import { createProblemReader, openBenchmarkOutlines } from '../../../main/reports';
import type { Benchmark } from '../../../preload/contract';
import { temporaryFolder } from '../../support/temporary-folder';

async function lab() {
  const dataDir = await temporaryFolder();
  const library = createBenchmarkLibrary({ dataDir, clock: () => 0 });
  const outlines = openBenchmarkOutlines(`${dataDir}/outlines`);
  return { library, outlines, read: createProblemReader(library, outlines) };
}

/** A generated benchmark, and what a bundle records of it. */
async function generated() {
  const { library } = await lab();
  const made = await library.ensurePocket({ split: 'test', seed: 1, count: 3 });
  if (!made.ok) throw new Error(made.error.message);
  const outline = await library.outline(made.value.id);
  if (!outline.ok) throw new Error(outline.error.message);
  return { benchmark: made.value, problems: outline.value, library };
}

const elsewhere = (benchmark: Benchmark): Benchmark => ({ ...benchmark, id: 'contests', name: 'Contests' });

it('a generated problem of a bundle is generated here, with its statement and tests', async () => {
  const { benchmark, problems, library } = await generated();
  const { outlines, read } = await lab();
  await outlines.save({ benchmark, problems: [...problems] });
  const id = problems[0]?.id ?? '';
  expect(await read(benchmark.id, id)).toEqual(await library.problem(benchmark.id, id));
});

it('of any other problem of a bundle shows what is known, says that the rest is left out, and what to import', async () => {
  const { benchmark, problems } = await generated();
  const { outlines, read } = await lab();
  const [problem] = problems;
  if (problem === undefined) throw new Error('There is a problem');
  const shown = { ...problem, title: 'Two sums', difficulty: 'hard', date: '2024-05-01' } as const;
  await outlines.save({ benchmark: elsewhere(benchmark), problems: [shown] });
  const answer = await read('contests', shown.id);
  if (answer.ok) throw new Error('There is no statement');
  expect(answer.error.code).toBe('unavailable');
  expect(answer.error.message).toMatch(
    /^Two sums \(hard, .*2024-05-01, \d public tests?\)\. A bundle does not contain statements/,
  );
  expect(answer.error.hint).toContain('with the id contests');
});

it('an unknown problem is not found', async () => {
  const { read } = await lab();
  expect(await read('contests', 'x')).toMatchObject({ ok: false, error: { code: 'not-found' } });
});
