import { Command, CommanderError, Option } from 'commander';
import type { SecretStore } from '../app/index';
import { CliOptions, type OptionValue } from './cli-options';
import type { Host } from './host';

/** Runs one command and returns its exit code. */
export type Action = (host: Host, options: CliOptions) => Promise<number>;

/** An action that opens no workbench. */
export type StandaloneAction = (
  options: CliOptions,
  program: {
    readonly project: string;
    readonly dataDir: string;
    readonly version: string;
    /** Keys from the environment. */
    readonly secrets: SecretStore;
  },
) => Promise<number>;

/** `flags` as in "--nodes <n>", or "--json" for a switch; `repeat`: it may be given several times. */
export type OptionSpec = { readonly flags: string; readonly about: string; readonly repeat?: true };

/** A command with its arguments ("add <host>") and the options that belong to it. */
export type CommandSpec = {
  readonly usage: string;
  readonly about: string;
  /** Printed after the list of options: values, examples, exit codes. */
  readonly details?: string;
  readonly options?: readonly OptionSpec[];
} & Run;

type Run =
  | { readonly run: Action }
  | {
      readonly standalone: StandaloneAction;
      /** With `--service`: what it does to the service of that connected machine. Left out: it has nothing to do there. */
      readonly onMachine?: (host: Host, machineId: string, options: CliOptions) => Promise<number>;
    };

/** A noun with its verbs; groups may hold groups ("trainings start pocket"). */
export type CommandGroup = {
  readonly name: string;
  readonly about: string;
  readonly commands: readonly (CommandSpec | CommandGroup)[];
  /** The heading under which the program's help lists it. */
  readonly topic?: string;
};

export const option = (flags: string, about: string): OptionSpec => ({ flags, about });
export const repeated = (flags: string, about: string): OptionSpec => ({ flags, about, repeat: true });
export const JSON_OPTION = option('--json', 'print the result as JSON');
export const VERBOSE_OPTION = option('--verbose', 'print every conclusion, and how it was computed');

const COMMON_OPTIONS = [
  option('--data <dir>', 'the data folder'),
  option('--service <machine>', 'use the background service on this machine'),
];

/** The parsed input: a command to run, or a text that is already the whole answer. */
export type Parsed =
  | {
      readonly kind: 'command';
      readonly action: Run;
      readonly options: CliOptions;
      /** Its last word, e.g. "list". */
      readonly verb: string;
      /** How the command is used, for a usage error that only the action can find. */
      readonly usage: string;
    }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'usage-error'; readonly text: string };

/**
 * Reads the words behind the program's name. Unknown commands, options of other commands and surplus words are usage
 * errors, answered with how the nearest command is used: its whole help would push the error off the screen.
 */
export function parseCommandLine(
  words: readonly string[],
  { version, mainCommands, commandGroups }: Grammar,
): Parsed {
  let text = '';
  let parsed: Parsed | null = null;
  const write = (written: string): void => {
    text += written;
  };
  const program = new Command('mars2')
    .description('MARS² Workbench in the terminal')
    .version(version)
    .helpCommand(false)
    // A long usage leaves its explanation few of a terminal's 80 columns; without this it would run past them.
    .configureHelp({ minWidthToWrap: 20 })
    .addHelpText('after', PROGRAM_DETAILS);
  const select = (command: Command, action: Run): void => {
    const verb = command.name();
    parsed = { kind: 'command', action, options: optionsOf(command), verb, usage: usageOf(command) };
  };
  program.commandsGroup('Main commands:');
  for (const command of mainCommands) addCommand(program, command, select);
  for (const group of commandGroups) {
    program.commandsGroup(`${group.topic ?? 'More'}:`);
    addCommand(program, group, select);
  }
  for (const command of eachBefore(program)) {
    command.exitOverride().configureOutput({ writeOut: write, writeErr: write });
    command.showHelpAfterError(`\n${usageOf(command)}`);
    // A group has no options: the one that was typed belongs behind the verb.
    if (command.commands.length > 0)
      command.configureOutput({ outputError: (line, print) => print(withOptionsPlaceholder(line)) });
  }
  try {
    const [first, ...rest] = words;
    program.parse(first === 'help' ? [...rest, '--help'] : words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { kind: error.exitCode === 0 ? 'help' : 'usage-error', text };
  }
  if (parsed === null) throw new Error('A command line that parses selects a command');
  return parsed;
}

function withOptionsPlaceholder(line: string): string {
  if (!line.includes('unknown option')) return line;
  return `${line}Options come after the command, as in "mars2 studies list --data DIR".\n`;
}

/** The line of a command's usage, and where its options are explained. */
function usageOf(command: Command): string {
  let path = command.name();
  for (let { parent } = command; parent !== null; parent = parent.parent) path = `${parent.name()} ${path}`;
  return `Usage: ${path} ${command.usage()}\nSee: ${path} --help`;
}

export type Grammar = {
  readonly version: string;
  readonly mainCommands: readonly CommandSpec[];
  readonly commandGroups: readonly CommandGroup[];
};

function addCommand(
  parent: Command,
  spec: CommandSpec | CommandGroup,
  select: (command: Command, action: Run) => void,
): void {
  if ('commands' in spec) {
    const group = parent.command(spec.name).description(spec.about);
    for (const child of spec.commands) addCommand(group, child, select);
    return;
  }
  const command = parent.command(spec.usage).description(spec.about);
  for (const optionSpec of [...(spec.options ?? []), ...COMMON_OPTIONS])
    command.addOption(optionOf(optionSpec));
  if (spec.details !== undefined) command.addHelpText('after', `\n${spec.details.trimEnd()}`);
  command.action(() => select(command, spec));
}

function optionOf({ flags, about, repeat }: OptionSpec): Option {
  const made = new Option(flags, about);
  if (repeat) {
    made.argParser((value, before: readonly string[] | undefined) => [...(before ?? []), value]);
  }
  return made;
}

function optionsOf(command: Command): CliOptions {
  const values = command.options.map((spec): [string, OptionValue] => [
    spec.name(),
    command.getOptionValue(spec.attributeName()) as OptionValue,
  ]);
  return new CliOptions(Object.fromEntries(values), command.args);
}

function eachBefore(root: Command): Command[] {
  const all = [root];
  for (const command of all) all.push(...command.commands);
  return all;
}

const PROGRAM_DETAILS = `
A noun has verbs: mars2 machines --help. Every verb has --help and --data DIR
(the data folder). Progress and messages go to stderr, results to stdout. If a
window has the data folder open, that window runs the command. From a checkout,
type "npm run -s cli --" for "mars2".

Exit codes
  0 done      1 failed      2 wrong usage      3 something needed is missing
  130 stopped with Ctrl+C (a study is paused and can be resumed)`;
