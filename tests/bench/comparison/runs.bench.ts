// Run: npx vitest run --config tests/bench/comparison/bench.config.ts
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'vitest';
import { randomStream } from '../../../main/base';
import { createBenchmarkLibrary } from '../../../main/benchmarks';
import { openRegistry, type StudyRecord } from '../../../main/storage';
import { createRunComparison, studyFiles } from '../../../main/studies';
import { createRunLoader } from '../../../main/studies/load-study';
import { createStudyResults } from '../../../main/studies/study-results';
import type { NodeView, RunConfig, RunView, Study, TreeView } from '../../../preload/contract';
import { treeKey } from '../../../preload/contract';
import { sampleConfig } from '../../support/sample-run';
import { temporaryFolder } from '../../support/temporary-folder';

type Size = {
  readonly configurations: number;
  readonly seeds: number;
  readonly problems: number;
  readonly nodes: number;
  readonly samples: number;
};

/** SIZES="100 5 100 24" takes one: configurations, seeds, problems, nodes. */
const SIZES: readonly Size[] =
  process.env.SIZES === undefined
    ? [
        { configurations: 100, seeds: 5, problems: 100, nodes: 24, samples: 8 },
        { configurations: 100, seeds: 5, problems: 175, nodes: 60, samples: 8 },
        { configurations: 500, seeds: 1, problems: 100, nodes: 24, samples: 8 },
      ]
    : [sizeOf(process.env.SIZES)];

function sizeOf(text: string): Size {
  const [configurations = 1, seeds = 1, problems = 1, nodes = 1] = text.split(' ').map(Number);
  return { configurations, seeds, problems, nodes, samples: 8 };
}

const STUDIES = 20;
const APP = 'bench';

function nodeOf(
  index: number,
  chance: number,
  random: ReturnType<typeof randomStream>,
  isTree: boolean,
): NodeView {
  const passed = random.uniform() < chance;
  const looksRight = passed || random.uniform() < 0.05;
  const parent = isTree && index > 0 && random.uniform() < 0.5 ? random.integer(index) : -1;
  const verdict = passed ? 'passed' : 'wrong-answer';
  return {
    index,
    parent,
    depth: 1,
    trial: index,
    agentId: 'reader',
    score: looksRight ? 1 : random.integer(3) / 3,
    reward: null,
    publicVerdict: looksRight ? 'passed' : 'wrong-answer',
    publicVerdicts: ['passed', 'passed', looksRight ? 'passed' : 'wrong-answer'],
    privateVerdict: verdict,
    privateVerdicts: ['passed', 'passed', 'passed', 'passed', verdict],
    otherVerdict: null,
    generationSeed: random.integer(2 ** 31),
    programDigest: random
      .integer(2 ** 31)
      .toString(16)
      .padStart(16, '0'),
    promptTokens: 200 + random.integer(800),
    completionTokens: random.integer(4_000),
    answerEnd: 'stop',
    generateMs: 1_000 * random.uniform(),
    gradeMs: 100 * random.uniform(),
  };
}

function viewOf(config: RunConfig, chance: number): RunView {
  const random = randomStream('comparison bench', config.id);
  const trees = new Map<string, TreeView>();
  for (const problemId of config.problemIds) {
    for (const part of ['search', 'samples'] as const) {
      const count = part === 'search' ? config.search.nodes : config.search.samplesPerAgent;
      const ease = random.uniform() * 2 * chance;
      const nodes = Array.from({ length: count }, (_, i) => nodeOf(i, ease, random, part === 'search'));
      trees.set(treeKey(problemId, part), {
        problemId,
        part,
        nodes,
        failures: [],
        graded: count,
        searched: 'budget',
      });
    }
  }
  return { config, appVersion: APP, randomVersion: 'bench', trees, finished: true };
}

/** Runs of 20 studies with their views kept; each journal is a few bytes, since it is never opened. */
async function labWith({ configurations, seeds, problems, nodes, samples }: Size) {
  const dataDir = await temporaryFolder();
  const library = createBenchmarkLibrary({ dataDir, clock: () => 0 });
  const benchmark = await library.ensurePocket({ split: 'test', seed: 1, count: problems });
  if (!benchmark.ok) throw new Error(benchmark.error.message);
  const outline = await library.outline(benchmark.value.id);
  if (!outline.ok) throw new Error(outline.error.message);
  const base = sampleConfig({
    benchmarkId: benchmark.value.id,
    benchmarkDigest: benchmark.value.digest,
    problemIds: outline.value.map(({ id }) => id),
    search: { ...sampleConfig().search, nodes, samplesPerAgent: samples },
  });
  const configs = Array.from({ length: configurations }, (_, c) =>
    Array.from({ length: seeds }, (_, s) => ({
      ...base,
      id: `run.${c}.${s}`,
      configuration: `team ${c}`,
      seed: s,
    })),
  );
  const files = studyFiles(dataDir);
  const readings = createRunLoader({ files, appVersion: APP });
  const studies: Study[] = [];
  for (let i = 0; i < STUDIES; i++) {
    const runs = configs.filter((_, c) => c % STUDIES === i).flat();
    if (runs.length === 0) continue;
    const study: Study = { id: `study-${i}`, name: `Study ${i}`, createdAt: '', scale: 'pocket', runs };
    studies.push(study);
    for (const run of runs) {
      const path = files.journal(study.id, run.id);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, 'stand-in\n');
      const chance = 0.02 + (0.1 * Number(run.configuration.slice(5))) / configurations;
      await readings.save({ ...study, runs: [run] }, new Map([[run.id, viewOf(run, chance)]]));
    }
  }
  const registry = await openRegistry(join(dataDir, 'registry.json'));
  if (!registry.ok) throw new Error(registry.error.message);
  const record = { stopped: null, elapsedMs: 0, progress: null, finishedAt: '', removed: false };
  await registry.value.update((data) => ({
    ...data,
    studies: studies.map((study): StudyRecord => ({ study, ...record })),
  }));
  const deps = { files, library, now: () => 0, appVersion: APP, digest: (text: string) => text };
  const archive = createStudyResults({ registry: registry.value, deps, activeOf: () => undefined });
  const checkpoints = {
    ensure: async () => ({
      ok: false as const,
      error: { code: 'unavailable' as const, message: 'None here.' },
    }),
  };
  const runs = configs.flat().map(({ id }) => ({ runId: id }));
  return {
    runs,
    comparison: createRunComparison({ registry: registry.value, results: archive, library, checkpoints }),
  };
}

/** The most CPU milliseconds between two turns of the event loop: unlike the clock's, they do not count other programs. */
function watchTurns(): { stop: () => number } {
  let [longest, last, isOn] = [0, process.cpuUsage(), true];
  const tick = (): void => {
    const { user, system } = process.cpuUsage(last);
    longest = Math.max(longest, (user + system) / 1_000);
    last = process.cpuUsage();
    if (isOn) setImmediate(tick);
  };
  setImmediate(tick);
  return {
    stop: () => {
      isOn = false;
      return longest;
    },
  };
}

test('what a comparison of 500 runs costs, and for how long it keeps others waiting', async () => {
  const lines = [
    'configurations x seeds  problems  N   first read s  CPU s  longest turn, CPU ms  again ms  answer MB  heap MB',
  ];
  for (const size of SIZES) {
    const { runs, comparison } = await labWith(size);
    const turns = watchTurns();
    const [begun, cpu] = [performance.now(), process.cpuUsage()];
    const first = await comparison.read(runs);
    const [took, used] = [performance.now() - begun, process.cpuUsage(cpu)];
    const longest = turns.stop();
    if (!first.ok) throw new Error(first.error.message);
    const again = performance.now();
    await comparison.read(runs);
    const cells = [
      `${size.configurations} x ${size.seeds}`.padEnd(22),
      String(size.problems).padEnd(8),
      String(size.nodes).padEnd(2),
      (took / 1_000).toFixed(1).padEnd(12),
      ((used.user + used.system) / 1e6).toFixed(1).padEnd(5),
      longest.toFixed(0).padEnd(20),
      (performance.now() - again).toFixed(0).padEnd(8),
      (JSON.stringify(first.value).length / 1e6).toFixed(1).padEnd(9),
      (process.memoryUsage().heapUsed / 1e6).toFixed(0),
    ];
    lines.push(cells.join('  '));
    process.stdout.write(`${lines.at(-1)}\n`);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
});
