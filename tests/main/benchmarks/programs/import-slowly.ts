import { writeSync } from 'node:fs';
import { createBenchmarkLibrary } from '../../../../main/benchmarks';

/** Imports a file again and again under new ids until it is killed, and says each id that is done. */
const [dataDir = '', path = ''] = process.argv.slice(2);
const library = createBenchmarkLibrary({ dataDir, clock: () => 0 });
const first = library.list().length;
writeSync(1, 'begun\n');
for (let n = first; ; n++) {
  const added = await library.importBenchmark({ path, id: `try-${n}` });
  if (!added.ok) throw new Error(added.error.message);
  writeSync(1, `try-${n}\n`);
}
