import { z } from 'zod';
import { type Reservation, reservationSchema } from '../../../preload/contract';
import { compareText, parsedJson, printableText, type ScriptPart, type Section, shellWord } from '../../base';

/**
 * Where every user has a folder of reservations of their own, named by the user's number. It belongs to root, all users may
 * create files in it, only owners may remove or rename theirs (sticky), and it survives a reboot.
 */
export const RESERVATION_ROOT = '/var/tmp';
const FOLDER = 'mars2-reservations-';
const FILE = 'reservations.json';
/** Entries of one user. */
const MAX_ENTRIES = 64;
/** Bytes of a file: as many entries with the longest notes, three bytes per letter. A larger one is not read. */
const LARGEST_FILE = 65_536;
/** Files that are read: as many users as a lab may have. */
const MAX_FILES = 200;
/** Folders in which others could write that are named: they never replace one that is read. */
const MAX_UNSAFE = 50;
/** Owners that a sentence names. */
const MAX_NAMES = 5;
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
  reservations: z.array(entrySchema).max(MAX_ENTRIES),
});

type ReservationEntry = z.infer<typeof entrySchema>;

/** An awk condition over a line of `ls -ldn`: a folder in which nobody but its owner may write. */
const IS_PRIVATE = '$1 ~ /^d....-..-/';

/**
 * Lists the files with their metadata, then their contents. A folder counts only when it belongs to the user in its name and
 * nobody else may write to it; of others only the owner is printed. Never follows a link, opens only plain files, and reads no
 * more than it would accept.
 */
export function reservationsPart(root: string): ScriptPart {
  const body = `
  find ${shellWord(`${root}/`)} -maxdepth 1 -type d -name '${FOLDER}[0-9]*' ! -name '${FOLDER}*[!0-9]*' -exec ls -ldn {} + |
    awk '{ user = $NF; sub(/.*-/, "", user) }
      ${IS_PRIVATE} && user == $3 && safe++ < ${MAX_FILES} { print "safe", user; next }
      { if (count < ${MAX_UNSAFE}) unsafe[count++] = user }
      END { for (i = 0; i < count; i++) print "unsafe", unsafe[i] }' | while read -r kind owner; do
    folder=${shellWord(`${root}/${FOLDER}`)}"$owner"
    file="$folder/${FILE}"
    if [ "$kind" = unsafe ] || [ -L "$file" ] || [ ! -f "$file" ]; then
      [ -L "$file" ] || [ -e "$file" ] || continue
      section reservation.left 0
      ls -ld "$folder" 2>/dev/null | cut -c 1-200
      continue
    fi
    section reservation.file 0 "$owner $(ls -ldn "$file" 2>/dev/null | cut -c 1-80)"
    ls -ld "$file" 2>/dev/null | cut -c 1-200
    limited 3 head -c ${LARGEST_FILE + 1} "$file" 2>/dev/null
  done
  return 0`;
  return { name: 'reservations', body };
}

/** `leftOut`: who owns the files that do not count, one name per file. */
export type ReservationReading = {
  readonly reservations: readonly Reservation[];
  readonly leftOut: readonly string[];
};

/**
 * Reservations of all users. The user is the owner of the file and of its folder, whatever its content says. A file counts
 * only when it is a plain file with one name, and its whole content is valid.
 */
export function readReservations(
  sections: readonly Section[],
  nowSeconds: number,
  iso: (seconds: number) => string,
): ReservationReading {
  const reservations: Reservation[] = [];
  const leftOut = sections
    .filter(({ name }) => name === 'reservation.left')
    .map(({ text }) => ownerOf(text) ?? UNKNOWN);
  for (const { note, text } of sections.filter(({ name }) => name === 'reservation.file')) {
    const [listing = '', ...content] = text.split('\n');
    const [folderOwner = UNKNOWN, mode = '', links, fileOwner] = note.trim().split(/\s+/);
    const owner = ownerOf(listing);
    const isOwn = fileOwner === folderOwner;
    const entries = fileEntries(content.join('\n'), nowSeconds);
    if (owner === null || !isOwn || !mode.startsWith('-') || links !== '1' || entries === null) {
      // The file may be another user's: the folder's owner is the one who can remove it.
      leftOut.push(isOwn && owner !== null ? owner : `user ${folderOwner}`);
      continue;
    }
    for (const { gpuId, untilSeconds, note: why } of entries.filter(isRunning(nowSeconds)))
      reservations.push({ gpuId, user: owner, note: why, until: iso(untilSeconds) });
  }
  return {
    reservations: reservations.sort((a, b) =>
      a.gpuId === b.gpuId ? compareText(a.user, b.user) : compareText(a.gpuId, b.gpuId),
    ),
    leftOut,
  };
}

const UNKNOWN = 'unknown';

/** The owner in a line of `ls -ld`; null where there is none. */
function ownerOf(listing: string): string | null {
  const [, , owner] = listing.trim().split(/\s+/);
  return owner === undefined ? null : printableText(owner).slice(0, 100);
}

/** Says what was left out, and who can fix it; null: nothing was. `owners`: one name per file. */
export function leftOutSentence(owners: readonly string[]): string | null {
  if (owners.length === 0) return null;
  const names = [...new Set(owners)].sort(compareText);
  const more = names.length - MAX_NAMES;
  const shown = [...names.slice(0, MAX_NAMES), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const files = owners.length === 1 ? 'reservation file is' : 'reservation files are';
  return `${owners.length} ${files} ignored (of ${shown}): damaged, written by another version of the workbench, or open to changes by others. A GPU that is reserved there may look free: ask before you use it. Reserve it again with this version to fix that.`;
}

/** Entries of one file that have not expired; none when anything in it is invalid. */
export function runningEntries(text: string, nowSeconds: number): readonly ReservationEntry[] {
  return (fileEntries(text, nowSeconds) ?? []).filter(isRunning(nowSeconds));
}

/** All entries of one file; null when anything in it is invalid. */
function fileEntries(text: string, nowSeconds: number): readonly ReservationEntry[] | null {
  if (text.length > LARGEST_FILE) return null;
  const parsed = fileSchema.safeParse(parsedJson(text));
  if (!parsed.success) return null;
  const { reservations } = parsed.data;
  return reservations.some(({ untilSeconds }) => untilSeconds > nowSeconds + LONGEST_SECONDS)
    ? null
    : reservations.map((entry) => ({ ...entry, note: printableText(entry.note) }));
}

const isRunning =
  (nowSeconds: number) =>
  ({ untilSeconds }: ReservationEntry): boolean =>
    untilSeconds > nowSeconds;

/** The text of a user's file; "" when nothing is reserved and the file is removed. */
export function reservationText(entries: readonly ReservationEntry[]): string {
  if (entries.length === 0) return '';
  return `${JSON.stringify({ version: 1, reservations: entries.slice(-MAX_ENTRIES) })}\n`;
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
    { gpuId: change.gpuId, untilSeconds: change.untilSeconds, note: printableText(change.note) },
  ];
}

/** Prints the machine's time in seconds since 1970, then this user's own file. */
export function readOwnScript(root: string): string {
  return `
date +%s || exit 1
file=${shellWord(`${root}/${FOLDER}`)}"$(id -u)/${FILE}"
if [ -f "$file" ] && [ ! -L "$file" ] && [ -O "$file" ]; then head -c ${LARGEST_FILE + 1} "$file"; fi
exit 0
`;
}

/**
 * Writes standard input to this user's file, or removes the file when the input is empty. Nothing can be put in its way
 * between a check and the write: it enters the folder first, checks where it then is (by its real path, owner and mode),
 * and names files relative to that. Another user cannot rename or remove the folder, since what it is in is sticky and
 * root's, nor write in it. Exits with 73 and a reason otherwise: it writes into its own folder or nowhere.
 */
export function writeReservationScript(root: string): string {
  return `
umask 022
me=$(id -u)
refuse() { echo "$1" >&2; exit 73; }
cd -P ${shellWord(`${root}/`)} || exit 73
here=$(pwd -P)
ls -ldn . | awk -v me="$me" '{ shared = !(${IS_PRIVATE}) }
  !($3 == 0 || (!shared && $3 == me)) || (shared && $1 !~ /^.........[tT]/) { exit 1 }' ||
  refuse "$here must belong to root and be sticky, or its owner could replace your files. Ask an administrator: chown root $here; chmod 1777 $here"
own=$here/${FOLDER}$me
mkdir -m 755 "$own" 2>/dev/null
cd -P './${FOLDER}'"$me" 2>/dev/null && [ "$(pwd -P)" = "$own" ] || refuse "$own is no folder of yours. Ask its owner or an administrator to remove it: ls -ld $own"
ls -ldn . | awk -v me="$me" '$3 != me { exit 1 }' || refuse "$own belongs to another user. Ask its owner or an administrator to remove it: ls -ld $own"
ls -ldn . | awk '!(${IS_PRIVATE}) { exit 1 }' || refuse "Other users may write to $own, so it is not used. Check what is in it, then: chmod go-w $own"
find . -maxdepth 1 -type f -mtime +${LONGEST_DAYS} -exec rm -f {} + 2>/dev/null
[ ! -d ${FILE} ] || refuse "$own/${FILE} is a folder. Remove it."
text=$(head -c ${LARGEST_FILE + 1})
if [ -z "$text" ]; then rm -f ${FILE} || exit 73; exit 0; fi
draft=.$$.draft
printf '%s\\n' "$text" >"$draft" && mv -f "$draft" ${FILE} || { rm -f "$draft"; exit 73; }
`;
}
