import { resolve } from 'node:path';
import {
  exportKindSchema,
  type Headline,
  leaderText,
  type Origin,
  originDifferences,
  originsText,
  percentText,
  type Refusal,
  type StudyView,
  scalesOf,
} from '../../preload/contract/index';
import { counted, type Result } from '../base/index';
import { type CliOptions, UsageError } from './cli-options';
import { compareCommand } from './comparison-commands';
import { printExhibitLosses } from './exhibit-losses';
import { extendStudyCommand } from './extend-study-command';
import { type CommandGroup, JSON_OPTION, option } from './grammar';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';
import { printProblems } from './journal-problems';
import { JUDGE_OPTIONS, serverAt } from './judge-options';
import { regradeCommand, setGrading } from './regrade-command';
import { columns, diversityText } from './report';
import { withTaskProgress } from './task-progress';

export const studyCommands: CommandGroup = {
  name: 'studies',
  about: 'studies: runs of teams over a benchmark',
  commands: [
    {
      usage: 'list',
      about: 'list studies, with the best Pass@N of those that are finished',
      options: [option('--removed', 'those in the trash, which "studies restore" brings back'), JSON_OPTION],
      run: listStudies,
    },
    {
      ...compareCommand,
      usage: 'show <study>',
      about: 'print its table (the same as: mars2 compare STUDY)',
      details: 'Studies and runs beside each other: mars2 compare.',
    },
    {
      usage: 'remove <study>',
      about: 'move it with its journals to the trash; restore brings it back',
      run: removeStudy,
    },
    {
      usage: 'restore <study>',
      about: 'bring a removed study back from the trash',
      run: restoreStudy,
    },
    extendStudyCommand,
    {
      usage: 'set <study>',
      about: 'how many requests it has at once, also while it runs; which grading counts',
      details: `Results do not depend on the requests. What they depend on cannot be changed: the parallel trials of a tree and
the limits of trees decide what is searched (more nodes: studies extend). Tables, metrics and exports take the private
verdicts of one grading: the first one, or a re-grade (studies regrade).`,
      options: [
        option('--parallel <n>', 'requests at once to each of its servers; max: as many as the server takes'),
        option('--grading <id>', 'the re-grade that counts, e.g. regrade-1; first: the first grading'),
        JSON_OPTION,
      ],
      run: setStudy,
    },
    {
      usage: 'rename <study> <name>',
      about: 'change its name; the id stays',
      options: [JSON_OPTION],
      run: rename,
    },
    {
      usage: 'annotate <study>',
      about: 'write a note and tags to a study',
      details: 'What is not set stays as it is; an empty text removes it.',
      options: [option('--note <text>', 'the note'), option('--tags <a,b>', 'the tags'), JSON_OPTION],
      run: annotate,
    },
    {
      usage: 'origin <study> [other]',
      about: 'the servers that it asked and what made them; with another study: what differs',
      options: [JSON_OPTION],
      run: showOrigins,
    },
    regradeCommand,
    {
      usage: 'diversity <study>',
      about: 'how many different algorithms the candidates are',
      details: 'Distinct programs in trees, DA@K, EA, NAUADC, AEC and Vendi.',
      options: [...JUDGE_OPTIONS, JSON_OPTION],
      run: diversity,
    },
    {
      usage: 'repair <run>',
      about: 'recover a damaged journal; the damaged file is kept',
      details: 'Everything that can be read is written to a new journal. The study can then be resumed.',
      options: [JSON_OPTION],
      run: repair,
    },
  ],
};

async function listRemoved(workbench: Host, options: CliOptions): Promise<number> {
  const trash = await ask(workbench, 'study.trash', {});
  if (!trash.ok) return printRefusal(trash.error);
  if (options.flag('json')) return printJson(trash.value);
  if (trash.value.length === 0) printStatus('The trash is empty.');
  for (const { studyId, name } of trash.value) process.stdout.write(`${studyId}  removed  ${name}\n`);
  return EXIT.done;
}

async function removeStudy(workbench: Host, options: CliOptions): Promise<number> {
  const studyId = options.word(0, 'The study');
  const removed = await ask(workbench, 'study.remove', { studyId });
  if (!removed.ok) return printRefusal(removed.error);
  printStatus(`${studyId} is in the trash: mars2 studies restore ${studyId} brings it back.`);
  await printExhibitLosses(workbench, { kind: 'study', id: studyId });
  return EXIT.done;
}

async function restoreStudy(workbench: Host, options: CliOptions): Promise<number> {
  const studyId = options.word(0, 'The study');
  const restored = await ask(workbench, 'study.restore', { studyId });
  if (!restored.ok) return printRefusal(restored.error);
  printStatus(`${studyId} is back: mars2 compare ${studyId} prints its table.`);
  return EXIT.done;
}

async function listStudies(workbench: Host, options: CliOptions): Promise<number> {
  if (options.flag('removed')) return listRemoved(workbench, options);
  const studies = await countedStudies(workbench);
  if (!studies.ok) return printRefusal(studies.error);
  if (options.flag('json')) return printJson(studies.value);
  if (studies.value.length === 0)
    printStatus('There are no studies. Start one with: mars2 quickstart --out DIR');
  const rows = studies.value.map(({ study, state, damage, progress, headline, tags = [], note = '' }) => [
    study.id,
    damage === undefined ? state.kind : damage.every(({ isNewer }) => isNewer) ? 'newer' : 'damaged',
    `${progress.problemsDone} of ${progress.problemsTotal}`,
    headlineText(headline),
    scalesOf(study).join(', '),
    [study.name, ...tags.map((tag) => `#${tag}`), note.split('\n')[0]].filter(Boolean).join('  '),
  ]);
  const titles = ['study', 'state', 'searches', 'best result', 'scale', 'name'];
  if (rows.length > 0) process.stdout.write(`${columns(titles, rows, ['name']).join('\n')}\n`);
  for (const { state, damage = [] } of studies.value)
    for (const { message, hint } of state.kind === 'missing' ? [state] : damage)
      printStatus([message, hint].filter(Boolean).join(' '));
  return EXIT.done;
}

/** Journals of a study that was killed are ahead of what was last saved of it: reading them corrects that. */
async function countedStudies(workbench: Host): Promise<Result<StudyView[], Refusal>> {
  const studies = await ask(workbench, 'study.list', { checked: true });
  const killed = studies.ok ? studies.value.filter(({ state }) => state.kind === 'interrupted') : [];
  for (const { study } of killed) await ask(workbench, 'study.outcomes', { studyId: study.id });
  return killed.length === 0 ? studies : ask(workbench, 'study.list', {});
}

/** "Pass@N 91.7 %, N = 24, heterogeneous"; "-" where there is none. Pass@24 is of independent samples: another metric. */
function headlineText(headline: Headline | undefined): string {
  if (headline === undefined) return '-';
  return `Pass@N ${percentText(headline.value)} %, N = ${headline.n}, ${leaderText(headline.configuration, headline.level)}`;
}

async function showOrigins(workbench: Host, options: CliOptions): Promise<number> {
  const words = [options.word(0, 'The study'), ...options.words.slice(1, 2)];
  const origins: Origin[][] = [];
  for (const studyId of words) {
    const read = await ask(workbench, 'study.origins', { studyId });
    if (!read.ok) return printRefusal(read.error);
    if (read.value.length === 0) {
      printStatus(
        `Nothing is recorded of ${studyId}: it has asked no server yet, or an older workbench searched.`,
      );
      return EXIT.failed;
    }
    origins.push(read.value);
  }
  const [first = [], second] = origins;
  const differences = second === undefined ? [] : originDifferences(first, second);
  if (options.flag('json')) return printJson(second === undefined ? first : { differences, origins });
  process.stdout.write(
    second === undefined ? `${originsText(first)}\n` : differences.map((line) => `${line}\n`).join(''),
  );
  if (second !== undefined && differences.length === 0) printStatus('No difference in what is recorded.');
  return EXIT.done;
}

export async function exportCsv(workbench: Host, options: CliOptions): Promise<number> {
  const studyId = options.word(0, 'The study');
  const kind = options.choice('what', exportKindSchema.options) ?? 'table';
  const written = await ask(workbench, 'export.write', {
    studyId,
    kind,
    path: resolve(options.required('out')),
  });
  if (!written.ok) return printRefusal(written.error);
  if (options.flag('json')) process.stdout.write(`${JSON.stringify(written.value)}\n`);
  else printStatus(`${counted(written.value.rows, 'row')} written to ${written.value.path}`);
  await printProblems(workbench, studyId);
  return EXIT.done;
}

/** Writes the readable part of a damaged journal to a new one; keeps the old one. */
async function repair(workbench: Host, options: CliOptions): Promise<number> {
  const runId = options.word(0, 'The run');
  const repaired = await ask(workbench, 'run.repair', { runId });
  if (!repaired.ok) return printRefusal(repaired.error);
  if (options.flag('json')) process.stdout.write(`${JSON.stringify(repaired.value)}\n`);
  else {
    const { movedTo, keptEvents, lostLines, leftOutEvents } = repaired.value;
    printStatus(
      `${counted(keptEvents, 'event')} kept, ${counted(lostLines, 'line')} lost, ${counted(leftOutEvents, 'event')} left out.`,
    );
    printStatus(`The damaged journal is kept as ${movedTo}. Resume the study with: mars2 resume`);
  }
  return EXIT.done;
}

async function diversity(workbench: Host, options: CliOptions): Promise<number> {
  const studyId = options.word(0, 'The study');
  const judge = serverAt(options.text('judge'));
  const similarity = serverAt(options.text('similarity'));
  const measured = await withTaskProgress(workbench, 'diversity', () =>
    ask(workbench, 'study.diversity', {
      studyId,
      ...(judge === undefined ? {} : { judge }),
      ...(similarity === undefined ? {} : { similarity }),
    }),
  );
  if (!measured.ok) return printRefusal(measured.error);
  process.stdout.write(
    options.flag('json') ? `${JSON.stringify(measured.value, null, 2)}\n` : diversityText(measured.value),
  );
  return EXIT.done;
}

/** Writes a note and tags to a study; one that is not given stays as it is. */
async function annotate(workbench: Host, options: CliOptions): Promise<number> {
  const studyId = options.word(0, 'The study');
  const [note, tags] = [options.text('note'), options.text('tags')];
  if (note === undefined && tags === undefined) throw new UsageError('--note TEXT or --tags A,B is missing.');
  const studies = await ask(workbench, 'study.list', {});
  if (!studies.ok) return printRefusal(studies.error);
  const existing = studies.value.find(({ study }) => study.id === studyId);
  const written = await ask(workbench, 'study.annotate', {
    studyId,
    note: note ?? existing?.note ?? '',
    tags: tags === undefined ? (existing?.tags ?? []) : tags.split(',').filter((tag) => tag !== ''),
  });
  if (!written.ok) return printRefusal(written.error);
  const { study, note: savedNote = '', tags: savedTags = [] } = written.value;
  if (options.flag('json'))
    process.stdout.write(`${JSON.stringify({ studyId: study.id, note: savedNote, tags: savedTags })}\n`);
  else process.stdout.write(`${study.id}  ${savedTags.join(', ') || 'no tags'}  ${savedNote}\n`);
  return EXIT.done;
}

async function rename(workbench: Host, options: CliOptions): Promise<number> {
  const studyId = options.word(0, 'The study');
  const renamed = await ask(workbench, 'study.rename', { studyId, name: options.word(1, 'The name') });
  if (!renamed.ok) return printRefusal(renamed.error);
  return options.flag('json') ? printJson({ studyId, name: renamed.value.study.name }) : EXIT.done;
}

async function setStudy(workbench: Host, options: CliOptions): Promise<number> {
  const grading = options.text('grading');
  if (grading === undefined) return setParallel(workbench, options);
  if (options.text('parallel') !== undefined) throw new UsageError('Give --parallel or --grading.');
  return setGrading(workbench, options, grading);
}

async function setParallel(workbench: Host, options: CliOptions): Promise<number> {
  const studyId = options.word(0, 'The study');
  const isMost = options.required('parallel') === 'max';
  const parallel = isMost ? null : (options.count('parallel', 1, 10_000) ?? null);
  const set = await ask(workbench, 'study.set', { studyId, parallel });
  if (!set.ok) return printRefusal(set.error);
  if (options.flag('json')) return printJson({ studyId, parallel });
  printStatus(
    parallel === null
      ? 'Requests at once: as many as each server takes.'
      : `Requests at once: ${parallel} to each server, or fewer where a server takes fewer.`,
  );
  return EXIT.done;
}
