// Work of days in minutes: events, studies, and rotations of logs. Prints what the process held before and after each,
// and exits with 1 if it kept memory, listeners, file handles or child processes.
// Run: node tests/bench/soak/soak.mjs [SHARE]   (SHARE of the full counts, e.g. 0.1)
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'vite';

const project = join(import.meta.dirname, '..', '..', '..');
const outDir = join(project, 'node_modules', '.cache', 'bench-soak');
// Bundled inside the project, where native modules are found.
await build({
  configFile: false,
  logLevel: 'silent',
  root: project,
  build: {
    ssr: join(import.meta.dirname, 'soak.ts'),
    outDir,
    target: 'node20',
    rollupOptions: { output: { entryFileNames: 'script.mjs', codeSplitting: false } },
  },
});
const share = process.argv.slice(2, 3);
const done = spawnSync(process.execPath, ['--expose-gc', join(outDir, 'script.mjs'), ...share], {
  cwd: project,
  stdio: 'inherit',
});
process.exitCode = done.status ?? 1;
