import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../preload/contract';
import { temporaryFolder } from '../../support/temporary-folder';
import { grade, openGrader } from '../grading/sandbox';
import { hasRealFiles, libraryIn, realFiles } from './sample-files';

const files = [
  ['our first functions', join('resources', 'benchmarks', 'first-functions.jsonl')],
  // Left out where ../shared/data is not there.
  ...(hasRealFiles
    ? ([
        ['HumanEval', realFiles.humanEval],
        ['MBPP of CodeT', realFiles.mbpp],
      ] as const)
    : []),
] as const;

describe('as imported', () => {
  it.each(files)('%s has only tests that its canonical programs pass', async (_, path) => {
    const library = libraryIn(await temporaryFolder());
    const imported = await library.importBenchmark({ path });
    if (!imported.ok) throw new Error(imported.error.message);
    const problems = await library.problems(imported.value.value.id);
    if (!problems.ok) throw new Error(problems.error.message);
    // On a busy computer a program takes more processor time too (shared cores and caches), and one of MBPP's needs
    // most of its three seconds on a quiet one.
    const { limits: published } = imported.value.value;
    const limits = {
      ...published,
      cpuSeconds: 3 * published.cpuSeconds,
      wallSeconds: 3 * published.wallSeconds,
    };
    const grader = await openGrader();
    const verdictsOf = async ({ id, entryPoint, canonicalProgram: program, ...problem }: Problem) => {
      const tests = [...problem.publicTests, ...problem.privateTests];
      const { results } = await grade(grader, { program, entryPoint, tests, limits });
      return results.flatMap(({ verdict }, i) =>
        verdict === 'passed' ? [] : [{ id, verdict, test: tests[i] }],
      );
    };
    try {
      expect((await Promise.all(problems.value.map(verdictsOf))).flat()).toEqual([]);
    } finally {
      await grader.dispose();
    }
  });
});
