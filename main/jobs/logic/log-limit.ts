import type { LeftOutPart } from '../../../preload/contract';
import { END_PAUSE } from './pause';

/** Where no setting says otherwise; the setting's default, see `jobLogGb`. */
export const DEFAULT_LOG_LIMIT_BYTES = 1_000_000_000;

/** Next to a log whose middle was left out: where, how many lines, and the limit (`parseLeftOut`). */
export function leftOutFile(log: string): string {
  return `${log}.left-out`;
}

/** Next to a log that was cut, until its end is put back. */
export function cutEndFile(log: string): string {
  return `${log}.end-at`;
}

/** Seconds between two checks of a job's logs: below half of the limit, and above. A check starts two short processes. */
const QUIET_S = 5;
const BUSY_S = 1;

/**
 * Shell functions that keep a log below its limit while a job appends to it. The job writes to the file itself, so nothing
 * here can block or end it. The first quarter of the limit is kept, and the newest half to three quarters; what lies
 * between is freed inside the file (`fallocate --punch-hole`). The file keeps its length, so every byte keeps its offset.
 * What is left out is written down before it is freed: a reader that finds zeros finds the reason. Every step may be
 * repeated after an interruption.
 *
 * Where the disk cannot free a part of a file (NFS before 4.2, macOS), the file is cut behind its first quarter,
 * lengthened again, and its end is put back from a copy. What the job writes between the copy's end and the cut, some
 * milliseconds, can then be missing or out of its place.
 *
 * They use `own` (the attempt's folder), `limit` (bytes) and `pause_for`.
 *
 * `limit_logs FILE...`     one check
 * `finish_limits FILE...`  what an interruption left undone
 * `watch_logs FILE...`     checks until this shell is gone or it gets TERM
 */
export const LOG_LIMIT = `
size_of() { stat -c %s "$1" 2>/dev/null || stat -f %z "$1" 2>/dev/null || echo 0; }
part_of() {
  if dd iflag=skip_bytes,count_bytes count=0 </dev/null 2>/dev/null; then
    nice -n 19 dd if="$1" bs=1048576 iflag=skip_bytes,count_bytes skip="$2" count="$3" 2>/dev/null
  else
    tail -c "+$(($2 + 1))" -- "$1" | head -c "$3"
  fi
}
# Room for the next note: on a full disk it must still be possible to write down what is freed.
reserve_note() { [ -s "$own/left-out.tmp" ] || printf '%127s\\n' '' >"$own/left-out.tmp"; }
read_note() {
  first= last=0 lines=0
  [ ! -r "$1.left-out" ] || read -r first last lines noted <"$1.left-out"
  case "$first$last$lines" in *[!0-9]*) first= last=0 lines=0 ;; esac
  [ -n "$first" ] || last=0 lines=0
}
write_note() {
  printf '%s %s %s %s %s\\n' "$2" "$3" "$4" "$limit" "$way" 1<>"$own/left-out.tmp" && mv "$own/left-out.tmp" "$1.left-out"
}
free_part() { fallocate -p -o "$2" -l "$(($3 - $2))" "$1"; }
set_length() { dd if=/dev/null of="$1" bs=1 seek="$2" 2>/dev/null; }
# After an interruption too: the end of a log that was cut.
put_back() {
  [ -e "$1.end" ] || return 0
  read_note "$1"
  kept=$(size_of "$1.end")
  if [ -n "$first" ] && [ "$(cat "$1.end-at")" = "$last" ]; then
    [ "$(size_of "$1")" -ge "$((last + kept))" ] || set_length "$1" "$((last + kept))"
    dd if="$1.end" of="$1" bs=4096 seek="$((last / 4096))" conv=notrunc 2>/dev/null || return 1
  fi
  rm -f "$1.end" "$1.end-at"
}
# Copies the end of log $1 from byte $2, in rounds until little is missing.
copy_end() {
  rm -f "$1.end"
  echo "$2" >"$1.end-at" && : >"$1.end" || return 1
  copied=$2
  for round in 1 2 3 4 5; do
    now=$(size_of "$1")
    part_of "$1" "$copied" "$((now - copied))" >>"$1.end" || return 1
    missing=$((now - copied))
    copied=$now
    [ "$missing" -gt 65536 ] || break
  done
  [ "$(size_of "$1.end")" -eq "$((copied - $2))" ]
}
# Begin of the first line at or after byte $2 of log $1, if there is one within 64 KiB.
line_at() {
  skipped=$(part_of "$1" "$2" 65536 | head -n 1 | wc -c) || return 1
  [ "$skipped" -lt 65536 ] || skipped=0
  echo "$(($2 + skipped))"
}
limit_log() {
  size=$(size_of "$1")
  read_note "$1"
  [ -z "$first" ] || stored=$((size - last + first))
  [ -n "$first" ] || stored=$size
  [ "$stored" -gt "$limit" ] || return 0
  reserve_note
  way=freed
  fallocate -p -o 0 -l 1 "$own/left-out.tmp" || way=cut
  if [ -z "$first" ]; then
    first=$((limit / 4))
    cut=$(part_of "$1" 0 "$first" | tail -n 1 | wc -c) || return 1
    [ "$cut" -ge "$first" ] || first=$((first - cut))
    last=$first
  fi
  next=$((size - limit / 2))
  if [ "$way" = freed ]; then next=$(line_at "$1" "$next") || return 1
  else next=$((next / 4096 * 4096)); fi
  [ "$next" -gt "$last" ] || return 0
  more=$(part_of "$1" "$last" "$((next - last))" | nice -n 19 wc -l) || return 1
  [ "$more" -ge 0 ] || return 1
  lines=$((lines + more))
  if [ "$way" = freed ]; then
    write_note "$1" "$first" "$next" "$lines" && free_part "$1" "$first" "$next"
  else
    copy_end "$1" "$next" && write_note "$1" "$first" "$next" "$lines" || { rm -f "$1.end" "$1.end-at"; return 1; }
    set_length "$1" "$first"
    set_length "$1" "$copied"
    put_back "$1"
  fi
  reserve_note
}
limit_logs() {
  fullest=0
  for log in "$@"; do
    [ -e "$log" ] || continue
    limit_log "$log"
    [ "$stored" -le "$fullest" ] || fullest=$stored
  done
}
finish_limits() {
  for log in "$@"; do
    [ -e "$log.left-out" ] || continue
    put_back "$log"
    read_note "$log"
    [ -z "$first" ] || free_part "$log" "$first" "$last"
  done
}
watch_logs() {
  trap '' HUP INT
  trap '${END_PAUSE}; exit 0' TERM
  reserve_note
  finish_limits "$@"
  while kill -0 "$$"; do
    limit_logs "$@"
    pause=${QUIET_S}
    [ "$fullest" -le "$((limit / 2))" ] || pause=${BUSY_S}
    pause_for "\${MARS2_LOG_PAUSE:-$pause}"
  done
}
`;

/** Parses the file next to a log: "FIRST LAST LINES LIMIT WAY"; null: absent or invalid. */
export function parseLeftOut(text: string | null): LeftOutPart | null {
  const match = /^(\d+) (\d+) (\d+) (\d+) (freed|cut)\s*$/.exec(text ?? '');
  if (match === null) return null;
  const [from = 0, to = 0, lines = 0, limitBytes = 0] = match.slice(1, 5).map(Number);
  return to > from ? { from, to, lines, limitBytes, isCut: match[5] === 'cut' } : null;
}
