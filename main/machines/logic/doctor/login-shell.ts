import {
  bad,
  type Finding,
  good,
  type ScriptCheck,
  type ScriptOutput,
  unknown,
  valuesIn,
  warning,
} from './finding';

/** Printed by the shell that is examined; whatever else comes is not ours. */
const MARKER = 'mars2-doctor-was-here';
/** Slower than this, every fresh connection is felt. */
const SLOW_SECONDS = 2;
/** Shells that do not read a POSIX script; ours go to /bin/sh all the same. */
const OTHER_SHELLS = /^(fish|csh|tcsh|xonsh|nu|elvish|pwsh|rc)$/;

/** Runs the account's shell as sshd does, for a command and for a login, and keeps what it prints beside the command. */
const SCRIPT = `
name=$(id -un)
shell=$(getent passwd "$name" 2>/dev/null | cut -d: -f7)
[ -n "$shell" ] || shell=$(sed -n "s/^$name:.*:\\([^:]*\\)$/\\1/p" /etc/passwd 2>/dev/null | head -n 1)
[ -n "$shell" ] || shell=\${SHELL:-/bin/sh}
echo "shell=$shell"
[ -x "$shell" ] || exit 0
case "$shell" in */nologin|*/false) exit 0 ;; esac
quiet() { if command -v timeout >/dev/null 2>&1; then timeout -k 1 15 "$@"; else "$@"; fi }
try() {
  label=$1; shift
  start=$(date +%s%N)
  text=$(quiet env -u SHLVL SSH_CLIENT="\${SSH_CLIENT:-127.0.0.1 1 22}" "$shell" "$@" 'echo ${MARKER}' </dev/null 2>/dev/null | head -c 4000 | tr '\\n' '\\t')
  end=$(date +%s%N)
  echo "$label.time=$start $end"
  echo "$label.text=$text"
}
try command -c
case "$shell" in */csh|*/tcsh) ;; *) try login -l -c ;; esac
exit 0
`;

export const loginShellCheck: ScriptCheck = {
  id: 'login-shell',
  title: 'Login shell',
  seconds: 40,
  script: SCRIPT,
  judge: judgeLoginShell,
};

function judgeLoginShell({ stdout }: ScriptOutput): Finding {
  const values = valuesIn(stdout);
  const shell = values.get('shell');
  if (shell === undefined) return unknown('No login shell was found for the account.');
  const program = shell.slice(shell.lastIndexOf('/') + 1);
  const command = values.get('command.text');
  if (command === undefined)
    return bad(
      `The login shell is ${shell}, which runs no commands.`,
      'Ask for a login shell: `chsh -s /bin/bash`, or an administrator.',
    );
  if (!command.includes(MARKER))
    return bad(
      `${shell} did not run a command within 15 s, or its start-up files start something else.`,
      `Run \`ssh HOST true\` by hand, and check what ~/.${program}rc starts (another shell, a menu, a prompt).`,
    );
  const printed = noiseOf(command);
  if (printed !== '')
    return warning(
      `${shell} prints "${printed}" before every command. The workbench can handle that, but scp, rsync and git over ssh break.`,
      `Put \`case $- in *i*) ;; *) return ;; esac\` at the top of ~/.${program}rc, so that only terminals see it.`,
    );
  const seconds = secondsOf(values.get('command.time'));
  const login = secondsOf(values.get('login.time'));
  const slowest = Math.max(seconds ?? 0, login ?? 0);
  if (slowest > SLOW_SECONDS)
    return warning(
      `${shell} takes ${slowest.toFixed(1)} s to start.`,
      `Find what is slow: \`time ${program} -l -c true\`; often lines of conda or modules in the start-up files.`,
    );
  const kind = OTHER_SHELLS.test(program)
    ? ' (not a POSIX shell; the workbench runs its scripts in /bin/sh)'
    : '';
  const time = seconds === null ? '' : `, starts in ${Math.max(1, Math.round(seconds * 1_000))} ms`;
  const output = values.get('login.text') ?? '';
  const noise = output.includes(MARKER) ? noiseOf(output) : '';
  return good(`${shell}${kind}${time}${noise === '' ? '' : `; a login prints "${noise}"`}.`);
}

/** The first line of what was printed beside the word, shortened. */
function noiseOf(text: string): string {
  const lines = text
    .replace(MARKER, '')
    .split('\t')
    .map((line) => line.replace(/[^\x20-\x7e]/g, '').trim())
    .filter((line) => line !== '');
  return lines[0]?.slice(0, 60) ?? '';
}

/** null where `date` knows no nanoseconds. */
function secondsOf(text: string | undefined): number | null {
  const [start = '', end = ''] = (text ?? '').split(' ');
  if (!/^\d{18,}$/.test(start) || !/^\d{18,}$/.test(end)) return null;
  return (Number(end) - Number(start)) / 1e9;
}
