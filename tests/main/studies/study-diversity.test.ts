import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { randomStream } from '../../../main/base/index';
import { vendiScore } from '../../../main/metrics/index';
import { pocketProblems, renderProgram } from '../../../main/pocket/index';
import { weightCount } from '../../../main/pocket/policy';
import { pocketGradients } from '../../../main/studies/pocket-gradients';
import { type StudyDiversityOptions, studyDiversity } from '../../../main/studies/study-diversity';
import { type DiversityCell, diversitySchema, type RunEvent } from '../../../preload/contract/index';
import { pocketServer, singleTeam } from '../../../preload/contract/plans/index';
import { sampleConfig, sampleGrade, sampleNode, sampleView } from '../../support/sample-run';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Answers every request with what `answer` makes of its path and body; gives the base address. */
async function serverThat(answer: (path: string, body: string) => unknown): Promise<string> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => {
      body += piece.toString();
    });
    request.on('end', () => {
      const found = answer(request.url ?? '', body);
      response.writeHead(found === null ? 500 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(found ?? { error: { message: 'out of order' } }));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`;
}

const counting = 'n = 0\nfor x in xs:\n    n += 1\nprint(n)\n';
const renamed = 'total = 0\nfor item in items:\n    total += 1\nprint(total)\n';
const length = 'print(len(xs))\n';
const broken = 'print(\n';

const config = sampleConfig({
  team: {
    kind: 'single',
    servers: [{ kind: 'url', id: 's', model: 'm', baseUrl: 'http://127.0.0.1:1/v1', maxInFlight: 1 }],
    agents: [],
  },
});

/** p0 is solved by three programs of two algorithms and one that does not parse; p1 by none. */
const programs: Readonly<Record<string, readonly string[]>> = {
  p0: [counting, renamed, length, broken],
  p1: [length, length],
};

function eventsOf(problemId: string): RunEvent[] {
  const own = programs[problemId] ?? [];
  return [
    ...own.map((program, index) =>
      sampleNode(problemId, index, {
        detail: {
          answer: program,
          program,
          promptDigest: '',
          publicGrade: { verdict: 'passed', results: [] },
        },
      }),
    ),
    ...own.map((_, index) => sampleGrade(problemId, index, problemId === 'p0')),
    { kind: 'tree-searched', at: 0, problemId, part: 'search', reason: 'budget' },
  ];
}

function optionsWith(changes: Partial<StudyDiversityOptions> = {}): StudyDiversityOptions {
  return {
    study: { id: 's', runs: [config] },
    views: new Map([[config.id, sampleView(config, ['p0', 'p1'].flatMap(eventsOf))]]),
    treeEvents: async (_, problemId) => eventsOf(problemId),
    judge: { kind: 'structure' },
    similarity: { kind: 'tokens' },
    library: { problems: async () => ({ ok: true, value: [] }) },
    checkpoints: {
      ensure: async () => ({ ok: false, error: { code: 'unavailable', message: 'None here.' } }),
    },
    damage: [],
    progress: () => {},
    signal: new AbortController().signal,
    ...changes,
  };
}

async function diversityOf(changes: Partial<StudyDiversityOptions> = {}) {
  const answer = await studyDiversity(optionsWith(changes));
  if (!answer.ok) throw new Error(answer.error.message);
  expect(diversitySchema.parse(answer.value)).toEqual(answer.value);
  const figure = (measure: DiversityCell['measure'], k: number | null = null) =>
    answer.value.cells.find((cell) => cell.measure === measure && cell.k === k)?.value;
  return { figure, method: answer.value.method };
}

it('says first what is built in where pocket policies of several families are compared', async () => {
  const [reader, tracer] = (['reader', 'tracer'] as const).map((family) =>
    sampleConfig({ team: singleTeam(pocketServer(family, { checkpointSeed: 1, latencyMs: 0 })) }),
  ) as [typeof config, typeof config];
  const runs = (all: readonly (typeof config)[]) => ({ study: { id: 's', runs: [...all] } });
  expect((await diversityOf(runs([reader, tracer]))).method).toMatch(
    /^The families of pocket policies were made to complement each other/,
  );
  expect((await diversityOf(runs([reader]))).method).toMatch(/^Over the search trees/);
});

describe('the diversity of a study', () => {
  it('is judged by structure, from the programs in its journals', async () => {
    const { figure, method } = await diversityOf();
    // Clusters 2, 1 and 1: counting twice, length, and what does not parse.
    expect(figure('ea')).toBeCloseTo(2 ** 0.5 * 4 ** 0.5, 12);
    expect(figure('da@k', 25)).toBe(3);
    expect(figure('aec')).toBeCloseTo((2 ** 0.5 * 4 ** 0.5) / 2, 12);
    expect(figure('distinct')).toBe(0.75);
    expect(figure('g-vendi')).toBeUndefined();
    expect(method).toContain('1 correct program could not be read as Python');
    expect(method).toContain('normalised Python syntax trees');
  });

  it('counts finished problems alone, and says how far it is', async () => {
    const reports: string[] = [];
    const view = sampleView(config, [...eventsOf('p0'), ...eventsOf('p1').slice(0, 2)]);
    const { figure } = await diversityOf({
      views: new Map([[config.id, view]]),
      progress: (done, total) => reports.push(`${done}/${total}`),
    });
    expect(figure('distinct')).toBe(1);
    expect(reports).toEqual(['0/1', '1/1']);
  });

  it('can be judged by a chat model', async () => {
    const requests: string[] = [];
    const baseUrl = await serverThat((_, body) => {
      requests.push(body);
      const content = requests.length === 1 ? 'Hard to tell.' : 'They differ in names. <b>Same</b>';
      return { choices: [{ message: { content } }] };
    });
    const { figure, method } = await diversityOf({ judge: { kind: 'server', baseUrl, model: 'judge-7b' } });
    // The second program is taken for another algorithm, the others for the first one's.
    expect(figure('ea')).toBeCloseTo((4 / 3) ** 0.75 * 4 ** 0.25, 12);
    expect(requests[0]).toContain('judge-7b');
    expect(method).toContain('the model judge-7b, asked "same" or "different"');
    expect(method).toContain('1 answer of the judge said neither, which counts');
  });

  it('can be compared by an embedding server that answers in any order', async () => {
    const baseUrl = await serverThat((path, body) => {
      if (path !== '/v1/embeddings') return null;
      const input: string[] = JSON.parse(body).input;
      const data = input.map((text, index) => ({
        index,
        embedding: text.includes('len') ? [0, 1] : [text.length, 0],
      }));
      return { data: data.reverse() };
    });
    const { figure, method } = await diversityOf({ similarity: { kind: 'server', baseUrl, model: 'e5' } });
    // p0: three of four alike; p1: one program twice.
    expect(figure('vendi')).toBeCloseTo(((4 / 3) ** 0.75 * 4 ** 0.25 + 1) / 2, 10);
    expect(method).toContain('cosine of embeddings by the model e5');
  });

  it('is refused when its model does not answer', async () => {
    const baseUrl = await serverThat(() => null);
    for (const changes of [
      { judge: { kind: 'server', baseUrl, model: 'm' } },
      { similarity: { kind: 'server', baseUrl, model: 'm' } },
    ] as const) {
      const answer = await studyDiversity(optionsWith(changes));
      expect(answer).toMatchObject({ ok: false, error: { code: 'unavailable' } });
      expect(answer.ok ? '' : answer.error.message).toMatch(/ m did not answer\. .*(500|out of order)/);
    }
  });

  it('can be cancelled', async () => {
    const stop = new AbortController();
    const answer = await studyDiversity(
      optionsWith({ signal: stop.signal, progress: (done) => done === 1 && stop.abort() }),
    );
    expect(answer).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  });
});

describe('gradients of a pocket policy', () => {
  const problem = pocketProblems({ split: 'validation', seed: 1, count: 1 })[0];
  const random = randomStream('gradients');
  const policy = {
    family: 'reader',
    seed: 0,
    weights: Float64Array.from({ length: weightCount('reader') }, () => random.normal() * 0.1),
  } as const;
  const style = problem?.entryPoint === null ? 'stdin' : 'call';

  it('distinguish programs of other operations, and leave out what no policy writes', async () => {
    const texts = [renderProgram([0], style), renderProgram([0, 1], style), 'print(1)'];
    const vectors = await pocketGradients(policy, problem?.statement ?? '')?.(texts);
    expect(vectors?.map((vector) => vector === null)).toEqual([false, false, true]);
    const items = (vectors ?? []).flatMap((vector) => (vector === null ? [] : [{ vector, count: 1 }]));
    expect(vendiScore(items)).toBeGreaterThan(1.01);
    expect(vendiScore([...items.slice(0, 1), ...items.slice(0, 1)])).toBeCloseTo(1, 10);
  });

  it('are absent for a problem of another benchmark', () => {
    expect(pocketGradients(policy, 'Sort the array.')).toBeNull();
  });
});
