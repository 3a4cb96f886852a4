import type { NodeAdded, NodeGraded, RunConfig, RunEvent } from '../../../preload/contract';
import { PLAIN_SEARCH } from '../../../preload/contract';

const config: RunConfig = {
  id: 'run-1',
  configuration: 'single',
  team: {
    kind: 'single',
    servers: [{ kind: 'recorded', id: 's', model: 'm', recordingId: 'r', latencyMs: 0, maxInFlight: 1 }],
    agents: [
      {
        id: 'a',
        name: 'Agent',
        serverId: 's',
        role: null,
        sampling: { temperature: 1, topP: 1, maxTokens: 256 },
        extraction: 'whole',
      },
    ],
  },
  benchmarkId: 'b',
  benchmarkDigest: '00',
  problemIds: ['p/1', 'p/2'],
  search: {
    ...PLAIN_SEARCH,
    strategy: { kind: 'ab-mcts-a', beliefs: 'gaussian', selection: 'thompson', depthGuidance: null },
    nodes: 60,
    batch: 1,
    score: 'fraction',
    tie: 'earliest',
    samplesPerAgent: 0,
  },
  seed: 1,
  scale: 'pocket',
};

export function runStarted(): RunEvent {
  return {
    kind: 'run-started',
    at: 0,
    journalVersion: 1,
    appVersion: '0.0.0',
    randomVersion: 'r',
    config,
  };
}

const result = { verdict: 'passed', actual: 'é\u2028"\n', error: null, cpuMs: 1, wallMs: 2 } as const;

/** About `programBytes` on disk; the text has quotes, newlines and characters of several bytes in it. */
export function nodeAdded(index: number, problemId = 'p/1', programBytes = 900): NodeAdded {
  const program = `print("né ${index} \u{1f600}")\n`.repeat(Math.ceil(programBytes / 20));
  return {
    kind: 'node-added',
    at: index,
    problemId,
    part: 'search',
    index,
    trial: index,
    parent: index - 1,
    agentId: 'a',
    score: 0.5,
    publicVerdict: 'wrong-answer',
    publicVerdicts: ['passed', 'wrong-answer'],
    generationSeed: index,
    programDigest: '0123456789abcdef',
    promptTokens: 10,
    completionTokens: 20,
    generateMs: 1,
    gradeMs: 2,
    detail: {
      answer: `an answer with {"detail":{}} in it, ${index}`,
      program,
      promptDigest: 'fedcba9876543210',
      publicGrade: { verdict: 'wrong-answer', results: [result, { ...result, verdict: 'wrong-answer' }] },
    },
  };
}

export function nodeGraded(index: number, problemId = 'p/1'): NodeGraded {
  return {
    kind: 'node-graded',
    at: index,
    problemId,
    part: 'search',
    index,
    privateVerdict: 'passed',
    privateVerdicts: ['passed'],
    detail: { privateGrade: { verdict: 'passed', results: [result] } },
  };
}
