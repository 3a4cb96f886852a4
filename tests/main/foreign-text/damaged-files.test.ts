import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BenchmarkLibrary } from '../../../main/benchmarks';
import { damagedCopies, FOREIGN_FILE_READERS } from '../../support/foreign-files';
import { makeTemporaryFolder } from '../../support/temporary-folder';
import { humanEvalFile, libraryIn, tableReader, unwrapped } from '../benchmarks/sample-files';

const COPIES = 12;
/** Where in the file, or what the file is as a whole. */
const PLACE =
  /\b(?:line|entry|row|row group|offset) \d|behind \d+ bytes|"part \d|its list of files|its beginning|the list of its columns|it is empty|it (?:is|holds) a binary file/;

let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
let library: BenchmarkLibrary;
beforeAll(async () => {
  folder = await makeTemporaryFolder();
  const readTable = await tableReader({ memoryBytes: 256 * 1024 ** 2, silenceMs: 5_000 });
  library = libraryIn(join(folder.path, 'data'), readTable);
  const made = join(folder.path, 'made.jsonl');
  await writeFile(made, humanEvalFile(164) + humanEvalFile(164).replaceAll('Made/', 'HumanEval/'));
  unwrapped(await library.importBenchmark({ path: made, id: 'humaneval' }));
});
afterAll(() => folder.dispose());

it.each(FOREIGN_FILE_READERS)(
  'each copy of $name with cuts or changed bytes is read, or refused with the place',
  async ({ name, sample, read }) => {
    const whole = await sample();
    if (whole === null) return;
    const isGzip = whole[0] === 0x1f && whole[1] === 0x8b;
    const copies = [
      ...damagedCopies(name, whole, COPIES),
      ...(isGzip ? damagedCopies(name, gunzipSync(whole), COPIES) : []),
    ];
    const path = join(folder.path, 'damaged');
    const answers: string[] = [];
    for (const copy of copies) {
      await writeFile(path, copy);
      answers.push((await read(path, library)).replaceAll(path, 'it'));
    }
    expect(answers.filter((answer) => answer !== '' && !PLACE.test(answer))).toEqual([]);
  },
);
