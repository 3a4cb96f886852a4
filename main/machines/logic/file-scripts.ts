import { shellWord, shellWords } from '../../base';
import { detachScript, type ShellTools } from './shell-survey';

/** Exit codes of the scripts here for expected outcomes. */
export const ABSENT = 40;
export const NO_FOLDER = 41;
export const NO_PROGRAM = 42;
export const IS_FOLDER = 43;

/** A path as a word that no command mistakes for an option. */
function pathWord(path: string): string {
  return shellWord(path.startsWith('-') ? `./${path}` : path);
}

function parentOf(path: string): string {
  const cut = path.replace(/(?<!\/)\/+$/, '').lastIndexOf('/');
  return cut <= 0 ? '/' : path.slice(0, cut);
}

/** Prints "made" or "there". */
export function makeFolderScript(path: string): string {
  const [folder, parent] = [pathWord(path), pathWord(parentOf(path))];
  return `umask 077
mkdir -p ${parent} || exit 1
if mkdir ${folder} 2>/dev/null; then echo made; exit; fi
if [ -e ${folder} ]; then echo there; else mkdir ${folder}; fi`;
}

/** Prints every name and a NUL. */
export function listFolderScript(path: string): string {
  return `[ -e ${pathWord(path)} ] || exit ${ABSENT}
cd ${pathWord(path)} || exit 1
for name in * .*; do
  case $name in .|..) continue;; esac
  if [ -e "$name" ] || [ -L "$name" ]; then printf '%s\\000' "$name"; fi
done`;
}

export function removeScript(path: string, kind: 'folder' | 'file'): string {
  return `rm ${kind === 'folder' ? '-rf' : '-f'} ${pathWord(path)}`;
}

export function readTextScript(path: string): string {
  return `[ -e ${pathWord(path)} ] || exit ${ABSENT}\nexec cat ${pathWord(path)}`;
}

/** Takes the text as its input. `draft` is an unused name next to `path`. */
export function writeTextScript(path: string, draft: string): string {
  return `umask 077
[ -d ${pathWord(path)} ] && exit ${IS_FOLDER}
cat >${pathWord(draft)} && mv -f ${pathWord(draft)} ${pathWord(path)} && exit
rm -f ${pathWord(draft)}
exit 1`;
}

/** Prints the size in bytes and a line feed, then the bytes asked for. */
export function readSliceScript(
  tools: Pick<ShellTools, 'stat'>,
  path: string,
  offset: number,
  maxBytes: number,
): string {
  const size = tools.stat === 'gnu' ? 'stat -L -c %s' : 'stat -L -f %z';
  const start = offset < 0 ? `from=$((size - ${-offset})); [ $from -ge 0 ] || from=0` : `from=${offset}`;
  return `[ -e ${pathWord(path)} ] || exit ${ABSENT}
[ -d ${pathWord(path)} ] && exit ${IS_FOLDER}
size=$(${size} ${pathWord(path)}) || exit 1
echo "$size"
${start}
count=$((size - from))
[ $count -le ${maxBytes} ] || count=${maxBytes}
[ $count -gt 0 ] || exit 0
tail -c +$((from + 1)) ${pathWord(path)} | head -c $count`;
}

/** Creates the folder and prints its path. */
export const HOME_SCRIPT = `umask 077; mkdir -p "$HOME/.mars2-workbench" && cd "$HOME/.mars2-workbench" && pwd`;

/** Prints "folder" or "file", then a digest and a name per line; nothing where it is absent or cannot be digested. */
export function digestScript(tools: Pick<ShellTools, 'digest'>, path: string): string | null {
  if (tools.digest === 'none') return null;
  const digest = tools.digest === 'sha256sum' ? 'sha256sum' : 'shasum -a 256';
  return `if [ -d ${pathWord(path)} ]; then
  echo folder
  cd ${pathWord(path)} && find -L . -type f -exec ${digest} {} +
elif [ -e ${pathWord(path)} ]; then
  echo file
  ${digest} ${pathWord(path)}
fi
exit 0`;
}

/** Takes a tar (of a folder) or the bytes (of a file) as its input, and then moves it into place. */
export function receiveScript(
  path: string,
  draft: string,
  kind: 'file' | 'folder',
  executable: boolean,
): string {
  const [target, incoming, old] = [pathWord(path), pathWord(draft), pathWord(`${draft}.old`)];
  const take =
    kind === 'folder'
      ? `mkdir ${incoming} && tar -xof - -C ${incoming}`
      : `cat >${incoming} && chmod ${executable ? 700 : 600} ${incoming}`;
  return `umask 077
mkdir -p ${pathWord(parentOf(path))} || exit 1
${take} || { rm -rf ${incoming}; exit 1; }
if [ -e ${target} ]; then mv -f ${target} ${old} || { rm -rf ${incoming}; exit 1; }; fi
mv -f ${incoming} ${target}; code=$?
rm -rf ${old} ${incoming}
exit $code`;
}

/** See `detachScript`. Prints the process' number. */
export function spawnDetachedScript(
  tools: Pick<ShellTools, 'detach'>,
  command: {
    readonly command: string;
    readonly args: readonly string[];
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
  },
): string {
  const env = Object.entries(command.env).map(([name, value]) => `${name}=${value}`);
  const words = [command.cwd, ...env, '--', command.command, ...command.args];
  return `set -- ${shellWords(words)}\n${detachScript(tools)}`;
}

/** Prints the boot's id and the line of /proc, or the line of ps; nothing where there is no such process. */
export function processScript(tools: Pick<ShellTools, 'hasProc'>, pid: number): string {
  if (tools.hasProc) return `cat /proc/sys/kernel/random/boot_id /proc/${pid}/stat 2>/dev/null; exit 0`;
  return `LC_ALL=C TZ=UTC ps -o stat=,lstart= -p ${pid} 2>/dev/null; exit 0`;
}

/** Prints a line for every process: of /proc, or "pid group state". */
export function processesScript(tools: Pick<ShellTools, 'hasProc'>): string {
  return tools.hasProc ? 'cat /proc/[0-9]*/stat 2>/dev/null; exit 0' : 'ps -A -o pid=,pgid=,stat=';
}

export function signalScript(groupId: number, signal: 'SIGTERM' | 'SIGKILL'): string {
  const name = signal === 'SIGTERM' ? 'TERM' : 'KILL';
  return `kill -s ${name} -- -${groupId} && exit
kill -s 0 -- -${groupId} 2>/dev/null || exit 0
exit 1`;
}
