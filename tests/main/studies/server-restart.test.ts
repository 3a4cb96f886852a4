import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Emitter, failed, ok } from '../../../main/base';
import { createBenchmarkLibrary } from '../../../main/benchmarks';
import { openJournal, openRegistry, textDigest } from '../../../main/storage';
import { createStudyService, readOrigins, studyFiles } from '../../../main/studies';
import { verifyStudy } from '../../../main/studies/verify-study';
import {
  PLAIN_SEARCH,
  type RunEvent,
  type ServerSpec,
  type Study,
  type StudyState,
  type Verdict,
  type WorkbenchEvent,
} from '../../../preload/contract';
import { bundleScript } from '../../support/bundled-script';
import { eventually } from '../../support/eventually';
import { openJobBench } from '../../support/job-bench';
import { startScriptedServer } from '../../support/scripted-http-server';
import { qualityGrader, timeless } from '../../support/search-fixture';
import { openServers } from '../../support/server-bench';
import { makeTemporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

const PROBLEMS = 6;
const NODES = 20;
const RECORDED: ServerSpec = {
  ...{ kind: 'recorded', id: 's', model: 'rec' },
  ...{ recordingId: 'rec', latencyMs: 20, maxInFlight: 4 },
};

let built: Awaited<ReturnType<typeof makeTemporaryFolder>>;
let script: string;

beforeAll(async () => {
  built = await makeTemporaryFolder();
  script = await bundleScript(resolve('main/servers/model-server.ts'), built.path);
});
afterAll(() => built.dispose());

/** A workbench's studies over real servers, journals and registry; only the grader is played. */
async function openFixture(restartWaitsMs: readonly number[], withGrader = qualityGrader, server = RECORDED) {
  const bench = await openJobBench();
  const dataDir = join(bench.folder, 'data');
  const now = () => Date.now();
  const library = createBenchmarkLibrary({ dataDir, clock: now });
  const benchmark = await library.ensurePocket({ split: 'test', seed: 1, count: PROBLEMS });
  if (!benchmark.ok) throw new Error(benchmark.error.message);
  const problems = await library.problems(benchmark.value.id);
  if (!problems.ok) throw new Error(problems.error.message);
  const problemIds = problems.value.map(({ id }) => id);
  const recording = join(bench.folder, 'recording.jsonl');
  const lines = problemIds.map((problemId, p) =>
    JSON.stringify({
      problemId,
      samples: Array.from({ length: 3 * NODES }, (_, i) => `# ${p} ${i}\nprint(${(p + i) % 4})\n`),
    }),
  );
  await writeFile(recording, `${lines.join('\n')}\n`);

  const servers = openServers({
    jobs: bench.jobs,
    machines: [bench.machine],
    modelServerScript: script,
    supervision: { restartWaitsMs, startTimeoutMs: 30_000 },
  });
  const registry = await openRegistry(join(dataDir, 'registry.json'));
  if (!registry.ok) throw new Error(registry.error.message);
  const events = new Emitter<WorkbenchEvent>();
  const files = studyFiles(dataDir);
  const studies = createStudyService({
    registry: registry.value,
    onError: ({ error }) => process.emitWarning(String(error)),
    events,
    deps: {
      appVersion: 'test',
      now,
      sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
      digest: textDigest,
      openGrader: async () => ok(withGrader),
      library: { ...library, recordingPath: () => ok(recording) },
      servers,
      checkpoints: {
        ensure: async () => failed({ code: 'unavailable', message: 'No checkpoints here' }),
        ensureReward: async () => failed({ code: 'unavailable', message: 'No reward model here' }),
        trained: async () => failed({ code: 'unavailable', message: 'No trainings here' }),
      },
      files,
      provenanceOf: bench.jobs.provenance,
      rewardOf: async () => failed({ code: 'unavailable', message: 'No reward model here' }),
    },
  });
  const study: Study = {
    id: 'study',
    name: 'Study',
    createdAt: '',
    scale: 'recorded',
    runs: [
      {
        id: 'study.run',
        configuration: 'duo',
        team: {
          kind: 'homogeneous',
          servers: [server],
          agents: ['a', 'b'].map((id) => ({
            id,
            name: id,
            serverId: 's',
            role: null,
            sampling: { temperature: 1, topP: 1, maxTokens: 100 },
            extraction: 'whole',
          })),
        },
        benchmarkId: benchmark.value.id,
        benchmarkDigest: benchmark.value.digest,
        problemIds,
        search: {
          ...PLAIN_SEARCH,
          strategy: { kind: 'ab-mcts-a', beliefs: 'beta', selection: 'thompson', depthGuidance: null },
          nodes: NODES,
          batch: 2,
          score: 'fraction',
          tie: 'latest',
          samplesPerAgent: 0,
        },
        seed: 1,
        scale: 'recorded',
      },
    ],
  };
  await studies.add(study);
  let nodes = 0;
  const graded: Verdict[] = [];
  let state: StudyState = { kind: 'planned' };
  events.on((event) => {
    if (event.kind === 'run-events') nodes += event.events.filter(({ kind }) => kind === 'node-added').length;
    if (event.kind === 'run-events') {
      for (const one of event.events) if (one.kind === 'node-graded') graded.push(one.privateVerdict);
    }
    if (event.kind === 'study-changed') state = event.view.state;
  });
  return {
    studies,
    study,
    nodes: () => nodes,
    graded: () => graded,
    state: () => state,
    /** As the registry has it, for the next session. */
    saved: () => registry.value.read().studies[0],
    /** Ends the model server's process as a crash would. */
    kill: async () => {
      const pid = await eventually(
        'a server',
        () => servers.views().find(({ state }) => state.kind === 'ready')?.pid ?? null,
      );
      process.kill(pid, 'SIGKILL');
      return pid;
    },
    begin: async () => {
      const begun = await studies.start(study.id);
      if (!begun.ok) throw new Error(begun.error.message);
    },
    /** Waits for the end of the study; its trees, each in its own order, without what timing decides. */
    finish: async () => {
      await eventually('the end', () => state.kind === 'finished' || state.kind === 'failed', 50_000);
      expect(state).toEqual({ kind: 'finished' });
      await studies.close();
      const journal = await openJournal(files.journal(study.id, 'study.run'));
      if (!journal.ok) throw new Error(journal.error.message);
      const verification = await verifyStudy({
        study,
        journalOf: async () => journal,
        digest: textDigest,
        onProgress: () => undefined,
        signal: { aborted: false },
      });
      const trees: RunEvent[][] = [];
      for (const id of problemIds) trees.push(await journal.value.treeEvents(id, 'search'));
      await journal.value.close();
      return { verification, trees, origins: await unwrap(readOrigins(files, study.id)) };
    },
    dispose: async () => {
      servers.dispose();
      await bench.dispose();
    },
  };
}

/** Without grades, which come at any time. */
const searchesOf = (trees: readonly (readonly RunEvent[])[]): unknown[] =>
  trees.map((events) => timeless(events.filter(({ kind }) => kind !== 'node-graded')));

test.each([
  ['that is started again', [10, 10, 10]],
  ['that was given up, and is started anew', []],
] as const)('a server killed twice in the middle of a run, %s, costs nothing', async (_, restartWaitsMs) => {
  const calm = await openFixture([]);
  await calm.begin();
  const expected = await calm.finish();
  await calm.dispose();

  const fixture = await openFixture(restartWaitsMs);
  await fixture.begin();
  await eventually('the first nodes', () => fixture.nodes() >= 15);
  const first = await fixture.kill();
  await eventually('more nodes', () => fixture.nodes() >= 60);
  expect(await fixture.kill()).not.toBe(first);
  const { verification, trees, origins } = await fixture.finish();
  await fixture.dispose();
  expect(searchesOf(trees)).toEqual(searchesOf(expected.trees));
  expect(trees.flat().filter(({ kind }) => kind === 'node-graded')).toHaveLength(PROBLEMS * NODES);
  expect(verification).toMatchObject({ ok: true, value: { nodes: PROBLEMS * NODES, mismatches: [] } });
  // The first start, which is killed soon, may have been recorded or not; the last one is.
  expect(origins.at(-1)).toMatchObject({ name: 'rec', workbench: 'test', provenance: { host: hostname() } });
});

test('a study that is paused in the middle continues to the same trees', async () => {
  const calm = await openFixture([]);
  await calm.begin();
  const expected = await calm.finish();
  await calm.dispose();

  const fixture = await openFixture([10]);
  await fixture.begin();
  await eventually('some nodes', () => fixture.nodes() >= 30);
  await fixture.studies.stop(fixture.study.id, 'paused');
  expect(fixture.nodes()).toBeLessThan(PROBLEMS * NODES);
  await fixture.begin();
  const { trees } = await fixture.finish();
  await fixture.dispose();
  expect(searchesOf(trees)).toEqual(searchesOf(expected.trees));
});

test('an address that has another model in the middle ends the study with that, not with requests that failed', async () => {
  let model = 'rec';
  const server = await startScriptedServer((response, body, request) => {
    if (request.url === '/v1/models') response.end(`{"data": [{"id": "${model}"}]}`);
    else if (JSON.parse(body).model !== model)
      response.writeHead(404).end('{"error": {"message": "No such model"}}');
    else
      response.end(
        '{"choices": [{"message": {"content": "print(1)"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 1, "completion_tokens": 1}}',
      );
  });
  onTestFinished(() => server.dispose());
  const url: ServerSpec = { kind: 'url', id: 's', model, baseUrl: server.baseUrl, maxInFlight: 4 };
  const fixture = await openFixture([], qualityGrader, url);
  await fixture.begin();
  await eventually('the first nodes', () => fixture.nodes() >= 15);
  model = 'other';
  await eventually('the end', () => fixture.state().kind === 'failed');
  expect(fixture.state()).toMatchObject({
    message: `The server does not serve "rec" but "other". Asked at ${server.baseUrl}.`,
    hint: expect.stringContaining('resume the study'),
  });
  await fixture.studies.close();
  await fixture.dispose();
});

test('a sandbox that is found to judge wrongly ends the study, and writes no verdict', async () => {
  let left = 40;
  const isBroken = (): boolean => left <= 0;
  const fixture = await openFixture([], {
    ...qualityGrader,
    health: () => (isBroken() ? { kind: 'broken', message: 'The canary died.' } : { kind: 'good' }),
    grade: async (request) => {
      left -= 1;
      return isBroken() ? ok({ verdict: 'sandbox-fault', results: [] }) : qualityGrader.grade(request);
    },
  });
  await fixture.begin();
  await eventually('the end', () => fixture.state().kind === 'failed');
  expect(fixture.state()).toMatchObject({ kind: 'failed', message: 'The canary died.' });
  expect(fixture.graded()).not.toContain('sandbox-fault');
  expect(fixture.saved()?.failure?.message).toBe('The canary died.');
  left = 1_000_000;
  await fixture.begin();
  expect(fixture.saved()?.failure).toBeUndefined();
  await fixture.studies.close();
  await fixture.dispose();
});
