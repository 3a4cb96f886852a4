// Writes the large study through the real run sessions and journals, as a running study does; prints one JSON line.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createBenchmarkLibrary } from '../../../main/benchmarks/index';
import { openRegistry } from '../../../main/storage/index';
import { studyFiles } from '../../../main/studies/index';
import { progressOf } from '../../../main/studies/logic/progress';
import { openRunSession, type RunSession } from '../../../main/studies/run-session';
import { StudySummaries } from '../../../main/studies/study-summaries';
import type { RunView } from '../../../preload/contract/index';
import { largeStudy, nodeMaker, type Size } from './large-study';

/** Trees that grow side by side, as many servers would let them. */
const TREES_AT_ONCE = 128;
const dataDir = process.argv[2] ?? '';
const size: Size = JSON.parse(process.argv[3] ?? '{}');
/** Nodes a second to keep to; 0: as fast as they can be written. */
const pace = Number(process.argv[4] ?? 0);

const now = (): number => Date.now();
const library = createBenchmarkLibrary({ dataDir, clock: now });
const benchmark = await library.ensurePocket({ split: 'test', seed: 1, count: size.problems });
if (!benchmark.ok) throw new Error(benchmark.error.message);
const problems = await library.problems(benchmark.value.id);
if (!problems.ok) throw new Error(problems.error.message);
const { id, digest } = benchmark.value;
const study = largeStudy(size, { id, digest, problemIds: problems.value.map((problem) => problem.id) });
const files = studyFiles(dataDir);

let emitted = 0;
const sessions: RunSession[] = [];
for (const config of study.runs) {
  const session = await openRunSession({
    path: files.journal(study.id, config.id),
    config,
    appVersion: 'bench',
    grader: { python: '3.11', isolation: 'sandbox', cpuFactor: 1 },
    now,
    onEvent: () => {
      emitted += 1;
    },
  });
  if (!session.ok) throw new Error(session.error.message);
  sessions.push(session.value);
}
const views = (): Map<string, RunView> => new Map(sessions.map((one) => [one.config.id, one.view()]));

// What the app does during the writing: progress four times a second, squares and the table once a second.
const summaries = new StudySummaries({ files, library, now, appVersion: 'bench' });
const delays = monitorEventLoopDelay({ resolution: 5 });
const timers = [
  setInterval(() => progressOf(study, views(), 0, null), 250),
  setInterval(() => {
    summaries.liveOutcomes(study, views());
    void summaries.liveAnalysis(study, views);
  }, 1_000),
];

const tasks = (study.runs[0]?.problemIds ?? []).flatMap((problemId) =>
  sessions.map((session) => ({ session, problemId })),
);
const make = nodeMaker();
const slowest = { append: 0 };
const begun = performance.now();
let nodes = 0;
let next = 0;
const worker = async (): Promise<void> => {
  for (let task = tasks[next++]; task !== undefined; task = tasks[next++]) {
    const { session, problemId } = task;
    for (let index = 0; index < size.nodes; index++) {
      nodes += 1;
      const early = pace === 0 ? 0 : (nodes / pace) * 1_000 - (performance.now() - begun);
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
      const { added, graded } = make(session.config, problemId, index);
      const askedAt = performance.now();
      await session.append(added);
      await session.append(graded);
      slowest.append = Math.max(slowest.append, performance.now() - askedAt);
    }
    await session.append({
      kind: 'tree-searched',
      at: now(),
      problemId,
      part: 'search',
      reason: 'budget',
    });
  }
};
delays.enable();
await Promise.all(Array.from({ length: TREES_AT_ONCE }, worker));
for (const session of sessions) await session.append({ kind: 'run-finished', at: now() });
const seconds = (performance.now() - begun) / 1_000;
delays.disable();
for (const timer of timers) clearInterval(timer);
const closing = performance.now();
for (const session of sessions) await session.close();
const closeMs = performance.now() - closing;
const settling = performance.now();
await summaries.save(study, views(), { analysis: true });
const keepMs = performance.now() - settling;

const registry = await openRegistry(join(dataDir, 'registry.json'));
if (!registry.ok) throw new Error(registry.error.message);
const progress = progressOf(study, views(), seconds * 1_000, null);
await registry.value.update((data) => ({
  ...data,
  studies: [
    {
      study,
      stopped: null,
      elapsedMs: seconds * 1_000,
      progress,
      finishedAt: new Date(now()).toISOString(),
      removed: false,
    },
  ],
}));
const bytes = study.runs.reduce((sum, run) => sum + statSync(files.journal(study.id, run.id)).size, 0);
const peak = /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
process.stdout.write(
  `${JSON.stringify({
    nodes,
    told: emitted,
    seconds,
    bytes,
    closeMs,
    keepMs,
    slowestAppendMs: slowest.append,
    delayMs: { p99: delays.percentile(99) / 1e6, max: delays.max / 1e6 },
    peakMb: Number(peak) / 1024,
  })}\n`,
);
