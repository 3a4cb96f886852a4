// Writes a data folder as a busy lab has one, through the real sessions and journals: a tree of 10,000 nodes in two
// configurations, 175 problems in three, and small studies up to 500 runs. Nothing of it was ever run.
import { createBenchmarkLibrary } from '../../../main/benchmarks/index';
import { openRegistry, type StudyRecord } from '../../../main/storage/index';
import { studyFiles } from '../../../main/studies/index';
import { progressOf } from '../../../main/studies/logic/progress';
import { openRunSession, type RunSession } from '../../../main/studies/run-session';
import { StudySummaries } from '../../../main/studies/study-summaries';
import type { Study } from '../../../preload/contract/index';
import { largeStudy, nodeMaker } from '../journal/large-study';

const RUNS = 500;
const dataDir = process.argv[2] ?? '';
const now = (): number => Date.now();
const library = createBenchmarkLibrary({ dataDir, clock: now });
const benchmark = await library.ensurePocket({ split: 'test', seed: 1, count: 175 });
if (!benchmark.ok) throw new Error(benchmark.error.message);
const outline = await library.outline(benchmark.value.id);
if (!outline.ok) throw new Error(outline.error.message);
const problemIds = outline.value.map(({ id }) => id);
const files = studyFiles(dataDir);
const summaries = new StudySummaries({ files, library, now, appVersion: 'bench' });
const make = nodeMaker();

function study(id: string, name: string, configurations: number, problems: number, nodes: number): Study {
  const { id: benchmarkId, digest } = benchmark.ok ? benchmark.value : { id: '', digest: '' };
  const size = { configurations, problems, nodes };
  const whole = largeStudy(size, { id: benchmarkId, digest, problemIds: problemIds.slice(0, problems) });
  return { ...whole, id, name, runs: whole.runs.map((run) => ({ ...run, id: run.id.replace('bench', id) })) };
}

const small = Array.from({ length: (RUNS - 5) / 5 }, (_, at) =>
  study(`small-${String(at + 1).padStart(3, '0')}`, `Ablation ${at + 1}`, 5, 4, 3),
);
const studies = [
  ...small,
  study('wide', '175 problems', 3, 175, 60),
  study('deep', 'One tree of 10,000', 2, 1, 10_000),
];

const records: StudyRecord[] = [];
for (const one of studies) {
  const sessions: RunSession[] = [];
  for (const config of one.runs) {
    const session = await openRunSession({
      path: files.journal(one.id, config.id),
      config,
      appVersion: 'bench',
      grader: { python: '3.11', isolation: 'sandbox', cpuFactor: 1 },
      now,
      onEvent: () => {},
    });
    if (!session.ok) throw new Error(session.error.message);
    sessions.push(session.value);
    // A line waits for its bytes: trees are written side by side, as they are searched.
    await Promise.all(
      config.problemIds.map(async (problemId) => {
        for (let index = 0; index < config.search.nodes; index++) {
          const { added, graded } = make(config, problemId, index);
          await session.value.append(added);
          await session.value.append(graded);
        }
        await session.value.append({
          kind: 'tree-searched',
          at: now(),
          problemId,
          part: 'search',
          reason: 'budget',
        });
      }),
    );
    await session.value.append({ kind: 'run-finished', at: now() });
  }
  const views = new Map(sessions.map((session) => [session.config.id, session.view()]));
  for (const session of sessions) await session.close();
  await summaries.save(one, views, { analysis: one.id !== 'deep' });
  const progress = progressOf(one, views, 60_000, null);
  records.push({
    study: one,
    stopped: null,
    elapsedMs: 60_000,
    progress,
    finishedAt: new Date(now()).toISOString(),
    removed: false,
  });
}
const registry = await openRegistry(`${dataDir}/registry.json`);
if (!registry.ok) throw new Error(registry.error.message);
await registry.value.update((data) => ({ ...data, studies: records }));
process.stdout.write(`${studies.reduce((sum, { runs }) => sum + runs.length, 0)} runs written\n`);
