import { z } from 'zod';
import {
  type NodeView,
  type RunView,
  runConfigSchema,
  type TreeView,
  treeEndSchema,
  treeKey,
  treePartSchema,
  type Verdict,
} from '../../../preload/contract/index';

/** A verdict as one letter; a dot: not graded, or no other verdict. */
const LETTERS = {
  passed: 'p',
  'wrong-answer': 'w',
  'runtime-error': 'r',
  'time-limit': 't',
  'memory-limit': 'm',
  'output-limit': 'o',
  'no-code': 'n',
  'sandbox-fault': 'f',
  'grader-fault': 'g',
  unknown: 'u',
} as const satisfies Record<Verdict, string>;
const VERDICTS: ReadonlyMap<string, Verdict> = new Map(
  Object.entries(LETTERS).map(([verdict, letter]) => [letter, verdict as Verdict]),
);
const ENDS = { stop: 's', length: 'l', empty: 'e' } as const satisfies Record<
  NonNullable<NodeView['answerEnd']>,
  string
>;

const letters = z.string().regex(/^[pwrtmonfgu.]*$/);
/** By hand: of a comparison's hundreds of thousands of numbers a schema a number takes seconds. */
const numbers = z.custom<number[]>(
  (value) => Array.isArray(value) && value.every((item) => typeof item === 'number' && Number.isFinite(item)),
);

const treeColumnsSchema = z.object({
  problemId: z.string(),
  part: treePartSchema,
  searched: treeEndSchema.nullable(),
  failures: z.array(
    z.object({
      trial: z.number(),
      agentId: z.string(),
      reason: z.string(),
      message: z.string(),
      nodes: z.number(),
    }),
  ),
  /** Agents of the tree's nodes, and for each node which of them. */
  agents: z.array(z.string()),
  agent: numbers,
  parent: numbers,
  trial: numbers,
  score: numbers,
  reward: z.array(z.number().nullable()),
  publicVerdict: letters,
  publicVerdicts: z.array(letters),
  privateVerdict: letters,
  privateVerdicts: z.array(letters),
  otherVerdict: letters,
  generationSeed: numbers,
  programDigest: z.array(z.string().nullable()),
  promptTokens: numbers,
  completionTokens: numbers,
  answerEnd: z.string().regex(/^[sle.]*$/),
  generateMs: numbers,
  gradeMs: numbers,
});
type TreeColumns = z.infer<typeof treeColumnsSchema>;

/** A run's view as columns: a tenth of its journal, and read in a fiftieth of the time. */
export const viewColumnsSchema = z.object({
  config: runConfigSchema,
  appVersion: z.string(),
  randomVersion: z.string(),
  finished: z.boolean(),
  trees: z.array(treeColumnsSchema),
});
export type ViewColumns = z.infer<typeof viewColumnsSchema>;

export function columnsOf(view: RunView): ViewColumns {
  const { config, appVersion, randomVersion, finished } = view;
  return { config, appVersion, randomVersion, finished, trees: [...view.trees.values()].map(treeColumns) };
}

/** null where the columns are not equally long, or name what is not there. */
export function viewOfColumns(columns: ViewColumns): RunView | null {
  const { config, appVersion, randomVersion, finished } = columns;
  // Thousands of nodes share a few lists of verdicts; one of each is enough.
  const lists = new Map<string, readonly Verdict[]>();
  const verdictsOf = (text = ''): readonly Verdict[] => {
    const list = lists.get(text) ?? [...text].flatMap((letter) => VERDICTS.get(letter) ?? []);
    lists.set(text, list);
    return list;
  };
  const trees = new Map<string, TreeView>();
  for (const own of columns.trees) {
    const tree = treeOfColumns(own, verdictsOf);
    if (tree === null) return null;
    trees.set(treeKey(own.problemId, own.part), tree);
  }
  return { config, appVersion, randomVersion, finished, trees };
}

function treeColumns({ problemId, part, searched, failures, nodes }: TreeView): TreeColumns {
  const agents = [...new Set(nodes.map(({ agentId }) => agentId))];
  const indexOfAgent = new Map(agents.map((id, at) => [id, at]));
  return {
    problemId,
    part,
    searched,
    failures: failures.map((failure) => ({ ...failure })),
    agents,
    agent: nodes.map(({ agentId }) => indexOfAgent.get(agentId) ?? 0),
    parent: nodes.map(({ parent }) => parent),
    trial: nodes.map(({ trial }) => trial),
    score: nodes.map(({ score }) => score),
    reward: nodes.every(({ reward }) => reward === null) ? [] : nodes.map(({ reward }) => reward),
    publicVerdict: nodes.map(({ publicVerdict }) => letterOf(publicVerdict)).join(''),
    publicVerdicts: nodes.map(({ publicVerdicts }) => publicVerdicts.map(letterOf).join('')),
    privateVerdict: nodes.map(({ privateVerdict }) => letterOf(privateVerdict)).join(''),
    privateVerdicts: nodes.map(({ privateVerdicts }) => privateVerdicts.map(letterOf).join('')),
    otherVerdict: nodes.map(({ otherVerdict }) => letterOf(otherVerdict)).join(''),
    generationSeed: nodes.map(({ generationSeed }) => generationSeed),
    programDigest: nodes.map(({ programDigest }) => programDigest),
    promptTokens: nodes.map(({ promptTokens }) => promptTokens),
    completionTokens: nodes.map(({ completionTokens }) => completionTokens),
    answerEnd: nodes.map(({ answerEnd }) => (answerEnd === null ? '.' : ENDS[answerEnd])).join(''),
    generateMs: nodes.map(({ generateMs }) => generateMs),
    gradeMs: nodes.map(({ gradeMs }) => gradeMs),
  };
}

function letterOf(verdict: Verdict | null): string {
  return verdict === null ? '.' : LETTERS[verdict];
}

function verdictOf(letter: string | undefined): Verdict | null {
  return VERDICTS.get(letter ?? '.') ?? null;
}

function endOf(letter: string | undefined): NodeView['answerEnd'] {
  if (letter === ENDS.stop) return 'stop';
  if (letter === ENDS.length) return 'length';
  return letter === ENDS.empty ? 'empty' : null;
}

function treeOfColumns(
  own: TreeColumns,
  verdictsOf: (text: string | undefined) => readonly Verdict[],
): TreeView | null {
  const { problemId, part, searched, failures, agents, reward, ...columns } = own;
  const count = own.parent.length;
  if (Object.values(columns).some(({ length }) => length !== count)) return null;
  if (reward.length !== 0 && reward.length !== count) return null;
  const nodes: NodeView[] = [];
  let graded = 0;
  for (let index = 0; index < count; index++) {
    const parent = own.parent[index] as number;
    const agentId = agents[own.agent[index] as number];
    const publicVerdict = verdictOf(own.publicVerdict[index]);
    const above = parent === -1 ? 0 : nodes[parent]?.depth;
    if (agentId === undefined || publicVerdict === null || above === undefined) return null;
    const privateVerdict = verdictOf(own.privateVerdict[index]);
    if (privateVerdict !== null) graded += 1;
    nodes.push({
      index,
      parent,
      depth: above + 1,
      trial: own.trial[index] as number,
      agentId,
      score: own.score[index] as number,
      reward: reward[index] ?? null,
      publicVerdict,
      publicVerdicts: verdictsOf(own.publicVerdicts[index]),
      privateVerdict,
      privateVerdicts: verdictsOf(own.privateVerdicts[index]),
      otherVerdict: verdictOf(own.otherVerdict[index]),
      generationSeed: own.generationSeed[index] as number,
      programDigest: own.programDigest[index] ?? null,
      promptTokens: own.promptTokens[index] as number,
      completionTokens: own.completionTokens[index] as number,
      answerEnd: endOf(own.answerEnd[index]),
      generateMs: own.generateMs[index] as number,
      gradeMs: own.gradeMs[index] as number,
    });
  }
  return { problemId, part, nodes, failures, graded, searched };
}
