import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import {
  type Benchmark,
  countedRegrade,
  type ProvenVerdicts,
  type Refusal,
  type RunConfig,
  type RunEvent,
  type Study,
  type TreePart,
  type Verification,
} from '../../preload/contract/index';
import { failed, ok, RANDOM_VERSION, type Result } from '../base/index';
import type { Grader } from '../grading/index';
import { type TreeCheck, verifyTree } from '../search/index';
import type { JournalReading } from '../storage/index';
import { type CountedVerdicts, lacking } from './counted-verdicts';
import { regradeStudy } from './regrade-study';

/** Gradings of a program before its verdict counts as another one: a loaded computer may exceed a time limit once. */
const GRADINGS = 3;

type Tree = { readonly problemId: string; readonly part: TreePart };

/**
 * Replays every tree of a study's journals from its seed and compares (docs/running.md), and each node with its own
 * detail. Changes nothing. Runs without a journal have no trees. `onProgress`: trees done, and in all. Refused when `signal`
 * is aborted.
 */
export async function verifyStudy(options: {
  readonly study: Study;
  /** The journal of a run, kept open until this is done; null: the run has none yet. */
  readonly journalOf: (runId: string) => Promise<Result<JournalReading | null, Refusal>>;
  readonly digest: (text: string) => string;
  readonly onProgress: (done: number, total: number) => void;
  readonly signal: { readonly aborted: boolean };
}): Promise<Result<Omit<Verification, 'verdicts' | 'regraded'>, Refusal>> {
  const { study, journalOf, digest, onProgress, signal } = options;
  const plans = study.runs.map(({ search }) => (search.samplesPerAgent > 0 ? 2 : 1));
  const total = study.runs.reduce((sum, run, at) => sum + run.problemIds.length * (plans[at] ?? 1), 0);
  const sum = { trees: 0, nodes: 0, values: 0, withoutDraws: 0 };
  const mismatches: Verification['mismatches'] = [];
  let passed = 0;
  for (const run of study.runs) {
    const journal = await journalOf(run.id);
    if (!journal.ok) return journal;
    if (journal.value === null) continue;
    const opened = configOf(journal.value, run.id);
    if (!opened.ok) return opened;
    for (const { problemId, part } of treesOf(journal.value)) {
      if (signal.aborted) return failed({ code: 'cancelled', message: 'The verification was cancelled.' });
      const events = await journal.value.treeEvents(problemId, part);
      const check: TreeCheck = verifyTree({ config: opened.value, problemId, part, events });
      sum.trees += 1;
      sum.nodes += check.nodes;
      sum.values += check.values;
      sum.withoutDraws += check.withoutDraws;
      const mismatch = check.mismatch ?? contradictionIn(events, digest);
      if (mismatch !== null) mismatches.push({ runId: run.id, problemId, part, ...mismatch });
      passed += 1;
      onProgress(passed, Math.max(total, passed));
      // A large tree takes a while: let other work of this process run in between.
      await yieldToEventLoop();
    }
  }
  onProgress(passed, passed);
  return ok({ ...sum, mismatches });
}

/** Where an event says something else than its own detail, which only the inspector reads; null: nowhere. */
function contradictionIn(
  events: readonly RunEvent[],
  digest: (text: string) => string,
): { readonly index: number; readonly difference: string } | null {
  for (const event of events) {
    if (event.kind === 'node-added' && event.detail !== undefined) {
      const { index, detail, programDigest, publicVerdict } = event;
      const own = detail.program === null ? null : digest(detail.program);
      if (own !== programDigest) return { index, difference: 'its program is not the one of its digest' };
      const { verdict } = detail.publicGrade;
      if (verdict !== publicVerdict)
        return { index, difference: `its public verdict is ${publicVerdict}, but its tests say ${verdict}` };
    }
    if (event.kind === 'node-graded' && event.detail !== undefined) {
      const { index, detail, privateVerdict } = event;
      const { verdict } = detail.privateGrade;
      if (verdict !== privateVerdict)
        return {
          index,
          difference: `its private verdict is ${privateVerdict}, but its tests say ${verdict}`,
        };
    }
  }
  return null;
}

/**
 * Grades programs of the study again and lists verdicts that do not come back. `programs`: how many, drawn with `seed`.
 * Where they cannot be graded here, says why. Refused only when it is cancelled.
 */
export async function proveVerdicts(
  options: Omit<Parameters<typeof regradeStudy>[0], 'programs' | 'drawnWith' | 'gradings' | 'grader'> & {
    readonly programs: number | 'all';
    readonly seed: number;
    readonly openGrader: () => Promise<Result<Pick<Grader, 'grade'>, Refusal>>;
    readonly now: () => number;
  },
): Promise<Result<ProvenVerdicts, Refusal>> {
  const { programs, seed, openGrader, now } = options;
  const grader = await openGrader();
  if (!grader.ok) return unproven(grader.error);
  const since = now();
  const regraded = await regradeStudy({
    ...options,
    grader: grader.value,
    gradings: GRADINGS,
    ...(programs === 'all' ? { programs: undefined } : { programs, drawnWith: seed }),
  });
  if (!regraded.ok) return regraded.error.code === 'cancelled' ? regraded : unproven(regraded.error);
  const { programs: all = 0, graded, faults, changed } = regraded.value;
  const seconds = (now() - since) / 1_000;
  const drawn = graded < all ? seed : null;
  return ok({ kind: 'graded', programs: all, graded, seed: drawn, seconds, faults, changed });
}

/**
 * The same of the re-grade that counts for the study, with the tests that it had; null: the first grading counts. Refused only
 * when it is cancelled.
 */
export async function proveRegrade(
  options: Omit<Parameters<typeof proveVerdicts>[0], 'tests' | 'compareWith' | 'grading'> & {
    readonly counted: CountedVerdicts;
  },
): Promise<Result<ProvenVerdicts | null, Refusal>> {
  const { study, counted, library } = options;
  const facts = countedRegrade(study);
  if (facts === null) return ok(null);
  const read = await counted.of(study);
  if (!read.ok) return unproven(read.error);
  const regrade = read.value;
  if (regrade === null) return ok(null);
  if (regrade.programs() < facts.programs) return unproven(lacking(facts.programs - regrade.programs()));
  const { tests, grading } = regrade.started;
  const benchmarks = new Map<string, Benchmark>();
  for (const { benchmarkId, testsId, testsDigest } of tests) {
    const benchmark = library.list().find(({ id, digest }) => id === testsId && digest === testsDigest);
    if (benchmark === undefined) {
      return unproven({
        code: 'not-found',
        message: `The tests ${testsId} (${testsDigest.slice(0, 8)}) of the re-grade are not in this data folder.`,
        hint: 'Import their file under the same name.',
      });
    }
    benchmarks.set(benchmarkId, benchmark);
  }
  return proveVerdicts({
    ...options,
    tests: benchmarks,
    compareWith: (key) => regrade.gradeOf(key)?.privateVerdict,
    ...(grading === null ? {} : { grading }),
  });
}

function unproven({ message, hint }: Refusal): Result<ProvenVerdicts, Refusal> {
  return ok({ kind: 'unproven', message, ...(hint === undefined ? {} : { hint }) });
}

/** The run's configuration, from its own journal. Refused for another version of the random generator: nothing would replay. */
function configOf(journal: JournalReading, runId: string): Result<RunConfig, Refusal> {
  const [first] = journal.events();
  if (first?.kind !== 'run-started') {
    return failed({
      code: 'bad-input',
      message: `The journal of the run ${runId} does not begin with its configuration, so nothing can be replayed.`,
    });
  }
  if (first.randomVersion !== RANDOM_VERSION) {
    return failed({
      code: 'conflict',
      message: `The run ${runId} drew from the random generator ${first.randomVersion}; this version has ${RANDOM_VERSION} and would draw differently.`,
      hint: 'Verify it with the version that made it.',
    });
  }
  return ok(first.config);
}

/** In the order of their first events. */
function treesOf(journal: JournalReading): readonly Tree[] {
  const trees = new Map<string, Tree>();
  for (const event of journal.events()) {
    if (!('problemId' in event)) continue;
    const key = `${event.part} ${event.problemId}`;
    if (!trees.has(key)) trees.set(key, { problemId: event.problemId, part: event.part });
  }
  return [...trees.values()];
}
