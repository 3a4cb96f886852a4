import { readFile } from 'node:fs/promises';
import { type CliOptions, UsageError } from './cli-options';
import { exhibitText } from './exhibit-report';
import { columns } from './report';
import { ask, EXIT, type Host, say, sayRefusal } from './study-command';

/** exhibit [list] | show ID [--scale S] | text ID | check FILE | save FILE | remove ID */
export async function exhibit(workbench: Host, options: CliOptions): Promise<number> {
  const what = options.words[0] ?? 'list';
  switch (what) {
    case 'list':
      return list(workbench, options);
    case 'show':
      return show(workbench, options);
    case 'text': {
      const text = await ask(workbench, 'exhibit.text', { exhibitId: options.word(1, 'The exhibit') });
      if (!text.ok) return sayRefusal(text.error);
      process.stdout.write(text.value.text);
      return EXIT.done;
    }
    case 'check':
      return check(workbench, options);
    case 'save': {
      const saved = await ask(workbench, 'exhibit.save', { text: await fileText(options) });
      if (!saved.ok) return sayRefusal(saved.error);
      say(`Saved as ${saved.value.exhibit.id}.`);
      return EXIT.done;
    }
    case 'remove': {
      const removed = await ask(workbench, 'exhibit.remove', { exhibitId: options.word(1, 'The exhibit') });
      return removed.ok ? EXIT.done : sayRefusal(removed.error);
    }
    default:
      throw new UsageError(`There is no "exhibit ${what}".`);
  }
}

async function list(workbench: Host, options: CliOptions): Promise<number> {
  const found = await ask(workbench, 'exhibit.list', {});
  if (!found.ok) return sayRefusal(found.error);
  if (options.flag('json')) process.stdout.write(`${JSON.stringify(found.value, null, 2)}\n`);
  else {
    const rows = found.value.exhibits.map(({ exhibit: one, origin }) => [
      one.id,
      `${one.paper.title}, ${one.place}`,
      one.title,
      origin,
    ]);
    process.stdout.write(`${columns(['exhibit', 'paper', 'title', 'origin'], rows).join('\n')}\n`);
    for (const { file, problems } of found.value.problems) {
      say(`${file} can not be read: ${problems.map(({ path, message }) => `${path} ${message}`).join('; ')}`);
    }
  }
  return EXIT.done;
}

async function show(workbench: Host, options: CliOptions): Promise<number> {
  const exhibitId = options.word(1, 'The exhibit');
  const scale = options.choice('scale', ['pocket', 'paper']) ?? 'pocket';
  const result = await ask(workbench, 'exhibit.result', { exhibitId, scale });
  if (!result.ok) return sayRefusal(result.error);
  const all = await ask(workbench, 'exhibit.list', {});
  const entry = all.ok ? all.value.exhibits.find((one) => one.exhibit.id === exhibitId) : undefined;
  const text = options.flag('json')
    ? `${JSON.stringify({ exhibit: entry?.exhibit ?? null, result: result.value }, null, 2)}\n`
    : exhibitText(entry?.exhibit ?? null, result.value);
  process.stdout.write(text);
  return EXIT.done;
}

async function check(workbench: Host, options: CliOptions): Promise<number> {
  const found = await ask(workbench, 'exhibit.check', { text: await fileText(options) });
  if (!found.ok) return sayRefusal(found.error);
  const { problems } = found.value;
  if (options.flag('json')) process.stdout.write(`${JSON.stringify(problems, null, 2)}\n`);
  else if (problems.length === 0) say('Nothing is wrong with it.');
  else
    for (const { path, message } of problems)
      process.stdout.write(`${path === '' ? 'the file' : path}: ${message}\n`);
  return problems.length === 0 ? EXIT.done : EXIT.failed;
}

async function fileText(options: CliOptions): Promise<string> {
  const path = options.word(1, 'The file');
  return readFile(path, 'utf8').catch(() => {
    throw new UsageError(`The file ${path} can not be read.`);
  });
}
