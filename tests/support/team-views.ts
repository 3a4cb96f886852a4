import type { RunConfig, RunEvent, RunView, ServerSpec, Team, Verdict } from '../../preload/contract';
import { sampleConfig, sampleGrade, sampleNode, sampleView } from './sample-run';

/**
 * A node in short: agent, parent and verdict. p: passes everything; l: passes the public tests only; w: nothing; h:
 * passes the private tests alone, so that it is never chosen over an l; f: looks right, and the sandbox failed.
 */
export type ShortNode = readonly [agentId: string, parent: number, verdict: 'p' | 'l' | 'w' | 'h' | 'f'];

/** Finished search trees of a run; tokens of node i: 10 * (i + 1) read and 1 written. */
export function treesOf(
  problems: Readonly<Record<string, readonly ShortNode[]>>,
  change: Partial<RunConfig> = {},
): RunView {
  const config = sampleConfig({
    problemIds: Object.keys(problems),
    search: { ...sampleConfig().search, nodes: 8, ...change.search },
    ...change,
  });
  const events = Object.entries(problems).flatMap(([problemId, nodes]): RunEvent[] => [
    ...nodes.map(([agentId, parent, verdict], index) => {
      const good = verdict === 'p' || verdict === 'l' || verdict === 'f';
      return sampleNode(problemId, index, {
        agentId,
        parent,
        score: good ? 1 : 0,
        publicVerdict: good ? 'passed' : 'wrong-answer',
        publicVerdicts: [good ? 'passed' : 'wrong-answer'],
        promptTokens: 10 * (index + 1),
        completionTokens: 1,
        generateMs: 1_000,
        gradeMs: 100,
      });
    }),
    { kind: 'tree-searched', at: 0, problemId, part: 'search', reason: 'budget' },
    ...nodes.map(([, , verdict], index): RunEvent => {
      if (verdict !== 'f') return sampleGrade(problemId, index, verdict === 'p' || verdict === 'h');
      const fault: Verdict = 'sandbox-fault';
      return { ...sampleGrade(problemId, index, false), privateVerdict: fault } as RunEvent;
    }),
  ]);
  return sampleView(config, [...events, { kind: 'run-finished', at: 0 }]);
}

/** Agents of these servers, one each; an agent is named as its server, from the second one of a server on with a number. */
export function teamWith(...servers: readonly ServerSpec[]): Team {
  const distinct = [...new Map(servers.map((server) => [server.id, server])).values()];
  const kind = servers.length === 1 ? 'single' : distinct.length === 1 ? 'homogeneous' : 'heterogeneous';
  return {
    kind,
    servers: distinct,
    agents: servers.map(({ id }, at) => {
      const before = servers.slice(0, at).filter((one) => one.id === id).length;
      const name = before === 0 ? id : `${id}-${before + 1}`;
      return {
        id: name,
        name: `Agent ${name}`,
        serverId: id,
        role: null,
        sampling: { temperature: 1, topP: 1, maxTokens: 100 },
        extraction: 'last-fence',
      };
    }),
  };
}

export function urlServerNamed(
  model: string,
  change: { id?: string; maxInFlight?: number } = {},
): ServerSpec {
  return { kind: 'url', id: model, model, baseUrl: 'http://127.0.0.1:1/v1', maxInFlight: 4, ...change };
}

export function launchNamed(model: string, maxInFlight = 4): ServerSpec {
  return { kind: 'launch', id: model, model, launchId: model, maxInFlight };
}
