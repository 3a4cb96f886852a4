import { z } from 'zod';
import { type Reservation, reservationSchema } from '../../../preload/contract';
import { parsedJson } from '../../base';
import type { ScriptPart } from './probe/bounded-script';
import type { Section } from './probe/sections';

/**
 * The folder of reservations, with one file per user. All users may write to it, only owners may delete files (sticky),
 * and it survives a reboot.
 */
export const RESERVATION_FOLDER = '/var/tmp/mars2-reservations';
/** Entries of one user. */
const MOST_ENTRIES = 64;
/** Bytes of a file: as many entries with the longest notes, three bytes a letter. A larger one is not read. */
export const LARGEST_FILE = 65_536;
/** Files that are read: as many users as a lab may have. */
const MOST_FILES = 200;
/** The longest that the window offers, 30 days, and one for clocks that differ. An older file is ignored. */
const LONGEST_DAYS = 31;
const LONGEST_SECONDS = LONGEST_DAYS * 86_400;

const entrySchema = z.strictObject({
  gpuId: reservationSchema.shape.gpuId.regex(/^[\w:./-]+$/),
  /** Seconds since 1970 by the clock of the machine, which is the one that all its users share. */
  untilSeconds: z.number().int().positive(),
  note: reservationSchema.shape.note,
});
const fileSchema = z.strictObject({
  version: z.literal(1),
  reservations: z.array(entrySchema).max(MOST_ENTRIES),
});

type ReservationEntry = z.infer<typeof entrySchema>;

/**
 * Lists the files with their metadata, then their contents. Never follows a link, opens only plain files with the one
 * name that their owner may use, and reads no more than it would accept.
 */
export function reservationsPart(folder: string): ScriptPart {
  const body = `
  [ -d '${folder}' ] && [ ! -L '${folder}' ] || return 0
  ls -ln '${folder}' | awk '/^-/ && $2 == 1 && $NF == $3 ".json" { print $3 }' | head -n ${MOST_FILES} | while read -r owner; do
    file='${folder}'/"$owner.json"
    [ -f "$file" ] && [ ! -L "$file" ] || continue
    section reservation.file 0 "$(ls -ldn "$file" 2>/dev/null | cut -c 1-80)"
    printf '%s\\n%s\\n' "$(ls -ld "$file" 2>/dev/null | cut -c 1-200)" "\${file##*/}"
    head -c ${LARGEST_FILE + 1} "$file" 2>/dev/null
  done
  return 0`;
  return { name: 'reservations', body };
}

/**
 * Reservations of all users. The user is the file's owner, whatever its content says. A file counts only when it is a
 * plain file with one name, which is its owner's number, and its whole content is valid.
 */
export function readReservations(
  sections: readonly Section[],
  nowSeconds: number,
  iso: (seconds: number) => string,
): readonly Reservation[] {
  return sections
    .filter(({ name }) => name === 'reservation.file')
    .flatMap(({ note, text }) => {
      const [listing = '', file = '', ...content] = text.split('\n');
      const [mode = '', links, ownerId] = note.trim().split(/\s+/);
      const [, , owner] = listing.trim().split(/\s+/);
      if (owner === undefined || !mode.startsWith('-') || links !== '1' || file !== `${ownerId}.json`)
        return [];
      return runningEntries(content.join('\n'), nowSeconds).map(({ gpuId, untilSeconds, note: why }) => ({
        gpuId,
        user: owner,
        note: why,
        until: iso(untilSeconds),
      }));
    })
    .sort((a, b) => (a.gpuId === b.gpuId ? order(a.user, b.user) : order(a.gpuId, b.gpuId)));
}

/** Entries of one file that have not expired; none when anything in it is invalid. */
export function runningEntries(text: string, nowSeconds: number): readonly ReservationEntry[] {
  if (text.length > LARGEST_FILE) return [];
  const parsed = fileSchema.safeParse(parsedJson(text));
  if (!parsed.success) return [];
  return parsed.data.reservations
    .filter(({ untilSeconds }) => untilSeconds > nowSeconds && untilSeconds <= nowSeconds + LONGEST_SECONDS)
    .map((entry) => ({ ...entry, note: plainText(entry.note) }));
}

/** The text of a user's file; "" when nothing is reserved and the file is removed. */
export function reservationText(entries: readonly ReservationEntry[]): string {
  if (entries.length === 0) return '';
  return `${JSON.stringify({ version: 1, reservations: entries.slice(-MOST_ENTRIES) })}\n`;
}

/** The entries with this one in place of an earlier one of the same GPU; `untilSeconds` null removes it. */
export function withReservation(
  entries: readonly ReservationEntry[],
  change: { readonly gpuId: string; readonly untilSeconds: number | null; readonly note: string },
): readonly ReservationEntry[] {
  const others = entries.filter(({ gpuId }) => gpuId !== change.gpuId);
  if (change.untilSeconds === null) return others;
  return [
    ...others,
    { gpuId: change.gpuId, untilSeconds: change.untilSeconds, note: plainText(change.note) },
  ];
}

/**
 * Writes standard input to this user's file, or removes the file when the input is empty. Removes this user's old files
 * (root: everybody's), which in a sticky folder nobody else may remove.
 */
export function writeReservationScript(folder: string): string {
  return `
umask 022
me=$(id -u)
file='${folder}'/"$me.json"
draft='${folder}'/".$me.$$.draft"
if [ ! -e '${folder}' ] && [ ! -L '${folder}' ]; then mkdir '${folder}' 2>/dev/null && chmod 1777 '${folder}'; fi
if [ ! -d '${folder}' ] || [ -L '${folder}' ]; then echo "${folder} is not a folder." >&2; exit 73; fi
whose="-user $me"; [ "$me" -ne 0 ] || whose=
find '${folder}' -maxdepth 1 -type f $whose -mtime +${LONGEST_DAYS} -exec rm -f {} + 2>/dev/null
text=$(head -c ${LARGEST_FILE + 1})
if [ -z "$text" ]; then rm -f "$file" || exit 73; exit 0; fi
set -C
printf '%s\\n' "$text" >"$draft" || exit 73
set +C
if [ -d "$file" ]; then rm -f "$draft"; echo "$file is a folder." >&2; exit 73; fi
mv -f "$draft" "$file" || { rm -f "$draft"; exit 73; }
`;
}

/** Without control characters and marks that turn the direction of writing: a note is shown to others. */
function plainText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
