import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { appLog } from '../../../main/app/app-log';
import type { Workbench } from '../../../main/app/workbench';
import { ok } from '../../../main/base';
import { createBenchmarkLibrary } from '../../../main/benchmarks';
import { createDetachedStarter, createJobService, hasEnded } from '../../../main/jobs';
import { createLocalMachine } from '../../../main/machines';
import { studyFiles } from '../../../main/studies';
import { openRunSession } from '../../../main/studies/run-session';
import type { CommandName, Payload, RunConfig, Study, Value } from '../../../preload/contract';
import { PLAIN_SEARCH, pocketServer, singleTeam } from '../../../preload/contract/plans';
import { nodeMaker } from '../journal/large-study';

/** Nodes of a run: a tiny tree, of two events a node. */
const NODES = 10;
const EVENTS_A_RUN = 2 * NODES + 2;

export type SoakWork = {
  /** Events of runs, written to journals and sent to all who listen. */
  readonly events: (count: number) => Promise<void>;
  /** Studies that are made, opened as the window does, and removed. */
  readonly studies: (count: number) => Promise<void>;
  /** Rotations of the workbench's own log. */
  readonly appLogRotations: (count: number) => Promise<void>;
  /** Rotations of the log of a job that is followed meanwhile. */
  readonly jobLogRotations: (count: number) => Promise<void>;
};

export async function openSoakWork(workbench: Workbench, dataDir: string): Promise<SoakWork> {
  const ask = async <N extends CommandName>(name: N, payload: Payload<N>): Promise<Value<N>> => {
    const answer = await workbench.call(name, payload, 'window');
    if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`);
    return answer.value as Value<N>;
  };
  const [benchmark] = await ask('benchmark.list', {});
  if (benchmark === undefined) throw new Error('There is no benchmark.');
  const make = nodeMaker();
  const files = studyFiles(dataDir);

  /** Writes a run as a search does, and emits its events. */
  const writeRun = async (path: string, config: RunConfig): Promise<void> => {
    await mkdir(dirname(path), { recursive: true });
    const session = await openRunSession({
      path,
      config,
      appVersion: 'soak',
      grader: { python: '3.11', isolation: 'sandbox', cpuFactor: 1 },
      now: () => Date.now(),
      onEvent: (event) => workbench.events.emit({ kind: 'run-events', runId: config.id, events: [event] }),
    });
    if (!session.ok) throw new Error(session.error.message);
    const [problemId = ''] = config.problemIds;
    const agentId = config.team.agents[0]?.id ?? '';
    for (let index = 0; index < NODES; index++) {
      const { added, graded } = make(config, problemId, index);
      await session.value.append({ ...added, agentId });
      await session.value.append(graded);
    }
    await session.value.append({ kind: 'run-finished', at: Date.now() });
    await session.value.close();
  };

  const newStudy = async (): Promise<Study> => {
    const { studyId } = await ask('study.create', {
      name: 'A tiny study',
      benchmarkId: benchmark.id,
      problems: 1,
      configurations: [{ configuration: 'reader', team: singleTeam(pocketServer('reader')) }],
      search: {
        ...PLAIN_SEARCH,
        strategy: { kind: 'repeated' },
        nodes: NODES,
        batch: 1,
        score: 'fraction',
        tie: 'earliest',
        samplesPerAgent: 0,
      },
      seeds: [1],
    });
    const view = (await ask('study.list', {})).find(({ study }) => study.id === studyId);
    if (view === undefined) throw new Error('The study is not listed.');
    return view.study;
  };

  return {
    events: async (count) => {
      const study = await newStudy();
      const [config] = study.runs;
      if (config === undefined) throw new Error('The study has no run.');
      const path = join(dataDir, 'soak', 'run.jsonl');
      for (let sent = 0; sent < count; sent += EVENTS_A_RUN) {
        await writeRun(path, config);
        await rm(path);
      }
      await ask('study.remove', { studyId: study.id });
    },
    studies: async (count) => {
      for (let opened = 0; opened < count; opened++) {
        const study = await newStudy();
        const studyId = study.id;
        for (const config of study.runs) await writeRun(files.journal(studyId, config.id), config);
        await ask('study.outcomes', { studyId });
        await ask('study.analysis', { studyId });
        for (const { id: runId, problemIds } of study.runs) {
          const events = await ask('run.events', { runId });
          if (events.length < EVENTS_A_RUN) throw new Error(`A run has only ${events.length} events.`);
          const [problemId = ''] = problemIds;
          await ask('node.read', { runId, problemId, part: 'search', index: NODES - 1 });
        }
        await ask('study.remove', { studyId });
      }
    },
    appLogRotations: async (count) => {
      const folder = join(dataDir, 'soak', 'app-log');
      await mkdir(folder, { recursive: true });
      // Room for one entry: every second one rotates.
      const log = appLog(folder, { maxBytes: 300 });
      for (let rotation = 0; rotation <= count; rotation++) log.write('info', 'soak', 'x'.repeat(200));
    },
    jobLogRotations: rotateJobLog,
  };
}

/** Bytes of the log's limit. A round prints a little more than the quarter that a rotation frees. */
const LIMIT = 8_192;
const ROTATING = `round=0
text=$(printf '%098d' 0)
while [ "$round" -lt "$ROUNDS" ]; do
  line=0
  while [ "$line" -lt 21 ]; do echo "$text"; line=$((line + 1)); done
  round=$((round + 1))
  while :; do
    first=0 to=0
    [ ! -r output.log.left-out ] || read -r first to rest <output.log.left-out
    [ $((round * 2079 - to + first)) -gt ${LIMIT} ] || break
    sleep 0.005
  done
done`;

async function rotateJobLog(count: number): Promise<void> {
  const clock = { now: () => Date.now() };
  const starter = createDetachedStarter({ clock, logLimitBytes: () => LIMIT });
  const folder = await mkdtemp(join(tmpdir(), 'soak '));
  const machine = createLocalMachine(folder);
  const jobs = await createJobService({
    machines: { get: () => ok(machine) },
    starters: () => starter,
    gpus: async () => ok({ gpus: [], reservations: [], user: 'me' }),
    folder: join(folder, 'jobs'),
    clock,
    newId: () => 'rotating',
    settings: () => ({ stalledMinutes: null }),
    onError: ({ error }) => {
      throw error;
    },
  });
  const launched = await jobs.launch({
    machineId: 'local',
    name: 'a job',
    purpose: 'command',
    command: { kind: 'line', line: ROTATING },
    env: { ROUNDS: `${count + 3}`, MARS2_LOG_PAUSE: '0.005' },
  });
  if (!launched.ok) throw new Error(launched.error.message);
  const { id } = launched.value;
  for (let offset = 0; ; ) {
    const view = await jobs.inspect(id);
    const isOver = view.ok && hasEnded(view.value.view.state);
    const piece = await jobs.readLog(id, 'output', offset, 65_536);
    if (!piece.ok) throw new Error(piece.error.message);
    offset = piece.value.nextOffset;
    if (isOver && offset === piece.value.size) break;
    await new Promise((resume) => setTimeout(resume, 20));
  }
  await jobs.dispose();
  await rm(folder, { recursive: true, force: true });
}

/** A benchmark for the studies, made before the workbench opens. */
export async function makeBenchmark(dataDir: string): Promise<void> {
  const library = createBenchmarkLibrary({ dataDir, clock: () => Date.now() });
  const made = await library.ensurePocket({ split: 'test', seed: 1, count: 2 });
  if (!made.ok) throw new Error(made.error.message);
}
