/** A shell function that the script defines and runs in the background. */
export type ScriptPart = {
  /** Lower-case letters and "_". */
  readonly name: string;
  /**
   * POSIX shell. May call `section name code note` to begin a section of its output, and `limited seconds command...`.
   */
  readonly body: string;
};

/** Exit code of a part that was not done in time; `timeout` of coreutils uses the same. */
const TIMED_OUT = 124;
/** Exit code of a program that `timeout` had to kill. */
const KILLED = 137;

export function hasTimedOut(code: number): boolean {
  return code === TIMED_OUT || code === KILLED;
}

/** Enough for hundreds of GPUs and thousands of processes; the output of a part beyond it is cut off. */
const MAX_BYTES = 2_000_000;

/**
 * A script that runs its parts in parallel and prints the available results after `seconds`. A program that a driver or
 * a dead file server blocks in the kernel cannot be killed, and waiting for it never ends; so a part writes to files,
 * holds none of our streams, and is not waited for. The files are in memory where possible: a full disk does not
 * prevent a probe.
 *
 * A section begins with a line "@ name code note", and each line of its text with "|": the text is often another user's
 * (a file, a process' name), and none can begin a section, whatever its writer knows of this script.
 */
export function boundedScript(options: {
  readonly parts: readonly ScriptPart[];
  readonly seconds: number;
  /** Runs after the parts, while their folder "$work" is still there; it gets two seconds. */
  readonly afterwards?: ScriptPart;
}): string {
  const { parts, seconds, afterwards } = options;
  const functions = [...parts, ...(afterwards === undefined ? [] : [afterwards])];
  return `
LC_ALL=C; export LC_ALL
PATH="$PATH:/usr/local/bin:/usr/sbin:/sbin:/usr/local/nvidia/bin:/usr/lib/wsl/lib:/opt/rocm/bin"; export PATH
umask 077
work=
for base in /dev/shm "\${XDG_RUNTIME_DIR:-}" "\${TMPDIR:-/tmp}" /var/tmp "\${HOME:-}"; do
  [ -n "$base" ] && work=$(mktemp -d "$base/mars2-look.XXXXXX" 2>/dev/null) || continue
  printf '%s' writable >"$work/.try" 2>/dev/null && [ -s "$work/.try" ] && break
  rm -rf "$work"; work=
done
[ -n "$work" ] || { echo 'Cannot write to any folder: /dev/shm, /tmp, /var/tmp and the home folder are full or read-only.' >&2; exit 74; }
trap 'rm -rf "$work"' EXIT
trap 'exit 143' HUP INT TERM PIPE
# From here on the part's output goes into a file of this section alone; a line feed in the note becomes a blank.
section() {
  count=\${count:-1000}
  while [ -e "$work/$part.$count.head" ]; do count=$((count + 1)); done
  set -f; set -- $1 $2 \${3:-}; set +f
  printf '%s\\n' "$*" >"$work/$part.$count.head"
  exec >"$work/$part.$count.text"
}
frame() {
  printf '\\n@ %s\\n' "$1"
  sed 's/^/|/' "$2" 2>/dev/null
}
frames_of() {
  frame "$1 $2" "$work/$1.out"
  for head in "$work/$1".*.head; do
    [ -e "$head" ] && read -r words <"$head" && frame "$words" "\${head%.head}.text"
  done
}
limited() {
  limit=$1; shift
  if command -v timeout >/dev/null 2>&1; then timeout -k 1 "$limit" "$@"; else "$@"; fi
}
begin() {
  ( part=$1; "part_$1"; echo "$?" >"$work/$part.end" ) </dev/null >"$work/$1.out" 2>/dev/null &
  eval "pid_$1=$!"
}
wait_for() {
  ticks=0; most=$(($1 * 20)); shift
  while :; do
    waiting=
    for name in "$@"; do [ -s "$work/$name.end" ] || waiting=yes; done
    [ -n "$waiting" ] && [ "$ticks" -lt "$most" ] || break
    if sleep 0.05 2>/dev/null; then ticks=$((ticks + 1)); else sleep 1; ticks=$((ticks + 20)); fi
  done
  for name in "$@"; do
    ended=${TIMED_OUT}
    if [ -s "$work/$name.end" ]; then read -r ended <"$work/$name.end"; else eval "kill \\"\\$pid_$name\\"" 2>/dev/null; fi
    frames_of "$name" "$ended" | head -c ${MAX_BYTES}
  done
}
${functions.map(({ name, body }) => `part_${name}() {\n${body.trim()}\n}`).join('\n')}
${parts.map(({ name }) => `begin ${name}`).join('\n')}
wait_for ${seconds} ${parts.map(({ name }) => name).join(' ')}
${afterwards === undefined ? '' : `begin ${afterwards.name}\nwait_for 2 ${afterwards.name}`}
printf '\\n@ end 0\\n'
exit 0
`;
}
