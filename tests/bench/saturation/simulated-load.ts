import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { Emitter, failed, ok } from '../../../main/base';
import { createBenchmarkLibrary } from '../../../main/benchmarks';
import type { Grader } from '../../../main/grading';
import { openRegistry } from '../../../main/storage';
import { createStudyService, newStudy, studyFiles } from '../../../main/studies';
import { commands, PLAIN_SEARCH, type StudyView, type WorkbenchEvent } from '../../../preload/contract';
import { openJobBench } from '../../support/job-bench';
import { openServers } from '../../support/server-bench';

export type Load = {
  readonly problems: number;
  readonly nodes: number;
  readonly slots: number;
  readonly latencyMs: number;
  /** Answers of real programs for the pocket problems; without, every answer is a one-line program. */
  readonly pocketAnswers: boolean;
};

export type Measured = {
  readonly seconds: number;
  /** What the requests would take with all slots busy throughout. */
  readonly idealSeconds: number;
  /** Share of slot time that was busy: of the whole span, and of each tenth of it. */
  readonly busy: number;
  readonly tenths: readonly number[];
  /** Milliseconds between two firings of a 1 ms timer in main while the study ran. */
  readonly delayP99Ms: number;
  readonly delayMaxMs: number;
  /** Milliseconds of processor time in main for one node, its grade and its share of everything else. */
  readonly cpuMsPerNode: number;
  /** Share of the time in which main's event loop was at work. */
  readonly loopBusy: number;
  /** Processes that wanted a core, on average over the last minute, and cores: a loaded computer measures low. */
  readonly load: string;
  readonly events: number;
  readonly nodes: number;
  readonly graded: number;
};

/** A grader that runs nothing: a fake, for measuring everything else. Its verdict follows from the program's text. */
export function fakeGrader(): Grader {
  const result = (passed: boolean) => ({
    verdict: passed ? ('passed' as const) : ('wrong-answer' as const),
    actual: null,
    error: null,
    cpuMs: 0,
    wallMs: 0,
  });
  return {
    isolation: 'sandbox',
    python: 'fake',
    choice: { path: '/fake', reason: '' },
    cpuFactor: 1,
    packages: [],
    health: () => ({ kind: 'good' }),
    grade: async ({ program, tests }) => {
      const seed =
        createHash('sha1')
          .update(program ?? '')
          .digest()[0] ?? 0;
      const results = tests.map((_, at) => result((seed >> (at % 8)) % 2 === 0));
      return ok({
        verdict: results.every(({ verdict }) => verdict === 'passed') ? 'passed' : 'wrong-answer',
        results,
      });
    },
    statistics: () => ({ queued: 0, running: 0, graded: 0, faults: 0, together: 0 }),
    dispose: async () => undefined,
  };
}

async function startServer(
  load: Load,
  answersFile: string | null,
): Promise<{ port: number; child: ChildProcess }> {
  const script = join(import.meta.dirname, 'fixed-latency-server.mjs');
  const args = [
    script,
    String(load.slots),
    String(load.latencyMs),
    ...(answersFile === null ? [] : [answersFile]),
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  return { port: Number(String(line)), child };
}

/**
 * Runs a whole study through the study service: real journals, registry and HTTP, with a window's questions; the grader
 * is handed in.
 */
export async function measure(load: Load, grader: Grader): Promise<Measured> {
  const bench = await openJobBench();
  const dataDir = join(bench.folder, 'data');
  const now = () => Date.now();
  const library = createBenchmarkLibrary({ dataDir, clock: now });
  const benchmark = await library.ensurePocket({ split: 'test', seed: 1, count: load.problems });
  if (!benchmark.ok) throw new Error(benchmark.error.message);
  const problems = await library.problems(benchmark.value.id);
  if (!problems.ok) throw new Error(problems.error.message);
  const answersFile = load.pocketAnswers ? join(bench.folder, 'answers.json') : null;
  if (answersFile !== null) {
    const answers = problems.value.map(({ id, canonicalProgram }) => [
      id,
      Array.from({ length: 16 }, (_, i) =>
        i % 8 === 7
          ? `\`\`\`python\n${canonicalProgram}\n# ${i}\n\`\`\``
          : `\`\`\`python\nimport sys\nwords = sys.stdin.read().split()\nprint(len(words) + ${i})\n\`\`\``,
      ),
    ]);
    await writeFile(answersFile, JSON.stringify(Object.fromEntries(answers)));
  }
  const { port, child } = await startServer(load, answersFile);
  const servers = openServers({
    jobs: bench.jobs,
    machines: [bench.machine],
    modelServerScript: join(import.meta.dirname, 'fixed-latency-server.mjs'),
  });
  const registry = await openRegistry(join(dataDir, 'registry.json'));
  if (!registry.ok) throw new Error(registry.error.message);
  const events = new Emitter<WorkbenchEvent>();
  const studies = createStudyService({
    registry: registry.value,
    onError: ({ error }) => process.emitWarning(String(error)),
    events,
    deps: {
      appVersion: 'bench',
      now,
      sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
      digest: (text) => createHash('sha256').update(text).digest('hex').slice(0, 16),
      openGrader: async () => ok(grader),
      library,
      servers,
      checkpoints: {
        ensure: async () => failed({ code: 'unavailable', message: 'No checkpoints here' }),
        ensureReward: async () => failed({ code: 'unavailable', message: 'No reward model here' }),
        trained: async () => failed({ code: 'unavailable', message: 'No trainings here' }),
      },
      files: studyFiles(dataDir),
      provenanceOf: async () => ok(null),
      rewardOf: async () => failed({ code: 'unavailable', message: 'No reward model here' }),
    },
  });
  const request = commands['study.create'].payload.parse({
    name: 'Saturation',
    benchmarkId: benchmark.value.id,
    seeds: [1],
    configurations: [
      {
        configuration: 'single',
        team: {
          kind: 'single',
          servers: [
            {
              kind: 'url',
              id: 'server',
              model: 'fixed-latency',
              baseUrl: `http://127.0.0.1:${port}/v1`,
              maxInFlight: load.slots,
            },
          ],
          agents: [
            {
              id: 'agent',
              name: 'Agent',
              serverId: 'server',
              role: null,
              sampling: { temperature: 1, topP: 1, maxTokens: 2_048 },
              extraction: 'last-fence',
            },
          ],
        },
      },
    ],
    search: {
      ...PLAIN_SEARCH,
      strategy: { kind: 'ab-mcts-a', beliefs: 'beta', selection: 'thompson', depthGuidance: null },
      nodes: load.nodes,
      batch: 1,
      score: 'fraction',
      tie: 'latest',
      samplesPerAgent: 0,
    },
  });
  const study = newStudy(request, {
    studyId: 'saturation',
    createdAt: new Date(now()).toISOString(),
    benchmark: benchmark.value,
    problemIds: problems.value.map(({ id }) => id),
    launchScale: () => 'paper',
    arePapers: () => true,
  });
  await studies.add(study);

  const delay = monitorEventLoopDelay({ resolution: 1 });
  let started = 0;
  let loopAtStart = performance.eventLoopUtilization();
  let cpuAtStart = process.cpuUsage();
  let told = 0;
  let nodes = 0;
  let graded = 0;
  const ended = new Promise<StudyView>((resolve) => {
    events.on((event) => {
      told += 1;
      if (event.kind === 'run-events') {
        for (const { kind } of event.events) {
          if (kind === 'node-added') nodes += 1;
          if (kind === 'node-graded') graded += 1;
        }
      }
      // What a window that shows this study asks for.
      if (event.kind === 'analysis-changed' && started > 0) void studies.results.outcomes(study.id);
      if (event.kind !== 'study-changed') return;
      const { kind } = event.view.state;
      if (kind === 'running' && started === 0) {
        started = performance.now();
        loopAtStart = performance.eventLoopUtilization();
        cpuAtStart = process.cpuUsage();
        delay.enable();
      }
      if (kind === 'finished' || kind === 'failed') resolve(event.view);
    });
  });
  const begun = await studies.start(study.id);
  if (!begun.ok) throw new Error(begun.error.message);
  const { state } = await ended;
  delay.disable();
  const cpu = process.cpuUsage(cpuAtStart);
  const seconds = (performance.now() - started) / 1_000;
  if (state.kind === 'failed') throw new Error(state.message);
  const response = await fetch(`http://127.0.0.1:${port}/busy`);
  const { steps, stepMs, spanMs } = (await response.json()) as {
    steps: number[];
    stepMs: number;
    spanMs: number;
  };
  await studies.close();
  servers.dispose();
  child.kill();
  await bench.dispose();
  return {
    seconds,
    idealSeconds: (load.problems * load.nodes * load.latencyMs) / load.slots / 1_000,
    ...shares(steps, stepMs, spanMs, load.slots),
    delayP99Ms: delay.percentile(99) / 1e6,
    delayMaxMs: delay.max / 1e6,
    cpuMsPerNode: (cpu.user + cpu.system) / 1_000 / nodes,
    loopBusy: performance.eventLoopUtilization(loopAtStart).utilization,
    load: `${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`,
    events: told,
    nodes,
    graded,
  };
}

function shares(steps: readonly number[], stepMs: number, spanMs: number, slots: number) {
  const busyUntil = (ms: number): number => {
    const at = Math.floor(ms / stepMs);
    const whole = steps.slice(0, at).reduce((sum, value) => sum + (value ?? 0), 0);
    return whole + ((steps[at] ?? 0) * (ms - at * stepMs)) / stepMs;
  };
  const share = (from: number, to: number): number =>
    (busyUntil(to) - busyUntil(from)) / ((to - from) * slots);
  const tenths = Array.from({ length: 10 }, (_, i) => share((i * spanMs) / 10, ((i + 1) * spanMs) / 10));
  return { busy: share(0, spanMs), tenths };
}
