import { type Random, randomStream } from '../../../main/base/index';
import { OPERATIONS, renderProgram } from '../../../main/pocket/index';
import type {
  Decision,
  NodeAdded,
  NodeGraded,
  RunConfig,
  Study,
  TestResult,
  Verdict,
} from '../../../preload/contract/index';
import { PLAIN_SEARCH } from '../../../preload/contract/plans/index';

export type Size = { readonly configurations: number; readonly problems: number; readonly nodes: number };

const PUBLIC_TESTS = 3;
const PRIVATE_TESTS = 12;
const AGENTS = ['solver', 'refiner'] as const;
const WRONG: readonly Verdict[] = ['wrong-answer', 'runtime-error', 'time-limit', 'no-code'];

/** A study as large as those of the papers; nothing of it was ever run. */
export function largeStudy(
  { configurations, nodes }: Size,
  benchmark: { readonly id: string; readonly digest: string; readonly problemIds: readonly string[] },
): Study {
  const runs = Array.from({ length: configurations }, (_, i): RunConfig => {
    const configuration = `configuration ${String(i + 1).padStart(2, '0')}`;
    return {
      id: `bench.c${i + 1}.1`,
      configuration,
      team: {
        kind: 'homogeneous',
        servers: [
          {
            kind: 'pocket',
            id: 's',
            model: `model-${i}`,
            family: 'reader',
            checkpointSeed: 1,
            latencyMs: 0,
            maxInFlight: 16,
          },
        ],
        agents: AGENTS.map((id) => ({
          id,
          name: id,
          serverId: 's',
          role: null,
          sampling: { temperature: 1, topP: 1, maxTokens: 1024 },
          extraction: 'last-fence',
        })),
      },
      benchmarkId: benchmark.id,
      benchmarkDigest: benchmark.digest,
      problemIds: [...benchmark.problemIds],
      search: {
        ...PLAIN_SEARCH,
        strategy: { kind: 'ab-mcts-a', beliefs: 'beta', selection: 'thompson', depthGuidance: null },
        nodes,
        batch: 1,
        score: 'all',
        tie: 'latest',
        samplesPerAgent: 0,
      },
      seed: 1,
      scale: 'pocket',
    };
  });
  return {
    id: 'bench',
    name: 'A large study',
    createdAt: '2026-01-01T00:00:00.000Z',
    scale: 'pocket',
    runs,
  };
}

type Written = { readonly program: string; readonly answer: string; readonly digest: string };

/** Programs of the pocket renderer, some chained to the length that a language model's answers have. */
function writtenPrograms(count: number): Written[] {
  const random = randomStream('bench', 'programs');
  const finals = OPERATIONS.flatMap((operation, i) => (operation.final ? [i] : []));
  const steps = OPERATIONS.flatMap((operation, i) => (operation.final ? [] : [i]));
  return Array.from({ length: count }, () => {
    const length = 16 + random.integer(24);
    const chain = Array.from({ length }, () => steps[random.integer(steps.length)] ?? 0);
    const program = renderProgram([...chain, finals[random.integer(finals.length)] ?? 0], 'stdin');
    const operations = chain.map((step) => OPERATIONS[step]?.name ?? '').join(', then ');
    const answer = `The list is read first; then ${length} steps follow, each on the result of the one before: ${operations}.\n\n\`\`\`python\n${program}\`\`\`\n`;
    return {
      program,
      answer,
      digest: random
        .integer(2 ** 31)
        .toString(16)
        .padStart(16, '0'),
    };
  });
}

function resultOf(verdict: Verdict, random: Random): TestResult {
  return {
    verdict,
    actual: verdict === 'passed' ? null : `${random.integer(1000)} ${random.integer(1000)}\n`,
    error: verdict === 'runtime-error' ? 'IndexError: list index out of range\n  line 7, in <module>' : null,
    cpuMs: 10 + random.integer(20),
    wallMs: 12 + random.integer(30),
  };
}

/** As AB-MCTS-A with two agents tells them: a question or two a level, with what every option got. */
function decisions(parent: number, index: number, random: Random): Decision[] {
  const children = Math.min(6, index);
  const decisionOn = (node: number, question: Decision['question'], options: string[]): Decision => ({
    node,
    question,
    measure: 'draw',
    options,
    values: options.map(() => random.uniform()),
    chosen: random.integer(options.length),
  });
  const widen = decisionOn(-1, 'widen', ['generate', 'proceed']);
  const agent = decisionOn(parent, 'agent', [...AGENTS.map((id) => `agent:${id}`)]);
  if (parent === -1) return [widen, agent];
  const child = decisionOn(
    -1,
    'child',
    Array.from({ length: Math.max(1, children) }, (_, i) => `child:${i}`),
  );
  return [widen, child, decisionOn(parent, 'widen', ['generate', 'proceed']), agent];
}

/** Makes the two events of one node; the texts come from a stock, so that making them is no part of what is timed. */
export function nodeMaker(): (
  run: RunConfig,
  problemId: string,
  index: number,
) => { readonly added: NodeAdded; readonly graded: NodeGraded } {
  const stock = writtenPrograms(3_000);
  const random = randomStream('bench', 'nodes');
  const solvable = new Map<string, number>();
  return (run, problemId, index) => {
    const key = `${run.id} ${problemId}`;
    const chance = solvable.get(key) ?? random.uniform() ** 3 / 4;
    solvable.set(key, chance);
    const { program, answer, digest } = stock[random.integer(stock.length)] as Written;
    const passes = random.uniform() < chance;
    const wrong = WRONG[random.integer(WRONG.length)] ?? 'wrong-answer';
    const hasCode = passes || wrong !== 'no-code';
    const publicVerdicts = hasCode
      ? Array.from({ length: PUBLIC_TESTS }, (_, i) => (passes || i === 0 ? 'passed' : wrong))
      : [];
    const right = passes && random.uniform() < 0.85;
    const privateVerdicts = hasCode
      ? Array.from({ length: PRIVATE_TESTS }, (_, i): Verdict => (right || i < 5 ? 'passed' : 'wrong-answer'))
      : [];
    const parent = index === 0 || random.uniform() < 0.35 ? -1 : random.integer(index);
    const where = { problemId, part: 'search', at: 1_767_225_600_000 + index } as const;
    const publicVerdict = passes ? 'passed' : wrong;
    const privateVerdict = right ? 'passed' : hasCode ? 'wrong-answer' : 'no-code';
    return {
      added: {
        kind: 'node-added',
        ...where,
        index,
        trial: index,
        parent,
        agentId: AGENTS[random.integer(AGENTS.length)] ?? 'solver',
        score: passes ? 1 : 0,
        publicVerdict,
        publicVerdicts,
        generationSeed: random.integer(2 ** 31),
        programDigest: hasCode ? digest : null,
        promptTokens: 200 + random.integer(400),
        completionTokens: 100 + random.integer(400),
        answerEnd: 'stop',
        generateMs: 900 + random.integer(4000),
        gradeMs: 40 + random.integer(400),
        detail: {
          answer,
          program: hasCode ? program : null,
          promptDigest: digest,
          publicGrade: {
            verdict: publicVerdict,
            results: publicVerdicts.map((verdict) => resultOf(verdict, random)),
          },
          why: decisions(parent, index, random),
        },
      },
      graded: {
        kind: 'node-graded',
        ...where,
        index,
        privateVerdict,
        privateVerdicts,
        detail: {
          privateGrade: {
            verdict: privateVerdict,
            results: privateVerdicts.map((verdict) => resultOf(verdict, random)),
          },
        },
      },
    };
  };
}
