import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLAIN_SEARCH, type ServerLaunch, type ServerView, serverLaunchSchema } from '../../preload/contract';
import { launchServer, teamOfMembers } from '../../preload/contract/plans';
import { buildWorkbench } from '../support/built-workbench';
import { eventually } from '../support/eventually';
import { isAlive } from '../support/is-alive';
import { learnerPython } from '../support/learner';
import { installLlamaCpp, isWithinReach } from '../support/llama-cpp';
import { openWorkbenchBench, type WorkbenchBench } from '../support/workbench-bench';

const PATIENCE_MS = 900_000;
/** An answer that says nothing; it takes milliseconds. */
const MAX_TOKENS = 16;
const NAMES = ['small', 'other'] as const;

/** The real llama.cpp, as a user brings it, with tiny models of random weights. */
describe.skipIf(!isWithinReach('requirements.txt'))(
  'llama.cpp (needs a package index with xllamacpp)',
  () => {
    let bench: WorkbenchBench;
    let program: string;
    const launchOf = (id: string, change: Partial<ServerLaunch> = {}) =>
      serverLaunchSchema.parse({
        ...{
          id,
          name: id,
          engine: 'llama-cpp',
          machineId: 'local',
          weights: join(bench.dataDir, `${id}.gguf`),
        },
        ...{
          model: id,
          gpus: 0,
          contextTokens: 2_048,
          maxInFlight: 4,
          extraArguments: '--parallel 2',
          ...change,
        },
      });

    beforeAll(async () => {
      bench = await openWorkbenchBench(await buildWorkbench(), []);
      program = (await installLlamaCpp(bench, false)).program;
      for (const [at, name] of NAMES.entries()) {
        const file = join(bench.dataDir, `${name}.gguf`);
        execFileSync(learnerPython as string, [resolve('tests/learner/tiny_gguf.py'), file, String(at + 1)]);
        await bench.ask('launch.save', launchOf(name));
      }
    }, PATIENCE_MS);
    afterAll(() => bench?.dispose());

    const server = async (id: string): Promise<ServerView> => {
      const view = (await bench.ask('server.list', {})).find((one) => one.id === id);
      if (view === undefined) throw new Error(`No server ${id}`);
      return view;
    };
    const settled = (id: string, after: (view: ServerView) => boolean = () => true): Promise<ServerView> =>
      eventually(
        `the server ${id}`,
        async () => {
          const view = await server(id);
          return (view.state.kind === 'ready' || view.state.kind === 'failed') && after(view) ? view : null;
        },
        PATIENCE_MS,
      );
    const launched = async (launchId: string): Promise<ServerView> => {
      const { serverIds } = await bench.ask('server.launch', { launchId });
      return settled(serverIds[0] ?? '');
    };

    it('is brought by one command, and a second one finds it', async () => {
      expect(existsSync(program)).toBe(true);
      expect(await bench.ask('server.install', { machineId: 'local', withModel: false })).toEqual({
        program,
        launchId: null,
        job: null,
      });
      expect((await bench.ask('server.plan', launchOf('small'))).problems).toEqual([]);
    });

    it('starts in stages up to a real token, and counts what it does', { timeout: PATIENCE_MS }, async () => {
      const { id, state, stages } = await launched('small');
      expect(state).toMatchObject({ kind: 'ready' });
      expect(stages.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['process up', 'port open', 'model listed', 'one real token']),
      );
      const [row] = await bench.ask('server.speedTest', {
        serverId: id,
        concurrencies: [4],
        tokens: MAX_TOKENS,
      });
      expect(row).toMatchObject({ concurrency: 4, requests: 8, failures: 0, failureReason: null });
      expect(row?.tokensPerSecond).toBeGreaterThan(0);
      expect(row?.firstTokenMs?.median).toBeGreaterThan(0);
      const { metrics } = await eventually('its numbers', async () => {
        const view = await server(id);
        // A rate takes two looks.
        return view.metrics?.running === 0 && view.metrics.tokensPerSecond !== null ? view : null;
      });
      expect(metrics).toMatchObject({ running: 0, waiting: 0 });
    });

    it('answers a search by two models, whose table is of scale own', { timeout: PATIENCE_MS }, async () => {
      const tests = [{ kind: 'stdin', input: '1\n', expected: '1\n' }];
      const problem = { id: 'echo', statement: 'Print the line.', publicTests: tests, privateTests: tests };
      const file = join(bench.dataDir, 'problems.jsonl');
      await writeFile(file, `${JSON.stringify(problem)}\n`);
      await bench.ask('import.benchmark', { path: file, format: 'workbench', id: 'echo' });
      const member = (name: string) => ({
        server: launchServer(name),
        sampling: { maxTokens: MAX_TOKENS },
        extraction: 'whole' as const,
      });
      const team = teamOfMembers(NAMES.map(member));
      const alone = teamOfMembers([member('small')]);
      if (team === null || alone === null) throw new Error('No team');
      const { studyId } = await bench.ask('study.create', {
        ...{ name: 'Two random models', benchmarkId: 'echo', seeds: [1] },
        configurations: [
          { configuration: 'single', team: alone },
          { configuration: 'heterogeneous', team },
        ],
        search: {
          ...PLAIN_SEARCH,
          strategy: { kind: 'ab-mcts-a', beliefs: 'gaussian', selection: 'thompson' },
          ...{ nodes: 6, batch: 2, score: 'fraction', tie: 'earliest' },
          samplesPerAgent: 2,
        },
      });
      await bench.ask('study.start', { studyId });
      const view = await bench.endedStudy(studyId);
      expect(view).toMatchObject({ state: { kind: 'finished' }, study: { scale: 'own' } });
      const path = join(bench.dataDir, 'nodes.csv');
      await bench.ask('export.write', { studyId, kind: 'nodes', path });
      const [head = '', ...lines] = (await readFile(path, 'utf8')).trim().split(/\r?\n/);
      const agents = lines.map((line) => line.split(',')[head.split(',').indexOf('agent')]);
      expect(new Set(agents)).toEqual(new Set(NAMES));
    });

    it('continues a function as plain text, and only a benchmark of functions', {
      timeout: PATIENCE_MS,
    }, async () => {
      const starterCode = 'def echo(x):\n    """Gives x."""\n';
      const test = { kind: 'check', source: 'assert echo(1) == 1' };
      const file = join(bench.dataDir, 'functions.jsonl');
      const problem = { id: 'f', statement: 'Complete it.', starterCode, entryPoint: 'echo' };
      await writeFile(file, `${JSON.stringify({ ...problem, publicTests: [test], privateTests: [test] })}\n`);
      await bench.ask('import.benchmark', { path: file, format: 'workbench', id: 'functions' });
      const team = teamOfMembers([
        {
          server: launchServer('small'),
          sampling: { maxTokens: MAX_TOKENS },
          promptFormat: { kind: 'completion' },
        },
      ]);
      if (team === null) throw new Error('No team');
      const order = {
        ...{ name: 'Completion', benchmarkId: 'functions', seeds: [1] },
        configurations: [{ configuration: 'base', team }],
        search: {
          ...PLAIN_SEARCH,
          ...{ strategy: { kind: 'repeated' as const }, nodes: 3, batch: 1, samplesPerAgent: 0 },
          ...{ score: 'fraction' as const, tie: 'earliest' as const },
        },
      };
      await expect(bench.ask('study.create', { ...order, benchmarkId: 'echo' })).rejects.toThrow(
        /needs a function to complete, and echo of echo has none/,
      );
      const { studyId } = await bench.ask('study.create', order);
      await bench.ask('study.start', { studyId });
      expect(await bench.endedStudy(studyId)).toMatchObject({ state: { kind: 'finished' } });
      const runId = `${studyId}.0.1`;
      const events = await bench.ask('run.events', { runId });
      const nodes = events.filter((event) => event.kind === 'node-added');
      expect(nodes).toHaveLength(3);
      // The tokens are bytes, a space is a sign of three; a chat template would add its own.
      const mostTokens = 1 + Buffer.byteLength(` ${starterCode}`.replaceAll(' ', '\u2581'));
      for (const { index, promptTokens } of nodes) {
        expect(promptTokens).toBeLessThanOrEqual(mostTokens);
        const place = { runId, problemId: 'f', part: 'search' as const, index };
        const { prompt, promptIsExact, program, answer } = await bench.ask('node.read', place);
        expect([prompt, promptIsExact]).toEqual([[{ role: 'user', content: starterCode }], true]);
        expect(program === null || (starterCode + answer).startsWith(program)).toBe(true);
      }
    });

    it('keeps its stages and their times when the workbench opens again', {
      timeout: PATIENCE_MS,
    }, async () => {
      const before = await launched('small');
      bench = await bench.reopened();
      expect((await settled(before.id)).stages).toEqual(before.stages);
    });

    it('is started again after kill -9, and stops when it is told to', { timeout: PATIENCE_MS }, async () => {
      const { id, pid } = await launched('small');
      process.kill(pid ?? 0, 'SIGKILL');
      const again = await settled(id, (view) => view.pid !== null && view.pid !== pid);
      expect(again.state.kind).toBe('ready');
      await bench.ask('server.stop', { serverId: id });
      await eventually('its end', async () => (await server(id)).state.kind === 'stopped' || null);
      await eventually('the end of its process', () => !isAlive(again.pid ?? 0) || null);
    });

    it('says of a file that is no model what is wrong with it', { timeout: PATIENCE_MS }, async () => {
      await writeFile(join(bench.dataDir, 'broken.gguf'), 'This is a letter.');
      await bench.ask('launch.save', launchOf('broken'));
      const { state, diagnosis } = await launched('broken');
      expect(state.kind).toBe('failed');
      expect(diagnosis?.cause).toMatch(/damaged|not a GGUF file/);
    });
  },
);
