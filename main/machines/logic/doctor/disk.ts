import { diskSpace } from '../probe/machine-facts';
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

const GIB = 1_048_576;
/** Logs and checkpoints of a day fit in it. */
const RECOMMENDED_KIB = 20 * GIB;
/** Even state files of jobs may fail to be written. */
const MIN_KIB = GIB;
const MIN_INODES = 50_000;

/** Space, inodes, and whether a megabyte can really be written (a quota shows nowhere else). */
function diskScript(folder: string): string {
  return `
place=${folder}
echo "place=$place"
df -Pk "$place" | tail -n 1
echo '--inodes'
df -Pi "$place" 2>/dev/null | tail -n 1
echo '--write'
find "$place" -maxdepth 1 -type f -name '.mars2-doctor.*' -user "$(id -u)" -mmin +10 -exec rm -f {} + 2>/dev/null
draft="$place/.mars2-doctor.$$"
trap 'rm -f "$draft"' EXIT
trap 'exit 143' HUP INT TERM PIPE
umask 077
head -c 1048576 /dev/zero 2>&1 >"$draft" && [ "$(wc -c <"$draft")" -eq 1048576 ] && echo '--written'
exit 0
`;
}

function diskCheck(id: string, title: string, folder: string): ScriptCheck {
  return { id, title, seconds: 20, script: diskScript(folder), judge: judgeDisk };
}

export const homeDiskCheck = diskCheck('disk-home', 'Disk of the home folder', '"$HOME"');
export const temporaryDiskCheck = diskCheck('disk-tmp', 'Disk of /tmp', `"\${TMPDIR:-/tmp}"`);

function judgeDisk({ stdout, stderr }: ScriptOutput): Finding {
  const [space = '', rest = ''] = stdout.split('--inodes');
  const [inodes = '', write = ''] = rest.split('--write\n');
  const folder = /^place=(.*)$/m.exec(space)?.[1] ?? 'The folder';
  const disk = diskSpace(space);
  if (!write.includes('--written')) {
    const why = `${write} ${stderr}`.trim().split('\n')[0]?.trim() ?? '';
    return bad(
      `Cannot write a file of 1 MiB in ${folder}${why === '' ? '.' : `: ${why}`}`,
      `Free space there, or ask for more quota: \`quota -s\`, \`du -xsh ${folder}/* | sort -h\`.`,
    );
  }
  if (disk === null) return unknown(`${folder} can be written, but df does not report the free space.`);
  const freeInodes = diskSpace(inodes);
  const summary = `${folder}: ${sizeText(disk.freeKib)} of ${sizeText(disk.totalKib)} free (${disk.mount})`;
  const find = `Find what takes the space: \`du -xsh ${folder}/* | sort -h\`. Model weights are often in ~/.cache/huggingface.`;
  if (disk.freeKib < MIN_KIB) return bad(`${summary}.`, find);
  // Some file systems count no inodes: a total of 0 is no lack.
  if (freeInodes !== null && freeInodes.totalKib > 0 && freeInodes.freeKib < MIN_INODES)
    return warning(
      `${summary}, but only ${freeInodes.freeKib} more files (inodes).`,
      `Find the folder with so many files: \`du --inodes -xs ${folder}/* | sort -n\`.`,
    );
  if (disk.freeKib < RECOMMENDED_KIB) return warning(`${summary}.`, find);
  return good(`${summary}.`);
}

/** File systems that lie on another computer. */
const NETWORK =
  /^(nfs\d?|lustre|gpfs|beegfs|cifs|smb\w*|smb2|afs|fuse\.?sshfs|sshfs|ceph|fuse\.?ceph|glusterfs|fuse\.?glusterfs|9p|virtiofs|panfs|wekafs)$/;

export const homeFileSystemCheck: ScriptCheck = {
  id: 'home-file-system',
  title: 'File system of the home folder',
  seconds: 15,
  script: `
kind=$(findmnt -n -o FSTYPE -T "$HOME" 2>/dev/null || { [ "$(uname -s)" = Linux ] && stat -f -c %T "$HOME" 2>/dev/null; } || df -PT "$HOME" 2>/dev/null | tail -n 1 | awk '{print $2}')
echo "$kind"
`,
  judge: ({ stdout }) => {
    const kind = stdout.trim().split('\n')[0] ?? '';
    if (kind === '') return unknown('The machine does not report the file system of the home folder.');
    if (!NETWORK.test(kind)) return good(`The home folder is on a disk of the machine (${kind}).`);
    if (/^afs$/.test(kind))
      return warning(
        'The home folder is on AFS: a job that outlives the login loses its token, and then its files.',
        'Keep the workbench on a local disk, or start jobs under `k5start`/`krenew`.',
      );
    return warning(
      `The home folder is on a file server (${kind}): other machines may see a write some seconds later, many small files are slow, and a server that is down stops every job that writes there.`,
      'Keep model weights, Python environments and job output on a local disk where there is one (often /scratch, /data or /local).',
    );
  },
};
