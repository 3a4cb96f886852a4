import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Emitter, failed, ok } from '../../main/base';
import { createBenchmarkLibrary } from '../../main/benchmarks';
import type { ReconcileProblem } from '../../main/reconcile';
import type { ChatClient } from '../../main/servers';
import { openRegistry } from '../../main/storage';
import { createStudyService, type StudyDeps, studyFiles } from '../../main/studies';
import {
  PLAIN_SEARCH,
  type Problem,
  type ServerSpec,
  type Study,
  singleTeam,
  type WorkbenchEvent,
} from '../../preload/contract';
import { eventually } from './eventually';

export type StudyBenchOptions = {
  readonly folder: string;
  /** Left out: a new one in the folder. */
  readonly dataDir?: string;
  readonly openGrader: StudyDeps['openGrader'];
  /** The text of a model's answer. */
  readonly answer: (asked: {
    readonly problemId: string;
    readonly ordinal: number;
    readonly seed: number;
  }) => string;
  readonly problems: number;
  /** Nodes of a tree. */
  readonly nodes: number;
  /** Holds every answer back. */
  readonly gate?: () => Promise<void>;
  /** Left out: every server can be reached. */
  readonly isReachable?: (server: ServerSpec) => boolean;
  /** Changes problems of the generated benchmark as they are read. */
  readonly problem?: (problem: Problem) => Problem;
};

export const recordedServer = (machineId?: string): ServerSpec => ({
  kind: 'recorded',
  id: 'rec',
  model: 'rec',
  recordingId: 'rec',
  latencyMs: 0,
  maxInFlight: 2,
  ...(machineId === undefined ? {} : { machineId }),
});

/** Studies of a workbench, with real journals and registry, over servers that answer at once. */
export async function openStudyBench(options: StudyBenchOptions) {
  const { folder, answer, gate, problem = (same) => same, isReachable = () => true } = options;
  const { dataDir = join(folder, `data-${Math.random()}`) } = options;
  const library = createBenchmarkLibrary({ dataDir, clock: () => 0 });
  const benchmark = await library.ensurePocket({ split: 'test', seed: 1, count: options.problems });
  if (!benchmark.ok) throw new Error(benchmark.error.message);
  const problems = await library.problems(benchmark.value.id);
  if (!problems.ok) throw new Error(problems.error.message);
  const client: ChatClient = {
    complete: async ({ seed, metadata }) => {
      await gate?.();
      return ok({ text: answer({ ...metadata, seed }), promptTokens: 1, completionTokens: 1 });
    },
    models: async () => ok(['rec']),
    maxInFlight: 2,
    inFlight: () => 0,
    answered: () => 0,
    dispose: () => undefined,
  };
  const stopped: string[] = [];
  const servers: StudyDeps['servers'] = {
    ensure: async (server) =>
      isReachable(server)
        ? ok({ id: 's', baseUrl: '', client })
        : failed({ code: 'unavailable', message: `${server.model} does not answer.` }),
    onChange: () => ({ dispose: () => undefined }),
    stopOwnedBy: async (studyId) => void stopped.push(studyId),
    views: () => [],
  };
  const registry = await openRegistry(join(dataDir, 'registry.json'));
  if (!registry.ok) throw new Error(registry.error.message);
  const errors: ReconcileProblem[] = [];
  let isFull = false;
  const full = async () => failed({ code: 'unavailable', message: 'The disk is full.' } as const);
  const studies = createStudyService({
    registry: { ...registry.value, update: (next) => (isFull ? full() : registry.value.update(next)) },
    events: new Emitter<WorkbenchEvent>(),
    onError: (problem) => void errors.push(problem),
    deps: {
      appVersion: 'test',
      now: () => Date.now(),
      sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
      digest: (text) => createHash('sha256').update(text).digest('hex').slice(0, 16),
      openGrader: options.openGrader,
      library: {
        ...library,
        problem: async (...of) => {
          const read = await library.problem(...of);
          return read.ok ? ok(problem(read.value)) : read;
        },
        recordingPath: () => ok('recording.jsonl'),
      },
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
  const add = async (id: string, seed: number, server: ServerSpec): Promise<void> => {
    const study: Study = {
      id,
      name: id,
      createdAt: '',
      scale: 'recorded',
      runs: [
        {
          id: `${id}.run`,
          configuration: 'single',
          team: singleTeam(server),
          benchmarkId: benchmark.value.id,
          benchmarkDigest: benchmark.value.digest,
          problemIds: problems.value.map((one) => one.id),
          search: {
            ...PLAIN_SEARCH,
            strategy: { kind: 'ab-mcts-a', beliefs: 'beta', selection: 'thompson', depthGuidance: null },
            nodes: options.nodes,
            batch: 1,
            score: 'fraction',
            tie: 'latest',
            samplesPerAgent: 0,
          },
          seed,
          scale: 'recorded',
        },
      ],
    };
    const added = await studies.add(study);
    if (!added.ok) throw new Error(added.error.message);
  };
  const stateOf = (id: string) => studies.list().find(({ study }) => study.id === id)?.state;
  return {
    dataDir,
    library,
    benchmark: benchmark.value,
    registry: registry.value,
    studies,
    add,
    stateOf,
    stopped,
    errors,
    setFull: (value: boolean): void => {
      isFull = value;
    },
    ended: (id: string, kind: 'finished' | 'failed' = 'finished') =>
      eventually(
        `the study ${id} to be ${kind}`,
        () => stateOf(id)?.kind === kind,
        undefined,
        () => stateOf(id),
      ),
    nodesCsv: async (
      id: string,
      kind: 'nodes' | 'table' | 'curves' | 'breakdowns' = 'nodes',
    ): Promise<string> => {
      const path = join(folder, `${id}.csv`);
      const written = await studies.results.exportCsv({ studyId: id, kind, path });
      if (!written.ok) throw new Error(written.error.message);
      return readFile(path, 'utf8');
    },
  };
}
