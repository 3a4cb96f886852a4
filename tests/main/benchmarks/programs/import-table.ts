import { writeSync } from 'node:fs';
import { createBenchmarkLibrary, createTableReader } from '../../../../main/benchmarks';

/** Imports a table with the program that reads tables, and says when it has begun and how it ended. */
const [dataDir = '', path = '', script = ''] = process.argv.slice(2);
const nodeRuntime = { command: process.execPath, env: {} };
const readTable = createTableReader({ nodeRuntime, script });
const library = createBenchmarkLibrary({ dataDir, clock: () => 0, readTable });
writeSync(1, 'begun\n');
const imported = await library.importBenchmark({ path });
writeSync(1, imported.ok ? 'imported\n' : `${imported.error.message}\n`);
