import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  isFaultVerdict,
  type NodeAdded,
  type NodeGraded,
  PLAIN_SEARCH,
  type Team,
} from '../../preload/contract';
import { homogeneousTeam, launchServer, singleTeam } from '../../preload/contract/plans';
import { buildWorkbench } from '../support/built-workbench';
import { installLlamaCpp, isWithinReach } from '../support/llama-cpp';
import { hasSharedData, SHARED_DATA } from '../support/shared-samples';
import { openWorkbenchBench, type WorkbenchBench } from '../support/workbench-bench';

const PATIENCE_MS = 1_200_000;
/** Those with the shortest statements: the model repeats them, and a processor reads some 150 tokens a second. */
const PROBLEMS = 4;
const MAX_TOKENS = 48;

const isThere = hasSharedData && isWithinReach('requirements.txt') && isWithinReach('model-requirements.txt');

/** A real language model of real weights, on real problems, as a user brings both. */
describe.skipIf(!isThere)('HumanEval by SmolLM2-135M (needs ../shared/data and a package index)', () => {
  let bench: WorkbenchBench;
  let single: Team;
  let twoRoles: Team;
  let entryPoints: ReadonlyMap<string, string>;
  let studyId: string;

  beforeAll(async () => {
    bench = await openWorkbenchBench(await buildWorkbench(), []);
    const { launchId } = await installLlamaCpp(bench, true);
    const launch = (await bench.ask('launch.list', {})).find(({ id }) => id === launchId);
    if (launch === undefined) throw new Error('The model brought no launch');
    // One answer at a time, by one thread: the same numbers in the same order, also beside other work.
    await bench.ask('launch.save', { ...launch, extraArguments: '--threads 1 --parallel 1' });
    // Greedy, and each prompt read as if it were the first.
    const sampling = { temperature: 0, topP: 1, maxTokens: MAX_TOKENS, extra: { cache_prompt: false } };
    const greedy = (team: Team) => ({
      ...team,
      agents: team.agents.map((agent) => ({ ...agent, sampling })),
    });
    single = greedy(singleTeam(launchServer(launch.id, launch.model)));
    twoRoles = greedy(homogeneousTeam(launchServer(launch.id, launch.model)));
    const text = gunzipSync(await readFile(join(SHARED_DATA, 'humaneval/HumanEval.jsonl.gz'))).toString();
    const rows: { task_id: string; prompt: string; entry_point: string }[] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const shortest = rows.sort((a, b) => a.prompt.length - b.prompt.length).slice(0, PROBLEMS);
    entryPoints = new Map(shortest.map((row) => [row.task_id, row.entry_point]));
    const path = join(bench.dataDir, 'HumanEval.jsonl');
    await writeFile(path, shortest.map((row) => JSON.stringify(row)).join('\n'));
    await bench.ask('import.benchmark', { path, format: 'humaneval', id: 'humaneval' });
  }, PATIENCE_MS);
  afterAll(() => bench?.dispose());

  const search = async (
    configurations: { configuration: string; team: Team; search?: object }[],
    problems: number,
  ) => {
    const created = await bench.ask('study.create', {
      ...{ name: 'HumanEval', benchmarkId: 'humaneval', problems, seeds: [1], configurations },
      search: {
        ...PLAIN_SEARCH,
        strategy: { kind: 'repeated' },
        ...{ nodes: 1, batch: 1, score: 'fraction', tie: 'earliest', samplesPerAgent: 0 },
      },
    });
    await bench.ask('study.start', created);
    return bench.endedStudy(created.studyId);
  };
  const nodesOf = async (runId: string): Promise<readonly NodeAdded[]> =>
    (await bench.ask('run.events', { runId })).filter((event) => event.kind === 'node-added');
  const detailOf = (runId: string, { problemId, part, index }: NodeAdded) =>
    bench.ask('node.read', { runId, problemId, part, index });

  it('finishes as a single agent and as two roles, at desk scale', { timeout: PATIENCE_MS }, async () => {
    const view = await search(
      [
        { configuration: 'single', team: single },
        { configuration: 'two roles', team: twoRoles, search: { strategy: { kind: 'refine' }, nodes: 2 } },
      ],
      PROBLEMS,
    );
    studyId = view.study.id;
    expect(view).toMatchObject({ state: { kind: 'finished' }, study: { scale: 'desk' } });
    const { rows, sentences } = await bench.ask('study.analysis', { studyId });
    expect(rows.map(({ configuration, scale }) => [configuration, scale])).toEqual([
      ['single', 'desk'],
      ['two roles', 'desk'],
    ]);
    expect(sentences.at(-1)).toContain('small language models (SmolLM2-135M-Instruct Q4_1)');
    const path = join(bench.dataDir, 'table.csv');
    await bench.ask('export.write', { studyId, kind: 'table', path });
    const [head = '', ...lines] = (await readFile(path, 'utf8')).trim().split(/\r?\n/);
    const column = head.split(',').indexOf('scale');
    expect(new Set(lines.map((line) => line.split(',')[column]))).toEqual(new Set(['desk']));
  });

  it.each([
    ['single', 0, 1],
    ['two roles', 1, 2],
  ])('has a verdict of every program of %s, from which its table is made', async (_name, run, perTree) => {
    const runId = `${studyId}.${run}.1`;
    const nodes = await nodesOf(runId);
    expect(nodes).toHaveLength(PROBLEMS * perTree);
    const graded = (await bench.ask('run.events', { runId })).filter(
      (event): event is NodeGraded => event.kind === 'node-graded',
    );
    const verdictOf = ({ problemId, index }: NodeAdded) =>
      graded.find((event) => event.problemId === problemId && event.index === index);
    for (const node of nodes) {
      const verdict = verdictOf(node);
      expect(verdict === undefined || isFaultVerdict(verdict.privateVerdict)).toBe(false);
      expect([verdict?.privateVerdict === 'no-code', verdict?.privateVerdicts.length]).toEqual(
        node.programDigest === null ? [true, 0] : [false, 1],
      );
    }
    expect(nodes.filter(({ programDigest }) => programDigest !== null).length).toBeGreaterThan(0);
    const solved = new Set(
      nodes.filter((node) => verdictOf(node)?.privateVerdict === 'passed').map(({ problemId }) => problemId),
    );
    const { rows } = await bench.ask('study.analysis', { studyId });
    const passN = rows[run]?.cells.find(({ metric }) => metric === 'pass@n');
    expect([passN?.value, passN?.problems]).toEqual([solved.size / PROBLEMS, PROBLEMS]);
  });

  it('writes the functions that are asked for, and counts its tokens', async () => {
    const runIds = [`${studyId}.0.1`, `${studyId}.1.1`];
    const nodes = (await Promise.all(runIds.map(nodesOf))).flat();
    const details = await Promise.all(
      runIds.map(async (runId) => Promise.all((await nodesOf(runId)).map((node) => detailOf(runId, node)))),
    );
    const named = details.flat().filter(({ answer }, at) => {
      const entryPoint = entryPoints.get(nodes[at]?.problemId ?? '');
      return answer.includes(`def ${entryPoint}(`);
    });
    // Random weights, or a template that is not the model's, would name none of them.
    expect(named.length).toBeGreaterThan(nodes.length / 2);
    for (const { completionTokens, answerEnd } of nodes) {
      expect(completionTokens).toBeGreaterThan(0);
      if (answerEnd === 'length') expect(completionTokens).toBe(MAX_TOKENS);
      else expect(completionTokens).toBeLessThanOrEqual(MAX_TOKENS);
    }
  });

  it('asks each role in its own words, the second about the program of the first', async () => {
    const first = new Map((await nodesOf(`${studyId}.0.1`)).map((node) => [node.problemId, node]));
    const runId = `${studyId}.1.1`;
    const nodes = await nodesOf(runId);
    const more = new Set<number>();
    for (const node of nodes) {
      const { prompt, parentProgram, promptIsExact } = await detailOf(runId, node);
      const role = twoRoles.agents[node.index]?.role;
      expect([node.agentId, prompt[0], promptIsExact]).toEqual([
        twoRoles.agents[node.index]?.id,
        { role: 'system', content: role?.systemPrompt },
        true,
      ]);
      if (node.index === 0) {
        more.add(node.promptTokens - (first.get(node.problemId)?.promptTokens ?? 0));
      } else if (parentProgram !== null) {
        expect(prompt.at(-1)?.content).toContain(parentProgram.trim());
      }
    }
    // The template's own system prompt and the role's differ by as many tokens, whatever the problem.
    expect(more.size).toBe(1);
    expect(more).not.toContain(0);
  });

  it("fills two rows of a paper's table, which name it in the place of the paper's model", async () => {
    const row = (configurationId: string, configuration: string) => ({ configurationId, configuration });
    const filled = [row('single-base', 'single'), row('homogeneous-base', 'two roles')];
    const fill = { exhibitId: 'scaling-law', studyId, filled };
    const { exhibit, result } = await bench.ask('exhibit.fill', fill);
    const { rows } = await bench.ask('study.analysis', { studyId });
    const measured = rows.map(({ cells }) => cells.find(({ metric }) => metric === 'pass@n')?.value);
    const passN = result.cells.filter(({ column }) => column === 'pass-n');
    expect([result.scale, passN.map(({ ours }) => ours?.value)]).toEqual(['desk', measured]);
    expect(result.sentences[0]).toContain('SmolLM2-135M-Instruct Q4_1 in the place of Nemotron-32B');
    expect(passN[0]?.notComparable.join(' ')).toMatch(
      /^Desk scale: .*covers 4 problems; the exhibit has 175/,
    );
    expect(exhibit.rows).toHaveLength(2);
    const path = join(bench.dataDir, 'exhibit.csv');
    const order = { source: { kind: 'filled-exhibit' as const, fill }, format: 'csv' as const };
    await bench.ask('report.write', { request: order, path });
    const lines = (await readFile(path, 'utf8')).trim().split(/\r?\n/);
    expect(lines).toHaveLength(3);
    for (const line of lines.slice(1))
      expect(line).toContain(',SmolLM2-135M-Instruct Q4_1,Nemotron-32B,1,1,desk,');
  });

  it('writes the same again', { timeout: PATIENCE_MS }, async () => {
    const again = await search([{ configuration: 'single', team: single }], 1);
    const textsOf = async (runId: string) =>
      new Map(
        await Promise.all(
          (await nodesOf(runId)).map(
            async (node) => [node.problemId, (await detailOf(runId, node)).answer] as const,
          ),
        ),
      );
    const texts = await textsOf(`${again.study.id}.0.1`);
    const before = await textsOf(`${studyId}.0.1`);
    expect(texts.size).toBe(1);
    for (const [problemId, text] of texts) expect(text).toBe(before.get(problemId));
  });
});
