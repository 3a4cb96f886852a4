import { deriveSeed, failed, ok } from '../../main/base';
import type { Grader } from '../../main/grading';
import type { Generate, GenerationRequest, TreeRunnerOptions } from '../../main/search';
import type {
  Agent,
  Grade,
  Problem,
  RunConfig,
  RunEvent,
  SearchOptions,
  Verdict,
} from '../../preload/contract';
import { PLAIN_SEARCH } from '../../preload/contract';

/** A tiny deterministic setting for the search: the answer depends on the request alone, the grade on the program. */
export function agentNamed(id: string, changes: Partial<Agent> = {}): Agent {
  return {
    id,
    name: id,
    serverId: 'server',
    role: null,
    sampling: { temperature: 1, topP: 1, maxTokens: 100 },
    extraction: 'last-fence',
    ...changes,
  };
}

export function problemWith(changes: Partial<Problem> = {}): Problem {
  return {
    id: 'world/0',
    title: 'Echo',
    statement: 'Print the number that you read.',
    entryPoint: null,
    starterCode: '',
    difficulty: null,
    date: null,
    skills: [],
    publicTests: ['1', '2', '3'].map((text) => ({ kind: 'stdin', input: text, expected: text })),
    privateTests: [{ kind: 'stdin', input: '9', expected: '9' }],
    canonicalProgram: null,
    ...changes,
  };
}

export function configWith(search: Partial<SearchOptions> = {}, agents = ['a', 'b'], seed = 7): RunConfig {
  return {
    id: 'run',
    configuration: 'duo',
    team: {
      kind: 'heterogeneous',
      servers: [{ kind: 'url', id: 'server', model: 'm', baseUrl: 'http://127.0.0.1:1/v1', maxInFlight: 4 }],
      agents: agents.map((id) => agentNamed(id)),
    },
    benchmarkId: 'world',
    benchmarkDigest: '',
    problemIds: ['world/0'],
    search: {
      ...PLAIN_SEARCH,
      strategy: { kind: 'ab-mcts-a', beliefs: 'beta', selection: 'thompson', depthGuidance: null },
      nodes: 12,
      batch: 1,
      score: 'fraction',
      tie: 'latest',
      samplesPerAgent: 4,
      ...search,
    },
    seed,
    scale: 'pocket',
  };
}

/** Writes `print(<quality>)` where the quality, 0 to 3, follows from the request; every seventh answer has no code. */
export const answerOf: Generate = async (request) => {
  const draw = deriveSeed(request.seed, request.agent.id, JSON.stringify(request.messages));
  const answer = draw % 7 === 0 ? 'I do not know.' : `Here:\n\`\`\`python\nprint(${draw % 4})\n\`\`\``;
  return ok({ answer, promptTokens: 10, completionTokens: draw % 50 });
};

export const gradeOf = async (program: string): Promise<Grade> => {
  const quality = Number(/print\((\d)\)/.exec(program)?.[1] ?? 0);
  const verdicts = [0, 1, 2].map((test): Verdict => (test < quality ? 'passed' : 'wrong-answer'));
  const results = verdicts.map((verdict) => ({ verdict, actual: null, error: null, cpuMs: 1, wallMs: 1 }));
  return { verdict: quality >= 3 ? 'passed' : 'wrong-answer', results };
};

const FAILED_TEST = { verdict: 'wrong-answer', actual: null, error: null, cpuMs: 0, wallMs: 0 } as const;

/** Runs nothing: the quality that a program prints decides, by `gradeOf`. */
export const qualityGrader: Grader = {
  isolation: 'sandbox',
  python: 'none',
  choice: { path: '/none', reason: '' },
  packages: [],
  cpuFactor: 1,
  health: () => ({ kind: 'good' }),
  grade: async ({ program, tests }) => {
    const { verdict, results } = await gradeOf(program ?? '');
    return ok({ verdict, results: tests.map((_, at) => results[at % results.length] ?? FAILED_TEST) });
  },
  statistics: () => ({ queued: 0, running: 0, graded: 0, faults: 0, together: 0 }),
  dispose: async () => undefined,
};

/** Not SHA-256, but 16 hex digits that differ between texts. */
export function digestOf(text: string): string {
  const half = (salt: string) => deriveSeed(salt, text).toString(16).padStart(8, '0');
  return half('first') + half('second');
}

/** An agent with this many samples a tree, as a recording has. */
export function withSamples(samples: Readonly<Record<string, number>>, generate = answerOf): Generate {
  return async (request: GenerationRequest) => {
    const left = samples[request.agent.id] ?? Number.POSITIVE_INFINITY;
    if (request.ordinal >= left)
      return failed({ kind: 'exhausted', message: `No sample ${request.ordinal}` });
    return generate(request);
  };
}

export type RecordedRun = { readonly events: RunEvent[]; readonly options: TreeRunnerOptions };

/** Options of a tree runner with this answer and grade; `events` fills while it runs. */
export function recordingOptions(changes: Partial<TreeRunnerOptions> = {}): RecordedRun {
  const events: RunEvent[] = [];
  let clock = 0;
  const options: TreeRunnerOptions = {
    problem: problemWith(),
    part: 'search',
    config: configWith(),
    recorded: [],
    generate: answerOf,
    grade: gradeOf,
    record: async (event) => {
      events.push(event);
    },
    digest: digestOf,
    now: () => clock++,
    sleep: async () => {},
    stop: { aborted: false },
    ...changes,
  };
  return { events, options };
}

/** The events without what timing decides. */
export function timeless(events: readonly RunEvent[]): unknown[] {
  return events.map((event) =>
    event.kind === 'node-added' ? { ...event, at: 0, generateMs: 0, gradeMs: 0 } : { ...event, at: 0 },
  );
}
