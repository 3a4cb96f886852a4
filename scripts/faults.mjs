// npm run faults: makes everything happen that can go wrong on a machine, and checks that nothing is lost.
// `npm run faults -- --seed 7 --only disk,app`; without a seed it draws one and says which.
import { createHash, randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { runChild } from './child.mjs';
import { createReporter, ensure, ensureBuilt, Refusal, runScript } from './ensure/index.mjs';
import { findProgram, inProject, isRoot, projectRoot } from './project.mjs';

const USAGE = 'Use: npm run faults -- [--seed NUMBER] [--only NAME,NAME] [--minutes NUMBER]';

await runScript(async () => {
  const { seed, only, minutes } = parsed(process.argv.slice(2));
  const reporter = createReporter(process.stderr);
  await ensure(['sandbox', 'tests'], reporter);
  await ensureBuilt(reporter);
  const checkpoints = await basePolicies(reporter);
  const script = await bundled();
  reporter.say(`seed ${seed}`);
  const [program, ...args] = [
    ...ownMounts(),
    ...[process.execPath, script, projectRoot, checkpoints, String(seed), String(minutes), ...only],
  ];
  const { code } = await runChild(program, args, { cwd: projectRoot, forwardSignals: true });
  process.exitCode = code;
});

function parsed(args) {
  try {
    const text = { type: 'string' };
    const { values } = parseArgs({ args, options: { seed: text, only: text, minutes: text } });
    const seed = values.seed === undefined ? randomInt(1_000_000) : Number(values.seed);
    if (!Number.isInteger(seed) || seed < 0) throw new Error('--seed takes a whole number.');
    const minutes = Number(values.minutes ?? 15);
    if (!(minutes > 0)) throw new Error('--minutes takes a number above 0.');
    return { seed, minutes, only: values.only === undefined ? [] : values.only.split(',') };
  } catch (error) {
    throw new Refusal(`${error.message} ${USAGE}`, 2);
  }
}

/** Root's small disks are mounted where only this run sees them, and are gone with it, however it ends. */
function ownMounts() {
  const unshare = findProgram('unshare');
  return isRoot() && unshare ? [unshare, '--mount'] : [];
}

/** The policies that every scenario searches and trains with; to make them takes seconds, once for each version of the program. */
async function basePolicies(reporter) {
  const program = inProject('out', 'main', 'pretrain-pocket.js');
  const digest = createHash('sha256')
    .update(await readFile(inProject('out', '.mars2-build')))
    .update(process.version)
    .digest('hex');
  const folder = inProject('node_modules', '.cache', 'faults', digest.slice(0, 16));
  await mkdir(folder, { recursive: true });
  for (const family of ['reader', 'tracer']) {
    const out = inProject(
      'node_modules',
      '.cache',
      'faults',
      digest.slice(0, 16),
      `pocket-${family}-base-1.json`,
    );
    if (existsSync(out)) continue;
    reporter.say(`training the pocket policy ${family} ...`);
    const { code, output } = await runChild(
      process.execPath,
      [program, '--family', family, '--seed', '1', '--out', out],
      { collect: true },
    );
    if (code !== 0) throw new Refusal(`The pocket policy ${family} could not be made:\n${output}`);
  }
  return folder;
}

/** The scenarios are written in TypeScript; plain Node runs them as one file. */
async function bundled() {
  const { build } = await import('vite');
  const outDir = inProject('node_modules', '.cache', 'faults', 'script');
  await rm(outDir, { recursive: true, force: true });
  await build({
    root: projectRoot,
    configFile: false,
    logLevel: 'silent',
    build: {
      ssr: inProject('tests', 'faults', 'main.ts'),
      outDir,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'faults.mjs', codeSplitting: false } },
    },
    ssr: { noExternal: true },
  });
  return inProject('node_modules', '.cache', 'faults', 'script', 'faults.mjs');
}
