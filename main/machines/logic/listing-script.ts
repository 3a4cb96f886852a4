import type { FileListing, MachineFile } from '../../../preload/contract';
import { shellPath, shellWord } from '../../base';

/** Exit codes of the scripts here. */
export const NO_ENTRY = 40;
export const NO_FOLDER = 41;
export const NOT_REGULAR = 44;

/** In a folder with more of them a person asks for the names that begin with some letters. */
export const MAX_NAMES = 5_000;

/**
 * Lists the names of a folder that begin with `prefix`, at most `most` of them, for `readListing`. Names with a line break
 * are only counted, because each name is printed as one line. Old bash wants the brackets of `case` in pairs. `stat` gets
 * the names behind "./" from `xargs -0`, so that neither their number nor their first letter matters.
 */
export function listingScript(folder: string, prefix: string, most: number): string {
  const begin = shellWord(prefix);
  // Hidden names are listed where the prefix begins with a dot, or where all names are asked for.
  const pattern = prefix === '' ? '* .*' : `${begin}*`;
  return `LC_ALL=C; export LC_ALL; CDPATH=; nl='
'
[ -e ${shellPath(folder)} ] || exit ${NO_ENTRY}
[ -d ${shellPath(folder)} ] || exit ${NO_FOLDER}
cd ${shellPath(folder)} || exit 1
printf '%s\\000' "$(pwd -P)"
names=$(
  listed=0; more=0; odd=0
  for name in ${pattern}; do
    case $name in (.|..) continue ;; esac
    if [ $listed -ge ${most} ]; then more=$((more + 1)); continue; fi
    if [ -e "$name" ]; then kind=E; elif [ -L "$name" ]; then kind=L; else continue; fi
    case $name in (*"$nl"*) odd=$((odd + 1)); continue ;; esac
    listed=$((listed + 1))
    printf '%s ./%s\\n' $kind "$name"
  done
  printf '@ %s %s\\n' $more $odd
)
printf '%s\\n' "$names" | sed -n '/^[L@] /p'
if stat -c %s / >/dev/null 2>&1; then as=-c; form='S %f %s %Y %n'; else as=-f; form='S %Xp %z %m %N'; fi
case "$nl$names" in
  *"$nl"'E '*) printf '%s\\n' "$names" | sed -n 's/^E //p' | tr '\\n' '\\000' | xargs -0 stat -L $as "$form" 2>/dev/null ;;
esac
exit 0
`;
}

/** Parses the output of `listingScript`; null: it is not of that form. `isoDate` formats seconds. */
export function readListing(stdout: string, isoDate: (seconds: number) => string): FileListing | null {
  const cut = stdout.indexOf('\0');
  const folder = stdout.slice(0, cut);
  if (cut < 1 || !folder.startsWith('/') || !isText(folder)) return null;
  const files: MachineFile[] = [];
  let unreadable = 0;
  let counts: readonly [number, number] | null = null;
  for (const line of stdout.slice(cut + 1).split('\n')) {
    const [mark, ...fields] = line.split(' ', mostFields(line));
    const name = line.slice(line.indexOf('./') + 2);
    if (mark === '@') counts = [Number(fields[0]), Number(fields[1])];
    else if (mark === 'L' || mark === 'S') {
      const file = mark === 'L' ? lostLink(name, isoDate(0)) : fileOf(name, fields, isoDate);
      if (file === null) continue;
      if (isText(name)) files.push(file);
      else unreadable += 1;
    }
  }
  if (counts === null || !counts.every((count) => Number.isSafeInteger(count) && count >= 0)) return null;
  files.sort(foldersFirst);
  return { folder, files, more: counts[0], unreadable: unreadable + counts[1] };
}

/** Only the fields before the name are split off. */
function mostFields(line: string): number {
  return line.startsWith('S') ? 4 : 3;
}

function lostLink(name: string, changedAt: string): MachineFile {
  return { name, kind: 'link', bytes: 0, changedAt };
}

/** `fields`: mode (hex), bytes, seconds since 1970. */
function fileOf(
  name: string,
  [mode = '', bytes = '', seconds = '']: readonly string[],
  isoDate: (seconds: number) => string,
): MachineFile | null {
  if (name === '' || !/^[0-9a-fA-F]{1,8}$/.test(mode) || !/^\d{1,15}$/.test(bytes)) return null;
  if (!/^-?\d{1,11}$/.test(seconds)) return null;
  const type = Number.parseInt(mode, 16) & 0xf000;
  const kind = type === 0x4000 ? 'folder' : type === 0x8000 ? 'file' : 'other';
  return {
    name,
    kind,
    bytes: kind === 'file' ? Number(bytes) : 0,
    changedAt: isoDate(Number(seconds)),
  };
}

/** What was not UTF-8 holds U+FFFD now, and is not the name any more. */
function isText(name: string): boolean {
  return !name.includes('\ufffd');
}

function foldersFirst(a: MachineFile, b: MachineFile): number {
  if ((a.kind === 'folder') !== (b.kind === 'folder')) return a.kind === 'folder' ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}

/** Prints the absolute path of a regular file, without links in its folders, and a NUL; only such a file is read. */
export function regularFileScript(path: string): string {
  return `[ -e ${shellPath(path)} ] || exit ${NO_ENTRY}
[ -f ${shellPath(path)} ] || exit ${NOT_REGULAR}
file=${shellPath(path)}
CDPATH=; name=\${file##*/}
folder=\${file%/*}
cd "\${folder:-/}" || exit 1
folder=$(pwd -P)
printf '%s/%s\\000' "\${folder%/}" "$name"
`;
}
