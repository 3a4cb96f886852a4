import { differsSentence, EQUAL_ONCE, gradingText, type RegradeFacts } from '../../preload/contract/index';
import { counted } from '../base/index';
import { type CliOptions, definedOnly, UsageError } from './cli-options';
import { type CommandSpec, JSON_OPTION, option } from './grammar';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';
import { printProblems } from './journal-problems';
import { withTaskProgress } from './task-progress';

export const regradeCommand: CommandSpec = {
  usage: 'regrade <study>',
  about: 'run its private tests again, keep the verdicts, list what changed',
  details: `Every verdict is appended to a journal of its own beside those of the study, which stay as they are;
stopped or killed, the same command goes on. It counts for nothing until it is chosen: studies set STUDY
--grading regrade-1. With --programs nothing is kept: what changes then is noise of the grader. Exit code 1
when a verdict changed with the study's own tests.`,
  options: [
    option(
      '--benchmark <id>',
      "run the tests of this benchmark, e.g. corrected ones (default: the study's own)",
    ),
    option('--programs <n>', 'only check n of its programs, spread evenly'),
    option('--grading <mode>', 'as-published or as-program'),
    option('--list', 'list its gradings, and which one counts'),
    JSON_OPTION,
  ],
  run: regrade,
};

async function regrade(workbench: Host, options: CliOptions): Promise<number> {
  const studyId = options.word(0, 'The study');
  if (options.flag('list')) return listGradings(workbench, options, studyId);
  const benchmarkId = options.text('benchmark');
  const regraded = await withTaskProgress(workbench, 'regrade', () =>
    ask(workbench, 'study.regrade', {
      studyId,
      ...definedOnly({
        benchmarkId,
        programs: options.count('programs', 1, 10_000_000),
        grading: options.choice('grading', ['as-program', 'as-published']),
      }),
    }),
  );
  if (!regraded.ok) return printRefusal(regraded.error);
  const { graded, changed, faults, kept } = regraded.value;
  if (options.flag('json')) printJson(regraded.value);
  else {
    for (const { runId, problemId, part, index, before, after } of changed) {
      process.stdout.write(`${runId}  ${problemId}  ${part}  node ${index}: ${before} -> ${after}\n`);
    }
    // Runs that wrote the same program have one verdict of it in what is kept.
    const programs =
      kept === undefined || kept.programs === graded
        ? counted(graded, 'different program')
        : `${counted(kept.programs, 'different program')} (${graded} over all runs)`;
    printStatus(
      `${programs} graded again, ${counted(changed.length, 'verdict')} changed, ${counted(faults, 'fault')} of the sandbox or the grader. ${EQUAL_ONCE}`,
    );
    if (kept !== undefined) {
      printDiffers(kept);
      printStatus(
        `Kept as ${kept.id}; it does not count yet. To let it count for tables, metrics and exports: mars2 studies set ${studyId} --grading ${kept.id}`,
      );
    }
  }
  await printProblems(workbench, studyId);
  const isExpected = changed.length === 0 || benchmarkId !== undefined;
  return isExpected && faults === 0 ? EXIT.done : EXIT.failed;
}

async function gradingsOf(workbench: Host, studyId: string) {
  const studies = await ask(workbench, 'study.list', {});
  if (!studies.ok) return studies;
  const study = studies.value.find((view) => view.study.id === studyId)?.study;
  if (study === undefined) throw new UsageError(`There is no study ${studyId}.`);
  const { regrades = [], countedRegrade = null } = study;
  return { ok: true as const, value: { regrades, countedRegrade } };
}

async function listGradings(workbench: Host, options: CliOptions, studyId: string): Promise<number> {
  const read = await gradingsOf(workbench, studyId);
  if (!read.ok) return printRefusal(read.error);
  if (options.flag('json')) return printJson(read.value);
  const { regrades, countedRegrade } = read.value;
  const line = (id: string, text: string, counts: boolean): void =>
    void process.stdout.write(`${id}  ${text}${counts ? '  (counts)' : ''}\n`);
  line('first', gradingText(null), countedRegrade === null);
  for (const facts of regrades) {
    line(facts.id, `${gradingText(facts)}: ${changedText(facts)}`, facts.id === countedRegrade);
  }
  return EXIT.done;
}

function printDiffers(facts: RegradeFacts): void {
  const differs = differsSentence(facts);
  if (differs !== null) printStatus(differs);
}

function changedText({ programs, changed, faults }: RegradeFacts): string {
  const failed = faults === 0 ? '' : `, ${counted(faults, 'fault')}`;
  return `${counted(programs, 'different program')}, ${counted(changed, 'verdict')} changed${failed}`;
}

/** `grading`: the id of a re-grade, or "first". */
export async function setGrading(workbench: Host, options: CliOptions, grading: string): Promise<number> {
  const studyId = options.word(0, 'The study');
  const set = await ask(workbench, 'study.countRegrade', {
    studyId,
    regradeId: grading === 'first' ? null : grading,
  });
  if (!set.ok) return printRefusal(set.error);
  if (options.flag('json')) return printJson({ studyId, grading });
  const read = await gradingsOf(workbench, studyId);
  const facts = read.ok ? read.value.regrades.find(({ id }) => id === grading) : undefined;
  printStatus(
    facts === undefined
      ? 'Private verdicts count as first graded.'
      : `Private verdicts count as ${gradingText(facts)}: ${changedText(facts)}. The search had its own verdicts, which stay as they were.`,
  );
  if (facts !== undefined) printDiffers(facts);
  return EXIT.done;
}
