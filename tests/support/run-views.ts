import { foldRun, type RunConfig, type RunEvent, type RunView, type Verdict } from '../../preload/contract';
import { configWith } from './search-fixture';

/** One candidate in short: public score, private verdict, agent; the parent does not matter to the metrics. */
export type Candidate = {
  readonly score: number;
  readonly verdict: Verdict;
  readonly agentId?: string;
  readonly digest?: string | null;
};

export type ProblemTrees = {
  readonly search?: readonly Candidate[];
  readonly samples?: readonly Candidate[];
  /** Only so many nodes of the search are graded. */
  readonly graded?: number;
};

/** p: passes all tests; l: looks right (public tests only); w: wrong; f: the sandbox failed on the private tests. */
export function candidates(letters: string, agentId = 'a'): Candidate[] {
  const kinds: Record<string, Candidate> = {
    p: { score: 1, verdict: 'passed' },
    l: { score: 1, verdict: 'wrong-answer' },
    w: { score: 0, verdict: 'wrong-answer' },
    f: { score: 1, verdict: 'sandbox-fault' },
  };
  return [...letters].map((letter) => ({ ...(kinds[letter] as Candidate), agentId }));
}

function treeEvents(
  problemId: string,
  part: 'search' | 'samples',
  nodes: readonly Candidate[],
  graded: number,
): RunEvent[] {
  const where = { at: 0, problemId, part };
  const events: RunEvent[] = nodes.map((node, index) => {
    const publicVerdict: Verdict = node.score === 1 ? 'passed' : 'wrong-answer';
    return {
      kind: 'node-added',
      ...where,
      index,
      trial: index,
      parent: -1,
      agentId: node.agentId ?? 'a',
      score: node.score,
      publicVerdict,
      publicVerdicts: [publicVerdict],
      generationSeed: 0,
      programDigest: node.digest === undefined ? `${index}` : node.digest,
      promptTokens: 0,
      completionTokens: 0,
      generateMs: 0,
      gradeMs: 0,
    };
  });
  events.push({ kind: 'tree-searched', ...where, reason: 'budget' });
  for (const [index, node] of nodes.slice(0, graded).entries()) {
    const { verdict } = node;
    events.push({
      kind: 'node-graded',
      ...where,
      index,
      privateVerdict: verdict,
      privateVerdicts: [verdict],
    });
  }
  return events;
}

/** The view of a run with these trees; problems are named in the order of the record. */
export function runViewOf(
  problems: Readonly<Record<string, ProblemTrees>>,
  changes: Partial<RunConfig> = {},
): RunView {
  const config: RunConfig = { ...configWith(), problemIds: Object.keys(problems), ...changes };
  const events: RunEvent[] = [
    { kind: 'run-started', at: 0, journalVersion: 1, appVersion: '0', randomVersion: '', config },
  ];
  for (const [problemId, { search, samples, graded }] of Object.entries(problems)) {
    if (search !== undefined)
      events.push(...treeEvents(problemId, 'search', search, graded ?? search.length));
    if (samples !== undefined) events.push(...treeEvents(problemId, 'samples', samples, samples.length));
  }
  return foldRun(null, events) as RunView;
}
