import { randomBytes } from 'node:crypto';
import type { MachineSpec, Refusal } from '../../../preload/contract';
import { failed, ok, type Result } from '../../base';
import {
  ABSENT,
  HOME_SCRIPT,
  IS_FOLDER,
  listFolderScript,
  makeFolderScript,
  NO_FOLDER,
  NO_PROGRAM,
  processesScript,
  processScript,
  readSliceScript,
  readTextScript,
  removeScript,
  signalScript,
  spawnDetachedScript,
  writeTextScript,
} from '../logic/file-scripts';
import { groupOf, parseIdentity } from '../logic/process-table';
import { type SshProgram, terminalArguments } from '../logic/ssh-arguments';
import { type AsyncResult, MAX_STDOUT_BYTES, type Machine, RUN_TIMEOUT_MS, spawnScript } from '../machine';
import { cancelled } from '../refusals';
import { collect } from './collect';
import { openForward } from './forward';
import type { SshLink } from './link';
import type { SshSession } from './session';
import type { RawEnd } from './shell-pool';
import { upload } from './upload';

/** A larger input, or one with NUL in it, gets its own process: the shells read text. */
const LARGEST_WORD = 200_000;

/** Longest variable of an environment (128 KiB on Linux), less some room for what surrounds a script. */
const LARGEST_SCRIPT = 120_000;

type RunOptions = NonNullable<Parameters<Machine['run']>[1]>;
/** Runs a script made for the machine's tools; an exit code other than 0 and `expected` is a refusal. */
type RunFor = <T>(
  failure: string,
  script: string | ((session: SshSession) => string),
  read: (end: RawEnd) => T,
  options?: RunOptions & { readonly expected?: readonly number[] },
) => AsyncResult<T>;

/** A machine that is reached by ssh. Everything goes over the one connection of its host. */
export function createSshMachine(
  spec: MachineSpec,
  link: SshLink,
  at: {
    readonly ssh: SshProgram;
    readonly path: string;
    readonly host: string;
    /** True: the user has disconnected it, and only the user may connect it again. */
    readonly isOff: () => boolean;
  },
): Machine {
  const openedNow = async (): AsyncResult<SshSession> =>
    at.isOff()
      ? failed({
          code: 'unreachable',
          message: `${spec.name} is disconnected.`,
          hint: 'Connect it first.',
        })
      : link.opened();
  let home: { readonly session: SshSession; readonly path: string } | null = null;

  const spawn: Machine['spawn'] = async (command, args, env = {}) => {
    const opened = await openedNow();
    return opened.ok ? opened.value.spawn([command, ...args], env) : opened;
  };
  const runRaw = async (script: string, options: RunOptions = {}): AsyncResult<RawEnd> => {
    const { signal = null, timeoutMs = RUN_TIMEOUT_MS } = options;
    if (Buffer.byteLength(script) > LARGEST_SCRIPT) return failed(tooLong(spec.name));
    const opened = await stopWaitingOnAbort(openedNow(), signal ?? null, spec.name);
    if (!opened.ok) return opened;
    const stdin = shellInput(options.stdin ?? '');
    const answer =
      stdin === null
        ? await collect(await spawnScript({ spawn }, script), {
            stdin: options.stdin ?? '',
            timeoutMs,
            signal: signal ?? null,
            host: spec.name,
          })
        : await opened.value.shells.run(script, { stdin, timeoutMs, signal: signal ?? null });
    if (answer.ok) link.markSeen();
    return answer;
  };
  const run: Machine['run'] = async (script, options) => {
    const end = await runRaw(script, options);
    if (!end.ok) return end;
    const { code, stdout, stderr } = end.value;
    return ok({ code, stdout: stdout.toString('utf8'), stderr: stderr.toString('utf8') });
  };
  const runFor: RunFor = async (failure, script, read, options = {}) => {
    const opened = await openedNow();
    if (!opened.ok) return opened;
    const end = await runRaw(typeof script === 'string' ? script : script(opened.value), options);
    if (!end.ok) return end;
    if (end.value.code === 0 || options.expected?.includes(end.value.code)) return ok(read(end.value));
    return failed(unavailable(`${failure} on ${spec.name}`, end.value));
  };
  return {
    id: spec.id,
    spec,
    run,
    spawn,
    home: async () => {
      const opened = await openedNow();
      if (!opened.ok) return opened;
      if (home?.session === opened.value) return ok(home.path);
      const path = await runFor('Cannot create the workbench folder', HOME_SCRIPT, ({ stdout }) =>
        stdout.toString('utf8').replace(/\n$/, ''),
      );
      if (path.ok) home = { session: opened.value, path: path.value };
      return path;
    },
    terminal: (command) => ({
      file: at.ssh.program,
      args: terminalArguments(at.ssh, at.path, at.host, command),
      env: {},
    }),
    forward: async (port, localPort, host) => {
      const opened = await openedNow();
      return opened.ok ? openForward(link, { host: host ?? '127.0.0.1', port }, localPort) : opened;
    },
    spawnDetached: async (command) => {
      const script = (session: SshSession) => spawnDetachedScript(session.tools, command);
      const end = await runFor(`Cannot start "${command.command}"`, script, (raw) => raw, {
        expected: [NO_FOLDER, NO_PROGRAM],
      });
      if (!end.ok) return end;
      const { code, stdout } = end.value;
      const pid = Number(stdout.toString('latin1').trim());
      if (code === 0 && Number.isInteger(pid) && pid > 0) return ok({ pid });
      const why =
        code === NO_FOLDER
          ? `there is no folder ${command.cwd}`
          : code === NO_PROGRAM
            ? 'the program does not exist'
            : 'no process number was returned';
      const message = `Cannot start "${command.command}" on ${spec.name}: ${why}.`;
      return failed({ code: 'unavailable', message });
    },
    ...processCalls(runFor),
    ...fileCalls(runFor),
    upload: async (from, path) => {
      const opened = await openedNow();
      if (!opened.ok) return opened;
      return upload({ run, spawn, spec }, opened.value.tools, from, path, draftOf(path));
    },
  };
}

function processCalls(runFor: RunFor): Pick<Machine, 'processIdentity' | 'groupMembers' | 'signalGroup'> {
  return {
    processIdentity: (pid) =>
      runFor(
        `Cannot read the process ${pid}`,
        ({ tools }) => processScript(tools, pid),
        ({ stdout }) => parseIdentity(stdout.toString('utf8')),
      ),
    groupMembers: (groupId) =>
      runFor(
        'Cannot list the processes',
        ({ tools }) => processesScript(tools),
        ({ stdout }) => groupOf(stdout.toString('utf8'), groupId),
      ),
    signalGroup: (groupId, signal) =>
      runFor(`Cannot stop the process group ${groupId}`, signalScript(groupId, signal), done),
  };
}

type FileCall =
  | 'makeFolder'
  | 'listFolder'
  | 'removeFolder'
  | 'removeFile'
  | 'readText'
  | 'writeText'
  | 'readSlice';

function fileCalls(runFor: RunFor): Pick<Machine, FileCall> {
  return {
    makeFolder: (path) =>
      runFor(`Cannot create ${path}`, makeFolderScript(path), ({ stdout }) => stdout.toString() === 'made\n'),
    listFolder: (path) =>
      runFor(
        `Cannot list ${path}`,
        listFolderScript(path),
        ({ stdout }) => stdout.toString('utf8').split('\0').slice(0, -1).sort(),
        { expected: [ABSENT] },
      ),
    removeFolder: (path) => runFor(`Cannot remove ${path}`, removeScript(path, 'folder'), done),
    removeFile: (path) => runFor(`Cannot remove ${path}`, removeScript(path, 'file'), done),
    readText: (path) =>
      runFor(
        `Cannot read ${path}`,
        readTextScript(path),
        ({ code, stdout }) => (code === ABSENT ? null : stdout.toString('utf8')),
        { expected: [ABSENT] },
      ),
    writeText: (path, text) =>
      runFor(`Cannot write ${path}`, writeTextScript(path, draftOf(path)), done, { stdin: text }),
    readSlice: (path, offset, maxBytes) =>
      runFor(
        `Cannot read ${path}`,
        ({ tools }) => readSliceScript(tools, path, offset, Math.min(maxBytes, MAX_STDOUT_BYTES - 64)),
        ({ code, stdout }) => {
          if (code === ABSENT) return null;
          const cut = stdout.indexOf('\n');
          return { size: Number(stdout.subarray(0, cut).toString()), bytes: stdout.subarray(cut + 1) };
        },
        { expected: [ABSENT] },
      ),
  };
}

const done = () => null;

function draftOf(path: string): string {
  return `${path}.${randomBytes(6).toString('hex')}.tmp`;
}

function tooLong(name: string): Refusal {
  return {
    code: 'unavailable',
    message: `Cannot run a script of more than ${LARGEST_SCRIPT} bytes on ${name}. Pass its data as input.`,
  };
}

/** As text for a shell's word; null when that is not possible. */
function shellInput(input: string | Uint8Array): string | null {
  if (input.length > LARGEST_WORD) return null;
  const text = typeof input === 'string' ? input : utf8Of(input);
  return text === null || text.includes('\0') ? null : text;
}

/** null where the bytes are not UTF-8. */
function utf8Of(bytes: Uint8Array): string | null {
  const text = Buffer.from(bytes).toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : null;
}

function unavailable(failure: string, end: RawEnd): Refusal {
  const lastLine = end.stderr.toString('utf8').trim().split('\n').at(-1)?.slice(-300) ?? '';
  const why =
    lastLine !== '' ? lastLine : end.code === IS_FOLDER ? 'it is a folder' : `exit code ${end.code}`;
  return { code: 'unavailable', message: `${failure}: ${why}.` };
}

/** Stops waiting when aborted; the connection itself is still made. */
async function stopWaitingOnAbort<T>(
  answer: AsyncResult<T>,
  signal: AbortSignal | null,
  name: string,
): Promise<Result<T, Refusal>> {
  if (signal === null) return answer;
  if (signal.aborted) return failed(cancelled(name));
  return new Promise((resolve) => {
    const onAbort = () => resolve(failed(cancelled(name)));
    signal.addEventListener('abort', onAbort, { once: true });
    void answer.then((value) => {
      signal.removeEventListener('abort', onAbort);
      resolve(value);
    });
  });
}
