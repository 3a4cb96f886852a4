import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Refusal, RunConfig, Study, TreePart, Verification } from '../../preload/contract/index';
import { failed, ok, RANDOM_VERSION, type Result } from '../base/index';
import { type TreeCheck, verifyTree } from '../search/index';
import type { JournalReading } from '../storage/index';

type Tree = { readonly problemId: string; readonly part: TreePart };

/**
 * Replays every tree of a study's journals from its seed and compares (docs/search.md). Changes nothing. Runs without
 * a journal have no trees. `onProgress`: trees done, and in all. Refused when `signal` is aborted.
 */
export async function verifyStudy(options: {
  readonly study: Study;
  /** The journal of a run, kept open until this is done; null: the run has none yet. */
  readonly journalOf: (runId: string) => Promise<Result<JournalReading | null, Refusal>>;
  readonly onProgress: (done: number, total: number) => void;
  readonly signal: { readonly aborted: boolean };
}): Promise<Result<Verification, Refusal>> {
  const { study, journalOf, onProgress, signal } = options;
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
      if (check.mismatch !== null) mismatches.push({ runId: run.id, problemId, part, ...check.mismatch });
      passed += 1;
      onProgress(passed, Math.max(total, passed));
      // A large tree takes a while: let other work of this process run in between.
      await yieldToEventLoop();
    }
  }
  onProgress(passed, passed);
  return ok({ ...sum, mismatches });
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
    if (event.kind === 'run-started' || event.kind === 'run-finished') continue;
    const key = `${event.part} ${event.problemId}`;
    if (!trees.has(key)) trees.set(key, { problemId: event.problemId, part: event.part });
  }
  return [...trees.values()];
}
