import { resolve } from 'node:path';
import {
  type CheckedReport,
  EQUAL_ONCE,
  type ProvenVerdicts,
  type Verification,
} from '../../preload/contract/index';
import { counted } from '../base/index';
import { type CliOptions, definedOnly, UsageError } from './cli-options';
import { duration } from './experiment-report';
import { type CommandSpec, JSON_OPTION, option } from './grammar';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';
import { printProblems } from './journal-problems';
import { withTaskProgress } from './task-progress';

const MAX_SEED = 2_147_483_647;

export const verifyCommand: CommandSpec = {
  usage: 'verify <study>',
  about: 'replay its trees from their seeds, grade a sample of its programs again, compare',
  details: `Compares every draw and every node with its own detail, and runs the private tests
of 500 programs, drawn by a seed, again. Says how long grading took and what all of
it would take. --table compares the journals with an export that was given out.
Exit code 1 when a tree, a verdict or a journal differs; 3 when nothing differs, but no
verdict could be checked, e.g. as the benchmark is not in the data folder.`,
  options: [
    option('--all', 'grade every program again'),
    option('--programs <n>', 'grade n programs; 0: none (default: 500)'),
    option('--seed <n>', 'the seed that draws them (default: 1)'),
    option(
      '--table <path>',
      'check whether an exported table or figure (with its manifest) is of these journals',
    ),
    JSON_OPTION,
  ],
  run: verify,
};

async function verify(workbench: Host, options: CliOptions): Promise<number> {
  const studyId = options.word(0, 'The study');
  const programs = options.count('programs', 0, 10_000_000);
  if (options.flag('all') && programs !== undefined) throw new UsageError('Give --all or --programs.');
  const table = options.text('table');
  const checked = table === undefined ? null : await ask(workbench, 'report.check', { path: resolve(table) });
  if (checked?.ok === false) return printRefusal(checked.error);
  const verified = await withTaskProgress(workbench, 'verify', () =>
    ask(workbench, 'study.verify', {
      studyId,
      ...definedOnly({
        programs: options.flag('all') ? ('all' as const) : programs,
        seed: options.count('seed', 0, MAX_SEED),
      }),
    }),
  );
  if (!verified.ok) return printRefusal(verified.error);
  const report = checked?.value ?? null;
  const isWhole = !(await printProblems(workbench, studyId));
  if (options.flag('json')) printJson({ ...verified.value, table: report });
  else printVerification(verified.value, isWhole);
  const sameTable = report === null || printTableCheck(report);
  return isWhole && sameTable ? proofCode(verified.value) : EXIT.failed;
}

/** Of a study on which a re-grade counts, the tests of the first grading may be gone: then its verdicts count for nothing. */
function proofCode(verification: Verification): number {
  const { trees, mismatches, verdicts, regraded } = verification;
  if (trees === 0 || mismatches.length > 0 || hasFalseVerdicts(verification)) return EXIT.failed;
  return wasChecked(regraded ?? verdicts) ? EXIT.done : EXIT.missing;
}

function hasFalseVerdicts({ verdicts, regraded }: Verification): boolean {
  return [verdicts, regraded].some((proof) => proof?.kind === 'graded' && proof.changed.length > 0);
}

/** Also where nobody asked for it. */
function wasChecked(verdicts: ProvenVerdicts | null): boolean {
  if (verdicts?.kind === 'unproven') return false;
  return verdicts === null || verdicts.programs === 0 || verdicts.faults < verdicts.graded;
}

/** `isWhole`: nothing of the journals is damaged or missing. */
function printVerification(verification: Verification, isWhole: boolean): void {
  const { trees, nodes, values, withoutDraws, mismatches } = verification;
  for (const { runId, problemId, part, index, difference } of mismatches) {
    process.stdout.write(`${runId}  ${problemId}  ${part}  node ${index}: ${difference}\n`);
  }
  printStatus(
    `${counted(trees, 'search tree or set of samples', 'search trees and sets of samples')} replayed: ${counted(nodes, 'node is the one', 'nodes are those')} that the seeds give, ${counted(values, 'draw or bound is', 'draws and bounds are')} the same to the last bit.`,
  );
  if (withoutDraws > 0)
    printStatus(`${counted(withoutDraws, 'node is', 'nodes are')} in journals without draws.`);
  if (verification.regraded !== null) printStatus('The first grading, which does not count now:');
  printVerdicts(verification.verdicts);
  if (verification.regraded !== null) {
    printStatus('The re-grade, which counts:');
    printVerdicts(verification.regraded);
  }
  if (mismatches.length > 0) printStatus(`${counted(mismatches.length, 'tree differs', 'trees differ')}.`);
  else if (trees === 0) printStatus('There is nothing to replay: the journals hold no tree.');
  else if (hasFalseVerdicts(verification)) printStatus('The trees replay, but not every verdict is true.');
  else {
    const replays = isWhole ? 'The journals replay' : 'The intact part of the journals replays';
    const isChecked = wasChecked(verification.regraded ?? verification.verdicts);
    printStatus(isChecked ? `${replays}.` : `${replays}, but whether the verdicts are true is not proven.`);
  }
}

function printVerdicts(verdicts: Verification['verdicts']): void {
  if (verdicts === null) {
    printStatus('No program was graded again, so no verdict was checked.');
    return;
  }
  if (verdicts.kind === 'unproven') {
    printStatus(`No verdict was checked. ${[verdicts.message, verdicts.hint].filter(Boolean).join(' ')}`);
    return;
  }
  const { programs, graded, seed, seconds, faults, changed } = verdicts;
  for (const { runId, problemId, part, index, before, after } of changed) {
    process.stdout.write(
      `${runId}  ${problemId}  ${part}  node ${index}: the journal says ${before}, its tests say ${after}\n`,
    );
  }
  const all = (seconds / Math.max(1, graded)) * programs;
  printStatus(
    seed === null
      ? `${counted(graded, 'different program')} graded again in ${duration(seconds)}. ${EQUAL_ONCE}`
      : `${graded} of ${counted(programs, 'different program')}, drawn with seed ${seed}, graded again in ${duration(seconds)}; all would take about ${duration(all)} (--all). ${EQUAL_ONCE}`,
  );
  if (faults > 0) printStatus(`On ${faults} of them the sandbox or the grader failed.`);
  if (changed.length > 0)
    printStatus(`${counted(changed.length, 'verdict')} could not be confirmed in three gradings.`);
  else if (seed === null) printStatus('Every verdict was confirmed.');
  else
    printStatus(
      `Every verdict was confirmed: with 95 % certainty at most ${most(graded - faults)} % of them are wrong.`,
    );
}

/** The share that a sample without a wrong verdict still allows, in percent: 1 - 0.05^(1/n). */
function most(graded: number): string {
  return (100 * (1 - 0.05 ** (1 / Math.max(1, graded)))).toFixed(1);
}

/** Prints what differs; true: nothing. */
function printTableCheck({ manifest, files, runs, models, unknown }: CheckedReport): boolean {
  const changed = files.filter(({ state }) => state !== 'same');
  const others = runs.filter(({ state }) => state === 'altered' || state === 'missing');
  for (const { name, state } of changed) printStatus(`${name} is ${state}: it is not what ${manifest} says.`);
  for (const { runId, state } of others) {
    printStatus(
      state === 'altered'
        ? `The journal of ${runId} has changed since ${manifest} was written: its table was computed from other data.`
        : `The journal of ${runId}, from which ${manifest} was written, is not here.`,
    );
  }
  const swapped = models.filter(({ state }) => state !== 'same');
  for (const { path, state } of swapped) {
    printStatus(
      state === 'altered'
        ? `The model file ${path} has changed since it answered: searching again would ask another model.`
        : `The model file ${path}, which answered, is not here any more.`,
    );
  }
  for (const why of unknown) printStatus(`Whether the models changed cannot be checked: ${why}`);
  const longer = runs.filter(({ state }) => state === 'longer').length;
  if (longer > 0) printStatus(`${counted(longer, 'journal')} only got longer since then.`);
  const isSame = changed.length + others.length + swapped.length + unknown.length === 0;
  if (isSame)
    printStatus(`The export is unchanged and comes from ${counted(runs.length, 'journal')} of this study.`);
  return isSame;
}
