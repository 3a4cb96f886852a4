import {
  bad,
  type Finding,
  good,
  type ScriptCheck,
  type ScriptOutput,
  sizeText,
  unknown,
  warning,
} from './finding';

/** From here on a checkpoint may be the one that does not fit. */
const NEARLY_FULL = 0.9;

/** What `stat -f` calls file systems that are never on another computer. */
const LOCAL = /^(ext2\/ext3|ext4|xfs|btrfs|tmpfs|overlayfs|zfs|f2fs)$/;

/** Space and files that the account may have: `quota` on most file systems, `lfs` on Lustre. */
export const quotaCheck: ScriptCheck = {
  id: 'quota',
  title: 'Quota',
  seconds: 20,
  script: `
quiet() { if command -v timeout >/dev/null 2>&1; then timeout -k 1 8 "$@"; else "$@"; fi }
command -v quota >/dev/null 2>&1 && { echo '--asked'; quiet quota -w -p 2>/dev/null; }
case "$(stat -f -c %T "$HOME" 2>/dev/null)" in
  lustre) command -v lfs >/dev/null 2>&1 && { echo '--asked'; quiet lfs quota -q -u "$(id -un)" "$HOME" 2>/dev/null; } ;;
esac
echo "--kind=$(stat -f -c %T "$HOME" 2>/dev/null)"
exit 0
`,
  judge: judgeQuota,
};

type Share = {
  readonly fileSystem: string;
  readonly used: number;
  readonly limit: number;
  readonly text: string;
};

function judgeQuota({ stdout }: ScriptOutput): Finding {
  const kind = /^--kind=(.*)$/m.exec(stdout)?.[1] ?? '';
  // A disk of the machine without the program has no quotas that bind; a file server may well have.
  if (!stdout.includes('--asked') && LOCAL.test(kind)) return good('There are no quotas on this machine.');
  if (!stdout.includes('--asked'))
    return unknown(
      'The machine has no `quota` program; the check of the disk tests whether a file can be written.',
    );
  const shares = stdout.split('\n').flatMap(sharesOf);
  if (shares.length === 0) return good('None is set for this account.');
  const mostUsed = shares.reduce((a, b) => (b.used / b.limit > a.used / a.limit ? b : a));
  const todo = `Remove files under ${mostUsed.fileSystem}, or ask for more quota. \`du -xsh ~/* ~/.cache | sort -h\` shows what is large.`;
  if (mostUsed.used >= mostUsed.limit) return bad(`Used up: ${mostUsed.text}.`, todo);
  return mostUsed.used >= NEARLY_FULL * mostUsed.limit
    ? warning(`Nearly used up: ${mostUsed.text}.`, todo)
    : good(`${mostUsed.text}.`);
}

/**
 * "/dev/sda1 5120* 4096 8192 1763000000 10 0 0 0": what it is of, KiB used, soft, hard, grace, files used, soft, hard,
 * grace. `quota -p` and `lfs` leave no cell empty.
 */
function sharesOf(line: string): readonly Share[] {
  const cells = line.trim().split(/\s+/);
  const [fileSystem = '', kib, softKib, hardKib, , files, softFiles, hardFiles] = cells.map((cell) =>
    cell.replace('*', ''),
  );
  const used = Number(kib);
  const count = Number(files);
  if (cells.length !== 9 || !Number.isFinite(used) || !Number.isFinite(count)) return [];
  const space = limitOf(softKib, hardKib);
  const most = limitOf(softFiles, hardFiles);
  return [
    ...(space === null
      ? []
      : [
          {
            fileSystem,
            used,
            limit: space,
            text: `${sizeText(used)} of ${sizeText(space)} on ${fileSystem}`,
          },
        ]),
    ...(most === null
      ? []
      : [{ fileSystem, used: count, limit: most, text: `${count} of ${most} files on ${fileSystem}` }]),
  ];
}

/** The lower of two limits, of which 0 is none. */
function limitOf(soft: string | undefined, hard: string | undefined): number | null {
  const set = [soft, hard].map(Number).filter((limit) => Number.isFinite(limit) && limit > 0);
  return set.length === 0 ? null : Math.min(...set);
}
