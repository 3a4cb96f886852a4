import { type Random, randomStream } from '../../main/base';
import type {
  Agent,
  Headline,
  NodeView,
  RunConfig,
  RunEvent,
  Study,
  StudyView,
  Team,
  TreePart,
  Verdict,
} from '../../preload/contract';
import { assignHues, configurationsOf, PLAIN_SEARCH } from '../../preload/contract/plans';

/** A made-up study for tests and previews: plausible, seeded, and never run. Nothing of it is a measurement. */
const AT = Date.UTC(2026, 0, 5, 9, 30);

function agent(id: string, serverId: string, role: string | null): Agent {
  return {
    id,
    name: role === null ? serverId : `${serverId} as ${role}`,
    serverId,
    role: role === null ? null : { name: role, systemPrompt: `You are the ${role} of a team.` },
    sampling: { temperature: 1, topP: 1, maxTokens: 2_048 },
    extraction: 'last-fence',
  };
}

function team(kind: Team['kind'], agents: readonly Agent[]): Team {
  const servers = [...new Set(agents.map(({ serverId }) => serverId))];
  return {
    kind,
    agents: [...agents],
    servers: servers.map((id) => ({
      kind: 'pocket',
      id,
      model: `pocket-${id}-base`,
      family: id,
      checkpointSeed: 1,
      latencyMs: 0,
      maxInFlight: 16,
    })),
  };
}

const TEAMS: readonly { readonly configuration: string; readonly team: Team }[] = [
  { configuration: 'single', team: team('single', [agent('reader', 'reader', null)]) },
  {
    configuration: 'homogeneous',
    team: team('homogeneous', [
      agent('reader-solver', 'reader', 'solver'),
      agent('reader-refiner', 'reader', 'refiner'),
    ]),
  },
  {
    configuration: 'heterogeneous',
    team: team('heterogeneous', [agent('reader', 'reader', null), agent('tracer', 'tracer', null)]),
  },
];

export function sampleStudy(
  options: {
    readonly id?: string;
    readonly name?: string;
    readonly problems?: number;
    readonly nodes?: number;
    readonly seeds?: readonly number[];
    readonly createdAt?: string;
  } = {},
): Study {
  const { id = 'study-1', name = 'Quickstart', problems = 60, nodes = 24, seeds = [1] } = options;
  const problemIds = Array.from(
    { length: problems },
    (_, i) => `pocket/test/${String(i + 1).padStart(3, '0')}`,
  );
  const runs = TEAMS.flatMap(({ configuration, team: members }) =>
    seeds.map(
      (seed): RunConfig => ({
        id: `${id}.${configuration}.${seed}`,
        configuration,
        team: members,
        benchmarkId: 'pocket-test-1',
        benchmarkDigest: '0'.repeat(64),
        problemIds,
        search: {
          ...PLAIN_SEARCH,
          strategy: { kind: 'ab-mcts-a', beliefs: 'beta', selection: 'thompson', depthGuidance: null },
          nodes,
          batch: 1,
          score: 'fraction',
          tie: 'latest',
          samplesPerAgent: 4,
        },
        seed,
        scale: 'pocket',
      }),
    ),
  );
  return { id, name, createdAt: options.createdAt ?? new Date(AT).toISOString(), scale: 'pocket', runs };
}

/** A study that has ended, as the list has it. */
export function sampleStudyView(
  options: Parameters<typeof sampleStudy>[0] = {},
  progress: Partial<StudyView['progress']> = {},
): StudyView {
  return {
    study: sampleStudy(options),
    state: { kind: 'finished' },
    hues: assignHues(new Map(), configurationsOf(sampleStudy(options))),
    progress: {
      nodesDone: 5_520,
      nodesTotal: 5_520,
      gradedDone: 5_520,
      problemsDone: 180,
      problemsTotal: 180,
      elapsedMs: 141_000,
      remainingMs: null,
      ...progress,
    },
    warnings: [],
    finishedAt: new Date(AT).toISOString(),
  };
}

export type RunUpdate = { readonly runId: string; readonly event: RunEvent };

let latest: { readonly key: string; readonly events: readonly RunUpdate[] } | null = null;

/**
 * All events of the study in the order in which they would be emitted: runs side by side. Tests of a screen ask for those
 * of one study again and again.
 */
export function sampleEvents(study: Study): readonly RunUpdate[] {
  const key = JSON.stringify(study);
  if (latest?.key !== key) latest = { key, events: madeEvents(study) };
  return latest.events;
}

function madeEvents(study: Study): readonly RunUpdate[] {
  const timeline: RunUpdate[] = [];
  for (const config of study.runs) {
    timeline.push({
      runId: config.id,
      event: {
        kind: 'run-started',
        at: AT,
        journalVersion: 1,
        appVersion: '0.1.0',
        randomVersion: 'sample',
        config,
      },
    });
  }
  // Four problems at a time of each run, node by node, as a search with a limit in flight would go.
  const queues = study.runs.map((run) => [...run.problemIds]);
  let open: { readonly run: RunConfig; readonly events: RunEvent[] }[] = [];
  for (;;) {
    for (const [at, run] of study.runs.entries()) {
      while (open.filter((one) => one.run === run).length < 4) {
        const problemId = queues[at]?.shift();
        if (problemId === undefined) break;
        open.push({ run, events: problemEvents(run, problemId) });
      }
    }
    if (open.length === 0) break;
    for (const { run, events } of open) {
      for (const event of events.splice(0, 2)) timeline.push({ runId: run.id, event });
    }
    open = open.filter(({ events }) => events.length > 0);
  }
  // One after the other, so that no two journals end alike.
  for (const [at, { id }] of study.runs.entries()) {
    timeline.push({ runId: id, event: { kind: 'run-finished', at: AT + at } });
  }
  return timeline;
}

const PUBLIC_TESTS = 2;
const PRIVATE_TESTS = 12;
const WRONG: readonly Verdict[] = [
  'wrong-answer',
  'wrong-answer',
  'wrong-answer',
  'runtime-error',
  'time-limit',
  'no-code',
];

function problemEvents(run: RunConfig, problemId: string): RunEvent[] {
  const random = randomStream('sample', problemId, run.configuration, run.seed);
  const difficulty = randomStream('difficulty', problemId).uniform();
  const { search, team: members } = run;
  return [
    ...treeEvents(
      run,
      problemId,
      'samples',
      search.samplesPerAgent * members.agents.length,
      difficulty,
      random,
    ),
    ...treeEvents(run, problemId, 'search', search.nodes, difficulty, random),
  ];
}

function treeEvents(
  run: RunConfig,
  problemId: string,
  part: TreePart,
  count: number,
  difficulty: number,
  random: Random,
): RunEvent[] {
  const { agents } = run.team;
  const events: RunEvent[] = [];
  const graded: RunEvent[] = [];
  const scores: number[] = [];
  const where = { problemId, part, at: AT };
  for (let index = 0; index < count; index++) {
    const agentAt = part === 'samples' ? index % agents.length : random.integer(agents.length);
    const refined = part === 'search' && scores.length > 0 && random.uniform() < 0.62;
    const parent = refined ? bestOf(scores, random) : -1;
    const parentScore = parent < 0 ? 0 : (scores[parent] ?? 0);
    // Each kind of agent is good at other problems, which is what a heterogeneous team gains by.
    const gift = randomStream('gift', problemId, agents[agentAt]?.serverId ?? '').uniform();
    const chance = Math.max(0.01, 0.32 * gift * (1.25 - difficulty) + 0.12 * parentScore);
    const passes = random.uniform() < chance;
    const score = passes ? 1 : random.uniform() < 0.35 ? 0.5 : 0;
    scores.push(score);
    const wrong = WRONG[random.integer(WRONG.length)] ?? 'wrong-answer';
    const publicVerdicts: Verdict[] = passes
      ? ['passed', 'passed']
      : wrong === 'no-code'
        ? []
        : score > 0
          ? ['passed', wrong]
          : [wrong, wrong];
    events.push({
      kind: 'node-added',
      ...where,
      index,
      trial: index,
      parent,
      agentId: agents[agentAt]?.id ?? '',
      score,
      publicVerdict: passes ? 'passed' : wrong,
      publicVerdicts,
      generationSeed: random.integer(1_000_000),
      programDigest:
        wrong === 'no-code' && !passes ? null : random.integer(60).toString(16).padStart(16, '0'),
      promptTokens: 180 + random.integer(60),
      completionTokens: 40 + random.integer(80),
      generateMs: 4 + random.integer(20),
      gradeMs: 30 + random.integer(40),
    });
    const right = passes && random.uniform() < 0.86;
    graded.push({
      kind: 'node-graded',
      ...where,
      index,
      privateVerdict: right ? 'passed' : passes ? 'wrong-answer' : wrong,
      privateVerdicts: Array.from({ length: PRIVATE_TESTS }, (_, test) =>
        right || (passes && test < PRIVATE_TESTS - 2) ? 'passed' : passes ? 'wrong-answer' : wrong,
      ),
    });
  }
  events.push({ kind: 'tree-searched', ...where, reason: 'budget' });
  return [...events, ...graded];
}

function bestOf(scores: readonly number[], random: Random): number {
  const best = Math.max(...scores);
  const candidates = scores.flatMap((score, index) =>
    score === best || random.uniform() < 0.15 ? [index] : [],
  );
  return candidates[random.integer(candidates.length)] ?? -1;
}

/** A program for a node of the sample, so that the inspector has something to show. */
export function sampleProgram(node: Pick<NodeView, 'index' | 'generationSeed'>): string {
  const factor = 2 + (node.generationSeed % 3);
  return [
    'import sys',
    '',
    '',
    'def solve(xs):',
    `    # attempt ${node.index + 1}`,
    '    ys = sorted(set(xs))',
    `    ys = [${factor} * y for y in ys if y % 2 == 0]`,
    '    total = 0',
    '    for y in ys:',
    '        total = max(total, y)',
    '    return total',
    '',
    '',
    "if __name__ == '__main__':",
    '    print(solve(list(map(int, sys.stdin.read().split()))))',
    '',
  ].join('\n');
}

export const SAMPLE_TEST_COUNTS = { publicTests: PUBLIC_TESTS, privateTests: PRIVATE_TESTS };

/** Rises as Pass@N does, to a level that differs from study to study. */
export function sampleHeadline({ id, runs }: Study): Headline {
  const top = 0.62 + ([...id].reduce((sum, char) => sum + char.charCodeAt(0), 0) % 31) / 100;
  const curve = Array.from({ length: 24 }, (_, at) => top * (1 - Math.exp(-(at + 2) / 6)));
  const value = curve.at(-1) ?? top;
  const configuration = runs.at(-1)?.configuration ?? '';
  return { configuration, value, low: value - 0.09, high: value + 0.06, n: 24, problems: 60, curve };
}
