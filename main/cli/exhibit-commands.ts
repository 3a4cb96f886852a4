import { readFile } from 'node:fs/promises';
import { type CliOptions, UsageError } from './cli-options';
import { exhibitText } from './exhibit-report';
import { type CommandGroup, JSON_OPTION, option } from './grammar';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';
import { columns } from './report';

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
  if (options.flag('json')) printJson(all.value);
  else {
    const rows = all.value.exhibits.map(({ exhibit: listed, origin }) => [
      listed.id,
      `${listed.paper.title}, ${listed.place}`,
      listed.title,
      origin,
    ]);
    process.stdout.write(`${columns(['exhibit', 'paper', 'title', 'origin'], rows).join('\n')}\n`);
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
    : exhibitText(entry?.exhibit ?? null, result.value);
  process.stdout.write(text);
  return EXIT.done;
}

async function check(workbench: Host, options: CliOptions): Promise<number> {
  const all = await ask(workbench, 'exhibit.check', { text: await fileText(options) });
  if (!all.ok) return printRefusal(all.error);
  const { problems } = all.value;
  if (options.flag('json')) printJson(problems);
  else if (problems.length === 0) printStatus('Nothing is wrong with it.');
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
