import { describe, expect, it } from 'vitest';
import {
  type CommandGroup,
  type CommandSpec,
  type Parsed,
  parseCommandLine,
} from '../../../main/cli/grammar';
import { absentDataFolder, typedCommand } from '../../../main/cli/host';
import { commandGroups, mainCommands } from '../../../main/cli/program';

const parse = (line: string): Parsed =>
  parseCommandLine(line.split(' ').filter(Boolean), { version: '1.2.3', mainCommands, commandGroups });

const parsedOptions = (line: string) => {
  const parsed = parse(line);
  if (parsed.kind !== 'command') throw new Error(`${line}: ${parsed.text}`);
  return parsed.options;
};

/** Every command with the words that lead to it. */
function* commandsOf(
  specs: readonly (CommandSpec | CommandGroup)[],
  before: readonly string[] = [],
): Generator<readonly [path: string, spec: CommandSpec]> {
  for (const spec of specs) {
    if ('commands' in spec) yield* commandsOf(spec.commands, [...before, spec.name]);
    else yield [[...before, spec.usage.split(' ')[0]].join(' '), spec];
  }
}
const commands = [...commandsOf([...mainCommands, ...commandGroups])];

describe('the grammar of the terminal', () => {
  it('has main acts of one word, and nouns in the plural with verbs', () => {
    expect(mainCommands.map(({ usage }) => usage.split(' ')[0])).toEqual([
      ...['quickstart', 'run', 'resume', 'reproduce', 'compare', 'export', 'verify', 'doctor', 'gpu-day'],
    ]);
    for (const { name, commands: verbs } of commandGroups) {
      // There is one grader, and one background service.
      expect(name).toMatch(/s$|^(?:grader|service)$/);
      expect(verbs.length).toBeGreaterThan(0);
    }
  });

  it.each(commands.map(([path]) => path))('"%s --help" lists its own options', (path) => {
    const parsed = parse(`${path} --help`);
    expect(parsed.kind).toBe('help');
    const text = parsed.kind === 'help' ? parsed.text : '';
    expect(text).toContain(`Usage: mars2 ${path}`);
    expect(text).toContain('--data <dir>');
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
  });

  it('wraps the lines of a noun whose verbs have long arguments', () => {
    const help = parse('jobs --help');
    const lines = help.kind === 'help' ? help.text.split('\n') : [];
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  it('knows a command that only reads, which makes no data folder: its disk may not be there', () => {
    const refusalOf = (line: string) => {
      const parsed = parse(line);
      if (parsed.kind !== 'command') throw new Error(parsed.text);
      return absentDataFolder(parsed.verb, parsed.options)?.message ?? null;
    };
    expect(refusalOf('studies list --data /no-such/disk')).toBe('There is no data folder /no-such/disk.');
    expect(refusalOf('studies list')).toBeNull();
    expect(refusalOf('studies list --data /')).toBeNull();
    expect(refusalOf('quickstart --data /no-such/disk')).toBeNull();
  });

  it('tells others of a command without its options', () => {
    expect(typedCommand(['machines', 'prepare', 'local', '--token', 'secret'])).toBe(
      'mars2 machines prepare local',
    );
  });

  it('names all that is missing at once', () => {
    const options = parsedOptions('run --benchmark b');
    expect(() => options.requireAll('benchmark', 'configuration', 'out')).toThrow(
      'Missing: --configuration, --out.',
    );
  });

  it.each(commands.map(([path]) => path))('"%s" refuses an option that is not its own', (path) => {
    const parsed = parse(`${path} x y z --tie-break bogus`);
    expect(parsed.kind).toBe('usage-error');
  });

  it.each([
    ['machines list --nodes 5', "unknown option '--nodes'"],
    ['studies list --tie bogus', "unknown option '--tie'"],
    ['--data x doctor', 'Options come after the command'],
    ['studies --data x list', 'Options come after the command'],
    ['list', "unknown command 'list'"],
    ['machines', 'Usage: mars2 machines'],
    ['trainings start', 'Usage: mars2 trainings start'],
    ['machines add', "missing required argument 'host'"],
    ['studies list extra', 'too many arguments'],
    ['quickstart --out', 'argument missing'],
    ['frobnicate', "unknown command 'frobnicate'"],
    ['', 'Usage: mars2'],
  ])('"%s" is wrong usage: %s', (line, text) => {
    const parsed = parse(line);
    expect(parsed.kind).toBe('usage-error');
    expect(parsed.kind === 'usage-error' && parsed.text).toContain(text);
  });

  it('a wrong option is answered in a few lines, the error first', () => {
    const parsed = parse('trainings start pocket --nods 5');
    expect(parsed.kind === 'usage-error' && parsed.text.trim().split('\n')).toEqual([
      "error: unknown option '--nods'",
      '(Did you mean --nodes?)',
      '',
      'Usage: mars2 trainings start pocket [options]',
      'See: mars2 trainings start pocket --help',
    ]);
  });

  it('answers --help and --version without opening anything', () => {
    expect(parse('--version')).toEqual({ kind: 'help', text: '1.2.3\n' });
    const help = parse('--help');
    expect(help.kind === 'help' && help.text).toContain('Exit codes');
    expect(parse('help machines add')).toEqual(parse('machines add --help'));
  });

  it('lists the nouns in the groups of the sidebar', () => {
    const help = parse('--help');
    const text = help.kind === 'help' ? help.text : '';
    const at = ['Results:', 'studies', 'Training:', 'trainings', 'Machines:', 'jobs'].map((word) =>
      text.search(new RegExp(`^(  )?${word}`, 'm')),
    );
    expect(at).toEqual([...at].sort((a, b) => a - b));
    expect(at[0]).toBeGreaterThan(0);
  });

  it('hands over texts, switches, repeated options and arguments', () => {
    const options = parsedOptions(
      'run --benchmark b --configuration a=x --configuration c=y --stop-when-solved --tree-tokens 7',
    );
    expect(options.text('benchmark')).toBe('b');
    expect(options.all('configuration')).toEqual(['a=x', 'c=y']);
    expect(options.flag('stop-when-solved')).toBe(true);
    expect(options.flag('include-excluded')).toBe(false);
    expect(options.count('tree-tokens', 1, 10)).toBe(7);
    expect(parsedOptions('jobs logs j -f').flag('follow')).toBe(true);
  });

  it('leaves a command behind "--" as it is', () => {
    const options = parsedOptions('jobs start gpu1 --gpus 2 -- python train.py --gpus 9');
    expect(options.words).toEqual(['gpu1', 'python', 'train.py', '--gpus', '9']);
    expect(options.count('gpus', 0, 64)).toBe(2);
  });
});
