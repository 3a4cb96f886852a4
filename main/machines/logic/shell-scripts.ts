import { scriptCommand, shellWord, shellWords } from '../../base';
import { groupLeaderPrefix, type ShellTools, sessionOf } from './shell-survey';

/**
 * The command for the login shell: a plain shell that prints a hello first, which separates its output from anything
 * before (greetings of rc files). Every login shell understands it. Sent again as a line of input, it also reaches a
 * shell that an rc file has started instead, and an rc file that reads a line. It stands in the process table, which every
 * user of the machine reads, so nothing in it is a secret: who forges the hello only has `tokenLine` sent too early.
 */
export function helloLine(number: number): string {
  return `exec /bin/sh -c 'echo ${HELLO} ${number}; exec /bin/sh'`;
}

export function helloAnswer(number: number): string {
  return `${HELLO} ${number}\n`;
}

const HELLO = 'mars2-shell';

/**
 * Input for the plain shell after its hello: nobody else has seen the token, so its answer comes from that shell. The line
 * does not end as its answer does: a program that repeats its input is no shell.
 */
export function tokenLine(token: string, number: number): string {
  return `echo ${token} ${number}; :`;
}

export function tokenAnswer(token: string, number: number): string {
  return `${token} ${number}\n`;
}

/**
 * Marks around what a script writes. Neither stands in the arguments of a process, which every user of the machine can
 * read: a foreign text that the script prints could end the answer.
 */
export type Marks = { readonly begin: string; readonly end: string };

/** Once for each shell: scripts write to descriptor 4. */
export const SHELL_SET_UP = 'exec 4>&1\n';

/** A script in the shell itself, with the same marks; for the survey of the machine's tools. */
export function bareBlock({ begin, end }: Marks, script: string): string {
  return `printf '${begin}\\n' >&2; printf '${begin} 0\\n'
${script}
printf '${end} %s 1\\n' "$?"; printf '${end}\\n' >&2
`;
}

/**
 * Lines for a plain shell that run a script as a process group. Its output and its errors are each enclosed in a begin
 * and an end mark. The output's begin mark has the number of the group, its end mark the exit code and 0 when a process
 * of the group is still running.
 */
export function runBlock(
  tools: Pick<ShellTools, 'guard'>,
  { begin, end }: Marks,
  script: string,
  stdin: string,
  seconds: number,
): string {
  const { prefix, group } = groupLeaderPrefix(tools, seconds);
  // Descriptor 3 passes the group's number to the shell. It is closed before the script begins, or processes that the script
  // leaves running would block the shell.
  const framed = `echo "${group}" >&3; exec 3>&-; printf '${begin} %s\\n' "${group}"\n${script}`;
  const input = stdin === '' ? '' : `printf %s ${shellWord(stdin)} 2>/dev/null | `;
  const command = `${scriptCommand(`${prefix}/bin/sh`, framed)} 3>&1 >&4 4>&-${stdin === '' ? ' </dev/null' : ''}`;
  return `printf '${begin}\\n' >&2
p=$(${input}${command}); c=$?; kill -s 0 -- -"$p" 2>/dev/null; printf '${end} %s %s\\n' "$c" "$?"; printf '${end}\\n' >&2
`;
}

/**
 * A line for a plain shell that replaces it by the process: a process group that ends with the connection. Its output
 * and errors begin with marks (the output's has the group's number); its errors end with one that has the exit code.
 */
export function attachedBlock(
  tools: ShellTools,
  { begin, end }: Marks,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): string {
  // The parent is the server's process for this session: it ends with the connection, wherever that breaks.
  const watch = `( while kill -s 0 "$PPID" 2>/dev/null; do kill -s 0 $$ 2>/dev/null || exit; sleep 3; done; kill -s KILL -- -$$ ) </dev/null >/dev/null 2>&1 &`;
  // The marks come in the environment, which other users cannot read, and do not continue to the command.
  const framed = `begin=$MARS2_BEGIN; end=$MARS2_END; unset MARS2_BEGIN MARS2_END
if kill -s 0 "$PPID" 2>/dev/null; then ${watch} fi
printf '%s %s\\n' "$begin" $$; printf '%s\\n' "$begin" >&2
"$@"
printf '%s %s\\n' "$end" "$?" >&2`;
  const leader = `/bin/sh -c ${shellWord(framed)} mars2 ${shellWords(words)}`;
  const set = Object.entries({ ...env, MARS2_BEGIN: begin, MARS2_END: end }).map(
    ([name, value]) => `${name}=${shellWord(value)}; export ${name}; `,
  );
  // Usually the server has already created a session for it.
  return `${set.join('')}if kill -s 0 -- -$$ 2>/dev/null; then exec ${leader}; else exec ${sessionOf(tools).prefix}${leader}; fi\n`;
}

/** Kills a process group at once. */
export function killScript(group: number): string {
  return `kill -s KILL -- -${group} 2>/dev/null`;
}
