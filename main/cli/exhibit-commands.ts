import { readFile } from 'node:fs/promises';
import type { ExhibitFill } from '../../preload/contract/index';
import { ALL_OF_PAPERS, fillAtHand } from '../../preload/contract/plans/index';
import { type CliOptions, UsageError } from './cli-options';
import { exhibitText, fillableText } from './exhibit-report';
import { enteredText, exhibitValueCommands } from './exhibit-value-commands';
import { type CommandGroup, JSON_OPTION, option, repeated } from './grammar';
import { ask, EXIT, type Host, outFolderOf, printJson, printRefusal, printStatus } from './host';
import { FIGURES_OPTION, writeMain } from './main-report';
import { columns } from './report';
import { measuredText } from './reproduce-report';

export const exhibitCommands: CommandGroup = {
  name: 'exhibits',
  about: 'tables and figures of papers, and what was measured of them',
  commands: [
    { usage: 'list', about: 'list exhibits', options: [JSON_OPTION], run: list },
    {
      usage: 'show <exhibit>',
      about: "print what was measured last, beside the paper's numbers",
      options: [option('--scale <name>', 'pocket or paper (default: pocket)'), JSON_OPTION],
      run: show,
    },
    {
      usage: 'fill <exhibit>',
      about: 'fill rows of untrained models with a finished study, or a figure of your own with trainings',
      details: `Scale desk: small language models in the place of the paper's; every table names the one that answered. Example:
mars2 exhibits fill scaling-law --study STUDY --row single-base=small --row homogeneous-base=roles
fills two rows with the study's configurations "small" and "roles".
"mars2 exhibits show scaling-law" prints the ids of rows. Without --out nothing is saved.
An exhibit of your own is filled by the studies and trainings that its file names, or lines over trainings by those of
--line: mars2 exhibits fill my-figure --line learning=TRAINING --line learning=OTHER-SEED`,
      options: [
        option(
          '--study <id>',
          'a finished study of small language models (scale desk); default: those that your exhibit names',
        ),
        repeated(
          '--row <id=name>',
          "id as 'exhibits show' prints it, and the study's configuration; repeat it",
        ),
        repeated(
          '--line <id=training>',
          'a line over a training of your own exhibit, and a training by its id; again for another seed',
        ),
        option('--out <dir>', 'write its table and its first figure there; left out: only print it'),
        FIGURES_OPTION,
        JSON_OPTION,
      ],
      run: fill,
    },
    {
      usage: 'print <exhibit>',
      about: 'print its file, to copy; "template" prints an empty one',
      run: print,
    },
    {
      usage: 'check <file>',
      about: 'say what is wrong in a file of your own, and where',
      options: [JSON_OPTION],
      run: check,
    },
    { usage: 'save <file>', about: 'save a file of your own', run: save },
    { usage: 'remove <exhibit>', about: 'remove one of your own', run: remove },
    ...exhibitValueCommands,
  ],
};

async function print(workbench: Host, options: CliOptions): Promise<number> {
  const text = await ask(workbench, 'exhibit.text', { exhibitId: options.word(0, 'The exhibit') });
  if (!text.ok) return printRefusal(text.error);
  process.stdout.write(text.value.text);
  return EXIT.done;
}

async function save(workbench: Host, options: CliOptions): Promise<number> {
  const saved = await ask(workbench, 'exhibit.save', { text: await fileText(options) });
  if (!saved.ok) return printRefusal(saved.error);
  printStatus(`Saved as ${saved.value.exhibit.id}.`);
  return EXIT.done;
}

async function remove(workbench: Host, options: CliOptions): Promise<number> {
  const removed = await ask(workbench, 'exhibit.remove', { exhibitId: options.word(0, 'The exhibit') });
  return removed.ok ? EXIT.done : printRefusal(removed.error);
}

async function list(workbench: Host, options: CliOptions): Promise<number> {
  const all = await ask(workbench, 'exhibit.list', {});
  if (!all.ok) return printRefusal(all.error);
  const measured = await ask(workbench, 'reproduction.list', {});
  if (!measured.ok) return printRefusal(measured.error);
  const studies = await ask(workbench, 'study.list', { checked: true });
  if (!studies.ok) return printRefusal(studies.error);
  if (options.flag('json')) printJson(all.value);
  else {
    const rows = all.value.exhibits.map(({ exhibit: listed, origin }) => [
      listed.id,
      `${listed.paper.title}, ${listed.place}`,
      listed.title,
      origin,
      measuredText(listed.id, measured.value, studies.value),
    ]);
    process.stdout.write(
      `${columns(['exhibit', 'paper', 'title', 'origin', 'measured at'], rows).join('\n')}\n`,
    );
    printStatus(`${ALL_OF_PAPERS}.`);
    for (const { file, problems } of all.value.problems) {
      printStatus(
        `${file} cannot be read: ${problems.map(({ path, message }) => `${path} ${message}`).join('; ')}`,
      );
    }
  }
  return EXIT.done;
}

async function show(workbench: Host, options: CliOptions): Promise<number> {
  const exhibitId = options.word(0, 'The exhibit');
  const scale = options.choice('scale', ['pocket', 'paper']) ?? 'pocket';
  const result = await ask(workbench, 'exhibit.result', { exhibitId, scale });
  if (!result.ok) return printRefusal(result.error);
  const all = await ask(workbench, 'exhibit.list', {});
  const entry = all.ok ? all.value.exhibits.find((exhibit) => exhibit.exhibit.id === exhibitId) : undefined;
  const text = options.flag('json')
    ? `${JSON.stringify({ exhibit: entry?.exhibit ?? null, result: result.value }, null, 2)}\n`
    : `${exhibitText(entry?.exhibit ?? null, result.value)}${entry === undefined ? '' : `\n${enteredText(entry)}${fillableText(entry.exhibit)}`}`;
  process.stdout.write(text);
  return EXIT.done;
}

async function fill(workbench: Host, options: CliOptions): Promise<number> {
  const out = await outFolderOf(options);
  if (!out.ok) return printRefusal(out.error);
  const exhibitId = options.word(0, 'The exhibit');
  const rows = options.all('row').map((text) => pairOf(text, 'row', 'ID=CONFIGURATION'));
  const lines = linesOf(options);
  if (rows.length === 0 && options.text('study') === undefined) {
    if (lines.length > 0) return printFilled(workbench, options, { exhibitId, filled: [], lines }, out.value);
    const all = await ask(workbench, 'exhibit.list', {});
    if (!all.ok) return printRefusal(all.error);
    const entry = all.value.exhibits.find(({ exhibit }) => exhibit.id === exhibitId);
    if (entry === undefined)
      throw new UsageError(`There is no exhibit "${exhibitId}". List them with: mars2 exhibits list`);
    const request = fillAtHand(entry.exhibit);
    if (request !== null) return printFilled(workbench, options, request, out.value);
  }
  if (lines.length > 0)
    throw new UsageError('Fill lines of trainings and rows of a study one after the other.');
  if (rows.length === 0) throw new UsageError('Name a row to fill: --row ID=CONFIGURATION.');
  const filled = rows.map(([configurationId, configuration]) => ({ configurationId, configuration }));
  return printFilled(
    workbench,
    options,
    { exhibitId, studyId: options.required('study'), filled },
    out.value,
  );
}

function pairOf(text: string, noun: string, form: string): [id: string, value: string] {
  const equals = text.indexOf('=');
  if (equals < 1 || equals === text.length - 1)
    throw new UsageError(`"${text}" is not a ${noun}. Write --${noun} ${form}.`);
  return [text.slice(0, equals), text.slice(equals + 1)];
}

/** A line for each id, with one training per seed. */
function linesOf(options: CliOptions): NonNullable<ExhibitFill['lines']> {
  const trainings = new Map<string, string[]>();
  for (const text of options.all('line')) {
    const [id, training] = pairOf(text, 'line', 'ID=TRAINING');
    trainings.set(id, [...(trainings.get(id) ?? []), training]);
  }
  return [...trainings].map(([seriesId, own]) => ({ seriesId, trainings: own }));
}

/** Prints the filled rows, and writes them to the folder `out` if there is one. */
async function printFilled(
  workbench: Host,
  options: CliOptions,
  request: ExhibitFill,
  out: string | null,
): Promise<number> {
  const answer = await ask(workbench, 'exhibit.fill', request);
  if (!answer.ok) return printRefusal(answer.error);
  const { exhibit, result } = answer.value;
  if (options.flag('json')) printJson(answer.value);
  else process.stdout.write(exhibitText(exhibit, result));
  if (out === null) return EXIT.done;
  return writeMain(workbench, { kind: 'filled-exhibit', fill: request }, out, options);
}

async function check(workbench: Host, options: CliOptions): Promise<number> {
  const all = await ask(workbench, 'exhibit.check', { text: await fileText(options) });
  if (!all.ok) return printRefusal(all.error);
  const { problems } = all.value;
  if (options.flag('json')) printJson(problems);
  else if (problems.length === 0) printStatus('No problems found.');
  else
    for (const { path, message } of problems)
      process.stdout.write(`${path === '' ? 'the file' : path}: ${message}\n`);
  return problems.length === 0 ? EXIT.done : EXIT.failed;
}

async function fileText(options: CliOptions): Promise<string> {
  const path = options.word(0, 'The file');
  return readFile(path, 'utf8').catch(() => {
    throw new UsageError(`The file ${path} cannot be read.`);
  });
}
