import type { RunConfig, RunEvent, RunView } from '../../preload/contract/index';
import { foldRun, PLAIN_SEARCH, pocketServer, singleTeam } from '../../preload/contract/index';

/** A run of made-up verdicts, small enough to know every number by heart. */
export function sampleConfig(change: Partial<RunConfig> = {}): RunConfig {
  return {
    id: 'study.single.1',
    configuration: 'single',
    team: singleTeam(pocketServer('reader', { checkpointSeed: 1, latencyMs: 0 })),
    benchmarkId: 'pocket',
    benchmarkDigest: 'd',
    problemIds: ['p0', 'p1'],
    search: {
      ...PLAIN_SEARCH,
      strategy: { kind: 'ab-mcts-a', beliefs: 'beta', selection: 'thompson', depthGuidance: null },
      nodes: 2,
      batch: 1,
      score: 'fraction',
      tie: 'latest',
      samplesPerAgent: 0,
    },
    seed: 1,
    scale: 'pocket',
    ...change,
  };
}

export function sampleNode(
  problemId: string,
  index: number,
  change: Partial<Extract<RunEvent, { kind: 'node-added' }>> = {},
): RunEvent {
  return {
    kind: 'node-added',
    at: 1_000 + index,
    problemId,
    part: 'search',
    index,
    trial: index,
    parent: -1,
    agentId: 'reader',
    score: 0,
    publicVerdict: 'wrong-answer',
    publicVerdicts: ['wrong-answer'],
    generationSeed: 5,
    programDigest: `digest-${index}`,
    promptTokens: 10,
    completionTokens: 20,
    generateMs: 3,
    gradeMs: 4,
    ...change,
  };
}

export function sampleGrade(problemId: string, index: number, passed: boolean): RunEvent {
  const verdict = passed ? 'passed' : 'wrong-answer';
  return {
    kind: 'node-graded',
    at: 2_000,
    problemId,
    part: 'search',
    index,
    privateVerdict: verdict,
    privateVerdicts: [verdict],
  };
}

export function sampleView(config: RunConfig, events: readonly RunEvent[]): RunView {
  const started: RunEvent = {
    kind: 'run-started',
    at: 1,
    journalVersion: 1,
    appVersion: '0',
    randomVersion: 'r',
    config,
  };
  const view = foldRun(null, [started, ...events]);
  if (view === null) throw new Error('A run that was started has a view');
  return view;
}
