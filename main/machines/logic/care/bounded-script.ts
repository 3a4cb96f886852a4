/** A shell function that the script defines and runs in the background. */
export type ScriptPart = {
  /** Lower-case letters and "_". */
  readonly name: string;
  /** POSIX shell. May call `section name code note` to begin a part of its output, and `limited seconds command...`. */
  readonly body: string;
};

/** What a part that was not done in time ends with; `timeout` of coreutils uses the same number. */
const RAN_OUT_OF_TIME = 124;
/** What a program ends with that `timeout` had to kill. */
const KILLED = 137;

export function isOutOfTime(code: number): boolean {
  return code === RAN_OUT_OF_TIME || code === KILLED;
}

/** Enough for hundreds of GPUs and thousands of processes; a part that writes more is cut. */
const MOST_BYTES = 2_000_000;

/**
 * A script that runs its parts side by side and, after `seconds`, answers with what there is. A program that a
 * driver or a dead file server holds in the kernel cannot be killed, and whoever waits for it waits for ever; so a
 * part writes to files, holds none of our streams, and nobody waits for it. The files lie in memory where that
 * works: a full disk keeps nobody from looking.
 */
export function boundedScript(options: {
  readonly mark: string;
  readonly parts: readonly ScriptPart[];
  readonly seconds: number;
  /** Runs after the parts, while their folder "$work" is still there; it gets two seconds. */
  readonly afterwards?: ScriptPart;
}): string {
  const { mark, parts, seconds, afterwards } = options;
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
[ -n "$work" ] || { echo 'No folder could be written: /dev/shm, /tmp, /var/tmp and the home folder are full or read-only.' >&2; exit 74; }
trap 'rm -rf "$work"' EXIT
trap 'exit 143' HUP INT TERM PIPE
section() { printf '\\n%s %s %s %s\\n' '${mark}' "$1" "$2" "\${3:-}"; }
limited() {
  limit=$1; shift
  if command -v timeout >/dev/null 2>&1; then timeout -k 1 "$limit" "$@"; else "$@"; fi
}
begin() {
  ( "part_$1"; echo "$?" >"$work/$1.end" ) </dev/null >"$work/$1.out" 2>"$work/$1.err" &
  eval "pid_$1=$!"
}
patience() {
  ticks=0; most=$(($1 * 20)); shift
  while :; do
    waiting=
    for name in "$@"; do [ -s "$work/$name.end" ] || waiting=yes; done
    [ -n "$waiting" ] && [ "$ticks" -lt "$most" ] || break
    if sleep 0.05 2>/dev/null; then ticks=$((ticks + 1)); else sleep 1; ticks=$((ticks + 20)); fi
  done
  for name in "$@"; do
    ended=${RAN_OUT_OF_TIME}
    if [ -s "$work/$name.end" ]; then read -r ended <"$work/$name.end"; else eval "kill \\"\\$pid_$name\\"" 2>/dev/null; fi
    section "$name" "$ended"
    head -c ${MOST_BYTES} "$work/$name.out"
    section "$name.said" 0
    tail -c 4000 "$work/$name.err"
  done
}
${functions.map(({ name, body }) => `part_${name}() {\n${body.trim()}\n}`).join('\n')}
${parts.map(({ name }) => `begin ${name}`).join('\n')}
patience ${seconds} ${parts.map(({ name }) => name).join(' ')}
${afterwards === undefined ? '' : `begin ${afterwards.name}\npatience 2 ${afterwards.name}`}
section end 0
exit 0
`;
}
