// Run: npx vitest run --config tests/bench/journal/bench.config.ts
// A study as large as those of the papers: 20 configurations x 175 problems x 60 nodes. WORKBENCH_BENCH_NODES makes
// the trees smaller; TMPDIR chooses the disk.
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { expect, test } from 'vitest';

const project = join(import.meta.dirname, '..', '..', '..');
const nodes = Number(process.env.WORKBENCH_BENCH_NODES ?? 60);
const size = { configurations: 20, problems: 175, nodes };

/** Bundled inside the project, where native modules are found. */
async function bundled(name: string): Promise<string> {
  const outDir = join(project, 'node_modules', '.cache', 'bench-journal', name);
  await build({
    configFile: false,
    logLevel: 'silent',
    root: project,
    build: {
      ssr: join(import.meta.dirname, `${name}.ts`),
      outDir,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'script.mjs', codeSplitting: false } },
    },
  });
  return join(outDir, 'script.mjs');
}

function runScript(script: string, ...args: readonly string[]): Record<string, unknown> {
  const done = spawnSync(process.execPath, [script, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(done.status).toBe(0);
  return JSON.parse(done.stdout);
}

const number = (value: unknown, digits = 0): string => Number(value).toFixed(digits);
const part = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;

test('what a study of 210,000 nodes costs to write and to open', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'workbench bench '));
  try {
    const write = await bundled('write-study');
    const open = await bundled('open-study');
    const data = join(folder, 'data');
    const paced = join(folder, 'paced');
    await mkdir(data);
    await mkdir(paced);
    const slow = runScript(write, paced, JSON.stringify({ ...size, nodes: Math.min(nodes, 6) }), '2000');
    const written = runScript(write, data, JSON.stringify(size), '0');
    const lines = [
      `${written.nodes} nodes, ${number(Number(written.bytes) / 1e6)} MB, ${number(Number(written.bytes) / Number(written.told))} bytes an event`,
      `written as fast as can be   ${number(Number(written.nodes) / Number(written.seconds))} nodes/s = ${number(Number(written.told) / Number(written.seconds))} events/s, peak ${number(written.peakMb)} MB; event loop max ${number(part(written.delayMs, 'max'))} ms`,
      `at 2,000 nodes/s            event loop p99 ${number(part(slow.delayMs, 'p99'), 1)} ms, max ${number(part(slow.delayMs, 'max'), 1)} ms; slowest pair of appends ${number(slow.slowestAppendMs, 1)} ms`,
      `summaries at the end        ${number(written.keepMs)} ms`,
    ];
    const show = (name: string, it: Record<string, unknown>): void => {
      lines.push(
        `${name.padEnd(27)} open ${number(it.openMs)} ms, list ${number(it.listMs)} ms, squares ${number(it.squaresMs)} ms, table ${number(it.tableMs)} ms, peak ${number(it.tablePeakMb)} MB, longest block ${number(it.tableDelayMs)} ms`,
        `${''.padEnd(27)} one run's tree ${number(it.treeMs)} ms, one node ${number(it.nodeMs, 1)} ms, all runs looked at: peak ${number(it.peakMb)} MB`,
      );
    };
    show('from kept summaries', runScript(open, data, project));
    for (const name of ['outcomes.json', 'analysis.json']) await rm(join(data, 'studies', 'bench', name));
    show('cold', runScript(open, data, project));
    show('from summaries made anew', runScript(open, data, project));
    process.stdout.write(`${lines.join('\n')}\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
