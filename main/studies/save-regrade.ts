import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  type Benchmark,
  type Grade,
  MAX_REGRADES,
  type ProgramGraded,
  type ProgramKey,
  programKeyOf,
  type Refusal,
  type Regrade,
  type RegradeFacts,
  type RegradeLookup,
  type RegradeStarted,
  type RunConfig,
  type RunView,
  type Study,
} from '../../preload/contract/index';
import { counted, failed, ok, type Result } from '../base/index';
import type { BenchmarkLibrary } from '../benchmarks/index';
import type { Grader } from '../grading/index';
import {
  damageText,
  type JournalReading,
  openRegradeJournal,
  type RegradeJournal,
  readJournalStart,
} from '../storage/index';
import { loadStudy } from './load-study';
import { regradeDifferences } from './logic/regrade-differences';
import { regradeStudy } from './regrade-study';
import { regradeTests } from './regrade-tests';
import type { StudyFiles } from './study-files';

/** A stored re-grade, and how its verdicts differ from those of the first grading. */
export type SavedRegrade = { readonly facts: RegradeFacts; readonly noise: Regrade };

/**
 * Grades every program of a study again and appends each verdict to a journal of its own, before the next one. A
 * re-grade of the same inputs that was stopped or killed continues where it ended. Nothing of the study is changed: its
 * record gets the facts of a complete re-grade. Refused where a journal of the study is damaged, its tests are not
 * there, `testsId` has other problems, or the sandbox breaks; as `cancelled` by the signal, with the verdicts so far
 * kept.
 */
export async function saveRegrade(options: {
  readonly study: Study;
  readonly journalOf: (runId: string) => Promise<Result<JournalReading | null, Refusal>>;
  readonly files: StudyFiles;
  readonly library: Pick<BenchmarkLibrary, 'list' | 'find' | 'problem' | 'outline'>;
  readonly grader: Grader;
  /** The benchmark whose tests are run; left out: the study's own, unchanged. */
  readonly testsId?: string | undefined;
  readonly grading?: RunConfig['search']['grading'] | undefined;
  readonly appVersion: string;
  readonly now: () => number;
  readonly onProgress: (done: number, total: number) => void;
  readonly signal: AbortSignal;
}): Promise<Result<SavedRegrade, Refusal>> {
  const { study, files, library, now } = options;
  const tests = await regradeTests(study, library, options.testsId);
  if (!tests.ok) return tests;
  const damage = await damageOf(study, options.journalOf);
  if (damage !== null) return failed(damage);
  const started = startOf(options, tests.value);
  const opened = await openOne(study, files, started);
  if (!opened.ok) return opened;
  const { id, journal } = opened.value;
  let regraded: Result<Regrade, Refusal>;
  try {
    regraded = await gradeInto(journal, options, tests.value);
  } finally {
    await journal.close();
  }
  if (!regraded.ok) {
    return regraded.error.code === 'cancelled'
      ? failed({
          code: 'cancelled',
          message: `The re-grade was stopped. Its ${counted(journal.programs(), 'verdict')} so far are kept.`,
          hint: 'Grade the study again the same way to go on with the rest.',
        })
      : regraded;
  }
  const { countedRegrade: _, ...first } = study;
  const { views } = await loadStudy(first, files);
  const noise = { ...regraded.value, changed: changedVerdicts([...views.values()], journal) };
  const facts: RegradeFacts = {
    id,
    at: new Date(now()).toISOString(),
    tests: journal.started.tests.map(({ limits: _limits, rules: _rules, ...one }) => one),
    python: journal.started.grader.python,
    grading: journal.started.grading,
    programs: journal.programs(),
    changed: noise.changed.length,
    faults: noise.faults,
    ...(await differencesOf(journal.started, options)),
  };
  return ok({ facts, noise });
}

async function differencesOf(
  started: RegradeStarted,
  { study, files, library }: Parameters<typeof saveRegrade>[0],
): Promise<Pick<RegradeFacts, 'differs'>> {
  const searched = study.runs.map(async (config) => {
    const start = await readJournalStart(files.journal(study.id, config.id));
    return { config, grader: start?.grader };
  });
  const differs = regradeDifferences(started, await Promise.all(searched), (id, digest) =>
    library.list().find((one) => one.id === id && one.digest === digest),
  );
  return differs.length === 0 ? {} : { differs };
}

/** Nodes whose private verdict differs between the first grading and a re-grade, in the order of runs, trees and nodes. */
export function changedVerdicts(views: readonly RunView[], regrade: RegradeLookup): Regrade['changed'] {
  return views.flatMap(({ config, trees }) =>
    [...trees.values()].flatMap(({ problemId, part, nodes }) =>
      nodes.flatMap((node) => {
        const key = programKeyOf(config, problemId, node, regrade);
        const after = key === null ? undefined : regrade.gradeOf(key)?.privateVerdict;
        const before = node.privateVerdict;
        if (after === undefined || before === null || after === before) return [];
        return [{ runId: config.id, problemId, part, index: node.index, before, after }];
      }),
    ),
  );
}

async function damageOf(
  study: Study,
  journalOf: Parameters<typeof saveRegrade>[0]['journalOf'],
): Promise<Refusal | null> {
  for (const { id } of study.runs) {
    const journal = await journalOf(id);
    if (!journal.ok) return journal.error;
    if (journal.value?.damage) return { code: 'bad-input', ...damageText(journal.value.damage) };
  }
  return null;
}

function startOf(
  { study, grader, grading, appVersion, now }: Parameters<typeof saveRegrade>[0],
  tests: ReadonlyMap<string, Benchmark>,
): RegradeStarted {
  const digests = new Map(study.runs.map((run) => [run.benchmarkId, run.benchmarkDigest]));
  return {
    kind: 'regrade-started',
    at: now(),
    regradeVersion: 1,
    appVersion,
    studyId: study.id,
    tests: [...tests].map(([benchmarkId, benchmark]) => ({
      benchmarkId,
      benchmarkDigest: digests.get(benchmarkId) ?? benchmark.digest,
      testsId: benchmark.id,
      testsDigest: benchmark.digest,
      limits: benchmark.limits,
      rules: benchmark.rules,
    })),
    grader: {
      python: grader.python,
      isolation: grader.isolation,
      cpuFactor: grader.cpuFactor,
      path: grader.choice.path,
      packages: grader.packages.map(({ name, version }) => `${name} ${version}`),
    },
    grading: grading ?? null,
  };
}

/** All that decides verdicts. */
function inputsOf({ studyId, tests, grader, grading }: RegradeStarted): string {
  const { python, isolation, cpuFactor, path, packages } = grader;
  const ownTests = tests.map((one) => [one.testsId, one.testsDigest, one.benchmarkId, one.rules, one.limits]);
  return JSON.stringify([studyId, ownTests, python, isolation, cpuFactor, path, packages, grading]);
}

/** The journal of an incomplete re-grade with the same inputs, else a new one. */
async function openOne(
  study: Study,
  files: StudyFiles,
  started: RegradeStarted,
): Promise<Result<{ readonly id: string; readonly journal: RegradeJournal }, Refusal>> {
  const complete = new Set((study.regrades ?? []).map(({ id }) => id));
  if (complete.size >= MAX_REGRADES) {
    return failed({
      code: 'conflict',
      message: `The study has ${MAX_REGRADES} re-grades, and can have no more.`,
      hint: 'Copy its bundle into another data folder to grade it there.',
    });
  }
  const names = await readdir(dirname(files.regrade(study.id, 'any'))).catch(() => []);
  const numbers = names
    .flatMap((name) => Number(/^regrade-([1-9]\d{0,5})\.jsonl$/.exec(name)?.[1] ?? []))
    .sort((a, b) => a - b);
  const inputs = inputsOf(started);
  const openAt = async (id: string) => {
    const continues = (from: RegradeStarted): boolean => inputsOf(from) === inputs;
    const journal = await openRegradeJournal(files.regrade(study.id, id), started, continues);
    return journal.ok ? ok({ id, journal: journal.value }) : journal;
  };
  for (const id of numbers.map((number) => `regrade-${number}`)) {
    if (complete.has(id)) continue;
    const opened = await openAt(id);
    // Of other inputs, or damaged, it is left as it is.
    if (opened.ok || opened.error.code === 'unavailable') return opened;
  }
  return openAt(`regrade-${(numbers.at(-1) ?? 0) + 1}`);
}

function gradeInto(
  journal: RegradeJournal,
  { study, journalOf, library, grader, grading, now, onProgress, signal }: Parameters<typeof saveRegrade>[0],
  tests: ReadonlyMap<string, Benchmark>,
): Promise<Result<Regrade, Refusal>> {
  const guardedGrader: Pick<Grader, 'grade'> = {
    grade: async (request, stop) => {
      const grade = await grader.grade(request, stop);
      const health = grader.health();
      // A fault of one program is a verdict; a sandbox that gives wrong verdicts must not record another one.
      if (health.kind === 'good' || stop?.aborted) return grade;
      return failed({
        code: 'unavailable',
        message: health.message,
        hint: 'Fix the sandbox, then grade again: it goes on where it ended.',
      });
    },
  };
  return regradeStudy({
    ...{ study, journalOf, library, grading, tests, onProgress, signal },
    grader: guardedGrader,
    kept: {
      gradeOf: journal.gradeOf,
      keep: (key, grade) => journal.append(eventOf(key, grade, now())),
    },
  });
}

function eventOf(key: ProgramKey, grade: Grade, at: number): ProgramGraded {
  const { verdict, results, missingPackage, otherVerdict } = grade;
  return {
    kind: 'program-graded',
    ...{ at, ...key, privateVerdict: verdict, privateVerdicts: results.map((result) => result.verdict) },
    ...(missingPackage === undefined ? {} : { missingPackage }),
    ...(otherVerdict === undefined ? {} : { otherVerdict }),
    detail: { privateGrade: grade },
  };
}
