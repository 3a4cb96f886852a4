import type {
  Diversity,
  DiversityJudge,
  Refusal,
  RunEvent,
  RunView,
  Similarity,
  Study,
  TreePart,
} from '../../preload/contract/index';
import { treeKey } from '../../preload/contract/index';
import { COMPLEMENT_SHORT, hasSeveralFamilies } from '../../preload/contract/plans/index';
import { counted, failed, ok, type Result } from '../base/index';
import type { BenchmarkLibrary } from '../benchmarks/index';
import {
  BOOTSTRAP_SEED,
  DEFAULT_RESAMPLES,
  type DiversityCandidate,
  diversityCells,
  isProblemDone,
  type ParsePython,
  type ProblemDiversity,
  type SameAlgorithm,
  structureJudge,
  type TreeDiversity,
  tokenCounts,
  treeDiversity,
  type VectorsOf,
} from '../metrics/index';
import { parsePython } from '../search/index';
import { createChatJudge, createEmbedder, ModelRefused } from './diversity-models';
import type { PocketCheckpoints } from './pocket-checkpoints';
import { studyGradients } from './pocket-gradients';

export type StudyDiversityOptions = {
  /** A study, or any runs of several; those of one configuration are pooled. */
  readonly study: Pick<Study, 'id' | 'runs'>;
  /** By run id. */
  readonly views: ReadonlyMap<string, RunView>;
  /** The events of one tree with their detail: a journal's `treeEvents`. */
  readonly treeEvents: (runId: string, problemId: string, part: TreePart) => Promise<readonly RunEvent[]>;
  readonly judge: DiversityJudge;
  readonly similarity: Similarity;
  readonly library: Pick<BenchmarkLibrary, 'problems'>;
  readonly checkpoints: Pick<PocketCheckpoints, 'ensure'>;
  /** What is damaged of the journals, a sentence a run. */
  readonly damage: readonly string[];
  /** Search trees read so far, and in all. */
  readonly progress: (done: number, total: number) => void;
  readonly signal: AbortSignal;
};

/** Problems that a model judges in parallel; the questions of one problem are sequential. */
const PROBLEMS_AT_ONCE = 8;

/**
 * Measures how many algorithms a study's search trees contain. Reads every program of the finished problems, problem by
 * problem, letting other work run in between. Refused as `cancelled` by the signal, as `unavailable` when a model that
 * judges or embeds does not answer.
 */
export async function studyDiversity(options: StudyDiversityOptions): Promise<Result<Diversity, Refusal>> {
  const { study, judge, similarity, signal } = options;
  const gradients = await studyGradients(study, options);
  const chat = judge.kind === 'server' ? createChatJudge(judge, signal) : null;
  const embed = similarity.kind === 'server' ? createEmbedder(similarity, signal) : null;
  const notPython = new Set<string>();
  const judgeFor = chat === null ? structureJudges(countingParser(notPython)) : () => chat.same;
  try {
    const problems = await readProblems(options, {
      judgeFor,
      vectorsOf: embed ?? tokenCounts,
      gradientsFor: (problemId) => gradients?.vectorsFor(problemId) ?? null,
      atOnce: chat === null && embed === null ? 1 : PROBLEMS_AT_ONCE,
    });
    if (signal.aborted) return failed({ code: 'cancelled', message: 'Reading the programs was cancelled.' });
    return ok({
      studyId: study.id,
      cells: diversityCells(problems, { seed: BOOTSTRAP_SEED, resamples: DEFAULT_RESAMPLES }),
      method: methodOf(options, gradients?.name ?? null, notPython.size, chat?.unclear() ?? 0),
      damage: [...options.damage],
    });
  } catch (error) {
    if (error instanceof ModelRefused) return failed(error.refusal);
    throw error;
  } finally {
    chat?.dispose();
  }
}

function countingParser(notPython: Set<string>): ParsePython {
  return (program) => {
    const tree = parsePython(program);
    if (tree === null) notPython.add(program);
    return tree;
  };
}

/** A new one for each problem, since it remembers every program. */
function structureJudges(parse: ParsePython): () => SameAlgorithm {
  return () => structureJudge(parse);
}

type Tools = {
  readonly judgeFor: () => SameAlgorithm;
  readonly vectorsOf: VectorsOf;
  readonly gradientsFor: (problemId: string) => VectorsOf | null;
  readonly atOnce: number;
};

/** By configuration and then problem, whatever the order in which they were read. */
async function readProblems(
  { study, views, treeEvents, progress, signal }: StudyDiversityOptions,
  { judgeFor, vectorsOf, gradientsFor, atOnce }: Tools,
): Promise<ProblemDiversity[]> {
  const groups = new Map<string, RunView[]>();
  for (const run of study.runs) {
    const view = views.get(run.id);
    if (view !== undefined) groups.set(run.configuration, [...(groups.get(run.configuration) ?? []), view]);
  }
  const isDone = (group: readonly RunView[], id: string): boolean =>
    group.every((view) => view.config.problemIds.includes(id) && isProblemDone(view, id));
  const ids = [...new Set(study.runs.flatMap(({ problemIds }) => problemIds))];
  const work = ids.map((id) => ({ id, groups: [...groups].filter(([, group]) => isDone(group, id)) }));
  const total = work.reduce(
    (sum, { groups: own }) => sum + own.reduce((n, [, group]) => n + group.length, 0),
    0,
  );
  let done = 0;
  progress(done, total);

  const readTree = async (view: RunView, id: string, same: SameAlgorithm): Promise<TreeDiversity> => {
    const events = await treeEvents(view.config.id, id, 'search');
    const gradientsOf = gradientsFor(id);
    const diversity = await treeDiversity(candidatesOf(view, id, events), {
      same,
      vectorsOf,
      ...(gradientsOf === null ? {} : { gradientsOf }),
      yieldControl: yieldToEventLoop,
    });
    done += 1;
    progress(done, total);
    return diversity;
  };

  const results = new Map<string, ProblemDiversity>();
  const left = work[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (const { id, groups: own } of left) {
      // A judge remembers the programs that it has read: one for all trees of a problem.
      const same = judgeFor();
      for (const [configuration, group] of own) {
        const trees: TreeDiversity[] = [];
        for (const view of group) {
          if (signal.aborted) return;
          trees.push(await readTree(view, id, same));
        }
        results.set(JSON.stringify([configuration, id]), { configuration, problemId: id, trees });
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return [...groups.keys()].flatMap((configuration) =>
    ids.flatMap((id) => results.get(JSON.stringify([configuration, id])) ?? []),
  );
}

function candidatesOf(view: RunView, problemId: string, events: readonly RunEvent[]): DiversityCandidate[] {
  const programs = new Map<number, string | null>();
  for (const event of events) {
    // Of a node that was added twice the first counts, as in the fold.
    if (event.kind === 'node-added' && !programs.has(event.index))
      programs.set(event.index, event.detail?.program ?? null);
  }
  const nodes = view.trees.get(treeKey(problemId, 'search'))?.nodes ?? [];
  return nodes.map(({ index, privateVerdict }) => ({
    program: programs.get(index) ?? null,
    passed: privateVerdict === 'passed',
  }));
}

function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function methodOf(
  { study, judge, similarity }: StudyDiversityOptions,
  proxy: string | null,
  notPython: number,
  unclear: number,
): string {
  const by =
    judge.kind === 'structure'
      ? 'structure (normalised Python syntax trees, the same algorithm from a Jaccard similarity of 0.7 of their fragments on)'
      : `the model ${judge.model}, asked "same" or "different"`;
  const kernel =
    similarity.kind === 'tokens' ? 'token counts' : `embeddings by the model ${similarity.model}`;
  const sentences = [
    ...(hasSeveralFamilies(study.runs) ? [`${COMPLEMENT_SHORT}.`] : []),
    'Over the search trees of finished problems; trees of several seeds are averaged per problem first. Interval: 95 % bootstrap over problems, of several seeds over problems and seeds; differences are not tested.',
    `Algorithms: judged by ${by}; correct programs, clustered greedily in the order of the nodes.`,
    'DA@K, EA and NAUADC (K = 1 to 25) leave out problems without a correct program; AEC (ours) counts them 0.',
    `Vendi: over all programs of a tree, cosine of ${kernel}.`,
  ];
  if (proxy !== null)
    sentences.push(`G-Vendi: the same over exact gradients of the log-likelihood under ${proxy}.`);
  if (notPython > 0)
    sentences.push(
      `${counted(notPython, 'correct program')} could not be read as Python; each is a cluster of its own.`,
    );
  if (unclear > 0)
    sentences.push(`${counted(unclear, 'answer')} of the judge said neither, which counts as "different".`);
  sentences.push(
    `Intervals: 95 % percentile bootstrap over problems, ${DEFAULT_RESAMPLES.toLocaleString('en-US')} resamples, seed ${BOOTSTRAP_SEED}.`,
  );
  return sentences.join(' ');
}
