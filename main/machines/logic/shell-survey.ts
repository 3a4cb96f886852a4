/** The capabilities of a machine's tools, surveyed once per connection. */
export type ShellTools = {
  /** The user's home folder. */
  readonly home: string;
  /** How a script becomes the leader of a group that can be ended as a whole. */
  readonly guard: 'timeout' | 'setsid' | 'perl' | 'python3' | 'none';
  /** How a job becomes the leader of its own session. */
  readonly detach: 'setsid-fork' | 'perl' | 'python3' | 'setsid' | 'none';
  /** How a file's size is asked for. */
  readonly stat: 'gnu' | 'bsd';
  readonly digest: 'sha256sum' | 'shasum' | 'none';
  /** True where processes are read from /proc, as on Linux. */
  readonly hasProc: boolean;
};

/** Prints a line for each field of `ShellTools`. Only GNU's `timeout` leads a group. */
export const SURVEY = `
have() { command -v "$1" >/dev/null 2>&1; }
fork=none; guard=none
if have python3; then fork=python3; guard=python3; fi
if have perl; then fork=perl; guard=perl; fi
if have setsid; then
  guard=setsid
  if [ "$fork" = none ]; then fork=setsid; fi
  if setsid -f true 2>/dev/null; then fork=setsid-fork; fi
fi
case "$(timeout --version 2>/dev/null)" in *GNU*) guard=timeout;; esac
digest=none
if have shasum; then digest=shasum; fi
if have sha256sum; then digest=sha256sum; fi
if stat -L -c %s / >/dev/null 2>&1; then stat=gnu; else stat=bsd; fi
if [ -r /proc/self/stat ] && [ -r /proc/sys/kernel/random/boot_id ]; then proc=yes; else proc=no; fi
printf 'guard=%s\\ndetach=%s\\nstat=%s\\ndigest=%s\\nproc=%s\\nhome=%s\\n' "$guard" "$fork" "$stat" "$digest" "$proc" "$HOME"
`;

/** null when it is no such text. */
export function parseSurvey(text: string): ShellTools | null {
  const fields = new Map<string, string>();
  for (const line of text.split('\n')) {
    const cut = line.indexOf('=');
    if (cut > 0) fields.set(line.slice(0, cut), line.slice(cut + 1));
  }
  const oneOf = <T extends string>(name: string, values: readonly T[]): T | null =>
    values.find((value) => value === fields.get(name)) ?? null;
  const guard = oneOf('guard', ['timeout', 'setsid', 'perl', 'python3', 'none']);
  const detach = oneOf('detach', ['setsid-fork', 'perl', 'python3', 'setsid', 'none']);
  const stat = oneOf('stat', ['gnu', 'bsd']);
  const digest = oneOf('digest', ['sha256sum', 'shasum', 'none']);
  const home = fields.get('home');
  if (guard === null || detach === null || stat === null || digest === null) return null;
  if (home === undefined || !home.startsWith('/')) return null;
  return { home, guard, detach, stat, digest, hasProc: fields.get('proc') === 'yes' };
}

const PERL_SETSID = `perl -MPOSIX -e 'POSIX::setsid(); exec @ARGV; exit 127'`;
const PYTHON_SETSID = `python3 -c 'import os,sys; os.setsid(); os.execvp(sys.argv[1], sys.argv[1:])'`;

/**
 * Words in front of a command that make it the leader of a group, and the expression for the group's number in that
 * command. If possible, the machine itself ends the group after `seconds`, in case the connection is gone by then.
 */
export function groupLeaderPrefix(
  tools: Pick<ShellTools, 'guard'>,
  seconds: number,
): { readonly prefix: string; readonly group: string } {
  switch (tools.guard) {
    case 'timeout':
      return { prefix: `timeout -s KILL ${Math.ceil(seconds)} `, group: '$PPID' };
    case 'setsid':
      return { prefix: 'setsid ', group: '$$' };
    case 'perl':
      return { prefix: `${PERL_SETSID} `, group: '$$' };
    case 'python3':
      return { prefix: `${PYTHON_SETSID} `, group: '$$' };
    case 'none':
      return { prefix: '', group: '0' };
  }
}

/** The same without a time limit, for an attached process. */
export function sessionOf(tools: ShellTools): { readonly prefix: string; readonly group: string } {
  if (tools.guard !== 'timeout') return groupLeaderPrefix(tools, 0);
  const guard = tools.detach === 'setsid-fork' || tools.detach === 'setsid' ? 'setsid' : tools.detach;
  return groupLeaderPrefix({ guard }, 0);
}

/**
 * A shell script that starts "$@" as the leader of its own session with no stream tied to us, and prints its number. $1
 * is the folder; then the environment as NAME=value words; then "--" and the command. A shell starts background
 * processes with SIGINT ignored, and the job would inherit that. So another program does the fork if there is one.
 */
export function detachScript(tools: Pick<ShellTools, 'detach'>): string {
  const leader = `/bin/sh -c 'echo $$; exec "$@" </dev/null >/dev/null 2>&1' mars2 "$@"`;
  const start = {
    'setsid-fork': `pid=$(setsid -f ${leader})`,
    perl: `pid=$(perl -MPOSIX -e 'exit 0 if fork; POSIX::setsid(); exec @ARGV; exit 127' ${leader})`,
    python3: `pid=$(python3 -c 'import os,sys
if os.fork(): os._exit(0)
os.setsid(); os.execvp(sys.argv[1], sys.argv[1:])' ${leader})`,
    setsid: `setsid "$@" </dev/null >/dev/null 2>&1 & pid=$!`,
    none: `nohup "$@" </dev/null >/dev/null 2>&1 & pid=$!`,
  }[tools.detach];
  return `
cd -- "$1" || exit 41
shift
while [ "$1" != -- ]; do export "$1"; shift; done
shift
command -v -- "$1" >/dev/null || exit 42
${start}
printf '%s\\n' "$pid"
`;
}
