import {
  type Benchmark,
  type Grade,
  isFaultVerdict,
  type ProgramKey,
  type Refusal,
  type Regrade,
  type RunConfig,
  type Study,
  type TreePart,
  type Verdict,
} from '../../preload/contract/index';
import { failed, forEachLimited, ok, type Result, randomStream, shuffled } from '../base/index';
import type { BenchmarkLibrary } from '../benchmarks/index';
import type { Grader } from '../grading/index';
import type { JournalReading } from '../storage/index';
import { cachedProblems } from './problem-cache';
import { TWO_MODES } from './tree-work';

/** Programs queued in the grader at once, so that it never idles; it runs one per core. */
const PARALLEL = 8;
/** As in the study: with more private tests than this, grading stops at the first failure. */
const RUN_ALL_UP_TO = 64;

type Library = Pick<BenchmarkLibrary, 'list' | 'find' | 'problem'>;
type Options = Parameters<typeof regradeStudy>[0];
type NodeRef = {
  readonly runId: string;
  readonly problemId: string;
  readonly part: TreePart;
  readonly index: number;
};
type GradedNode = NodeRef & { readonly before: Verdict };

/** One program of one problem, with all nodes that contain it. */
type Candidate = {
  readonly config: RunConfig;
  readonly journal: JournalReading;
  readonly key: ProgramKey;
  readonly nodes: GradedNode[];
};

/** Where the grades of a re-grade are kept: a program that has one there is not run. */
export type SavedGrades = {
  readonly gradeOf: (key: ProgramKey) => { readonly privateVerdict: Verdict } | undefined;
  readonly keep: (key: ProgramKey, grade: Grade) => Promise<void>;
};

/**
 * Runs the private tests of a study's candidates again, without the grader's cache, and lists the nodes whose verdict
 * changed. Equal programs of a problem run once. Changes nothing. `programs`: the limit, spread evenly over runs, problems
 * and trees in their order, or drawn with `drawnWith`, a seed. `grading`: this mode instead of each run's own. `gradings`: a
 * program whose verdict differs is graded up to so often (default 1), so that one slow moment changes nothing. Refused as
 * `cancelled` by the signal, or because a journal or benchmark cannot be read.
 */
export async function regradeStudy(options: {
  readonly study: Study;
  /** The journal of a run, kept open until this is done; null: the run has none yet. */
  readonly journalOf: (runId: string) => Promise<Result<JournalReading | null, Refusal>>;
  readonly library: Library;
  readonly grader: Pick<Grader, 'grade'>;
  readonly programs?: number | undefined;
  readonly drawnWith?: number;
  readonly gradings?: number;
  readonly grading?: RunConfig['search']['grading'] | undefined;
  /** Of each of the study's benchmarks by its id, the one whose tests are run; left out: the study's own, unchanged. */
  readonly tests?: ReadonlyMap<string, Benchmark>;
  /** The verdicts to compare with; left out: those of the first grading. A program without one is left out. */
  readonly compareWith?: (key: ProgramKey) => Verdict | undefined;
  /** Then also programs are graded on which the sandbox had failed. */
  readonly kept?: SavedGrades;
  /** Programs graded, and in all. */
  readonly onProgress: (done: number, total: number) => void;
  readonly signal: AbortSignal;
}): Promise<Result<Regrade, Refusal>> {
  const { study, journalOf, programs, drawnWith, gradings = 1, onProgress, signal } = options;
  const candidates: Candidate[] = [];
  for (const config of study.runs) {
    const journal = await journalOf(config.id);
    if (!journal.ok) return journal;
    if (journal.value !== null) candidates.push(...candidatesOf(config, journal.value, options));
  }
  const most = programs ?? candidates.length;
  const chosen = drawnWith === undefined ? spread(candidates, most) : drawn(candidates, most, drawnWith);
  const { tests, library } = options;
  const benchmarks = tests === undefined ? await benchmarksOf(study, library) : ok(tests);
  if (!benchmarks.ok) return benchmarks;
  const problemOf = cachedProblems(options.library);

  const changed: Regrade['changed'] = [];
  let graded = 0;
  let faults = 0;
  const refusal = await forEachLimited(chosen, PARALLEL, signal, async (candidate) => {
    const verdicts: Verdict[] = [];
    while (
      verdicts.length === 0 ||
      (verdicts.length < gradings && changesOf(candidate, verdicts).length > 0)
    ) {
      const after = await verdictNow(candidate, { ...options, benchmarks: benchmarks.value, problemOf });
      if (!after.ok) return after;
      verdicts.push(after.value);
    }
    graded += 1;
    const isFault = verdicts.every(isFaultVerdict);
    if (isFault) faults += 1;
    if (!isFault || options.kept !== undefined) changed.push(...changesOf(candidate, verdicts));
    onProgress(graded, chosen.length);
    return ok(null);
  });
  if (signal.aborted) return failed({ code: 'cancelled', message: 'The regrade was cancelled.' });
  if (refusal !== null) return failed(refusal);
  return ok({
    programs: candidates.length,
    graded,
    changed: inOrder(changed, chosen),
    faults,
    runs: gradedRuns(chosen),
  });
}

/**
 * In the order of their first nodes. Left out: nodes on which the sandbox or the grader failed (not where verdicts are
 * kept), and answers without a program.
 */
function candidatesOf(
  config: RunConfig,
  journal: JournalReading,
  { compareWith, kept, grading = config.search.grading }: Options,
): Candidate[] {
  const digests = new Map<string, string>();
  const candidates = new Map<string, Candidate>();
  for (const event of journal.events()) {
    if (event.kind !== 'node-added' && event.kind !== 'node-graded') continue;
    const { problemId, part, index } = event;
    const nodeKey = `${part} ${index} ${problemId}`;
    if (event.kind === 'node-added') {
      if (event.programDigest !== null) digests.set(nodeKey, event.programDigest);
      continue;
    }
    const digest = digests.get(nodeKey);
    if (digest === undefined) continue;
    const key = { benchmarkId: config.benchmarkId, problemId, programDigest: digest, grading };
    const before = compareWith === undefined ? event.privateVerdict : compareWith(key);
    if (before === undefined || (kept === undefined && isFaultVerdict(before))) continue;
    const node = { runId: config.id, problemId, part, index, before };
    const program = `${digest} ${problemId}`;
    const candidate = candidates.get(program);
    if (candidate === undefined) candidates.set(program, { config, journal, key, nodes: [node] });
    else candidate.nodes.push(node);
  }
  return [...candidates.values()];
}

/** To be called once all chosen candidates have been graded. */
function gradedRuns(chosen: readonly Candidate[]): NonNullable<Regrade['runs']> {
  const counts = new Map<string, number>();
  for (const { config } of chosen) counts.set(config.id, (counts.get(config.id) ?? 0) + 1);
  return [...counts].map(([runId, graded]) => ({ runId, graded }));
}

/** `most` items at even distances, including the first. */
function spread<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items;
  return Array.from({ length: most }, (_, i) => items[Math.floor((i * items.length) / most)]).filter(
    (item) => item !== undefined,
  );
}

/** `most` items that a seed draws without replacement, in their order. */
function drawn<T>(items: readonly T[], most: number, seed: number): readonly T[] {
  const chosen = new Set(shuffled([...items.keys()], randomStream(seed, 'verify')).slice(0, most));
  return items.filter((_, at) => chosen.has(at));
}

/** The study's benchmarks by id; a pocket one that is not here is generated. Refused where one is missing or has changed. */
export async function benchmarksOf(
  study: Study,
  library: Pick<Library, 'find'>,
): Promise<Result<ReadonlyMap<string, Benchmark>, Refusal>> {
  const benchmarks = new Map<string, Benchmark>();
  for (const { benchmarkId, benchmarkDigest } of study.runs) {
    const found = await library.find(benchmarkId);
    if (!found.ok) {
      if (found.error.code !== 'not-found') return found;
      return failed({
        code: 'not-found',
        message: `The benchmark ${benchmarkId} is not in this data folder, so its tests cannot be run.`,
        hint: 'Import the file that the study used under the same name.',
      });
    }
    const benchmark = found.value;
    if (benchmark.digest !== benchmarkDigest) {
      return failed({
        code: 'conflict',
        message: `The benchmark ${benchmarkId} has changed since the study, so verdicts cannot be compared.`,
        hint: 'Import the file that the study used. To grade with the tests as they are now, name the benchmark (--benchmark).',
      });
    }
    benchmarks.set(benchmarkId, benchmark);
  }
  return ok(benchmarks);
}

async function verdictNow(
  { config, journal, nodes, key }: Candidate,
  deps: Pick<Options, 'grader' | 'signal' | 'kept'> & {
    readonly benchmarks: ReadonlyMap<string, Benchmark>;
    readonly problemOf: Library['problem'];
  },
): Promise<Result<Verdict, Refusal>> {
  const { grader, signal, kept } = deps;
  const known = kept?.gradeOf(key);
  if (known !== undefined && !isFaultVerdict(known.privateVerdict)) return ok(known.privateVerdict);
  const [node] = nodes;
  const benchmark = deps.benchmarks.get(config.benchmarkId);
  if (node === undefined || benchmark === undefined) throw new Error(`No node in ${config.id}`);
  const read = await deps.problemOf(benchmark.id, node.problemId);
  if (!read.ok) return read;
  const problem = read.value;
  if (problem.privateTests.length === 0 && benchmark.digest !== config.benchmarkDigest) {
    return failed({
      code: 'bad-input',
      message: `The problem ${node.problemId} has no private tests in ${benchmark.id}, so every program would pass it.`,
      hint: 'Import the benchmark with its private tests.',
    });
  }
  const record = await journal.readDetail(node.problemId, node.part, node.index);
  const grade = await grader.grade(
    {
      program: record?.node.detail?.program ?? null,
      entryPoint: problem.entryPoint,
      tests: problem.privateTests,
      limits: benchmark.limits,
      rules: benchmark.rules,
      mode: key.grading,
      // A re-grade that counts says all that the first grading said.
      bothModes: kept !== undefined && TWO_MODES.includes(benchmark.rules),
      stopAtFirstFailure: problem.privateTests.length > RUN_ALL_UP_TO,
      stopAtTimeLimit: true,
      fresh: true,
    },
    signal,
  );
  if (!grade.ok) return grade;
  await kept?.keep(key, grade.value);
  return ok(grade.value.verdict);
}

/** `seen`: the verdicts of the gradings; a node's verdict that one of them gave has not changed. */
function changesOf({ nodes }: Candidate, verdicts: readonly Verdict[]): Regrade['changed'] {
  const after = verdicts.find((verdict) => !isFaultVerdict(verdict)) ?? verdicts[0];
  if (after === undefined) return [];
  return nodes.flatMap((node) => (verdicts.includes(node.before) ? [] : [{ ...node, after }]));
}

/** In the order of the candidates: programs end in any order. */
function inOrder(changed: Regrade['changed'], chosen: readonly Candidate[]): Regrade['changed'] {
  const keyOf = ({ runId, problemId, part, index }: NodeRef) => `${index} ${part} ${runId} ${problemId}`;
  const order = new Map(chosen.flatMap(({ nodes }) => nodes).map((node, at) => [keyOf(node), at]));
  return [...changed].sort((a, b) => (order.get(keyOf(a)) ?? 0) - (order.get(keyOf(b)) ?? 0));
}
