import { spawn } from 'node:child_process';
import { cp, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { LOCAL_MACHINE, type MachineSpec } from '../../preload/contract';
import { failed, ok, withoutInheritedFiles } from '../base';
import { makePrivate, systemErrorCode } from '../storage';
import { localManifest } from './local-manifest';
import { localProcesses } from './local-processes';
import { asUser, runLocally, spawnLocally } from './local-run';
import { sameContent } from './logic/manifest';
import type { AsyncResult, DetachedCommand, FileSlice, Machine, TerminalCommand } from './machine';
import { attempt, valueOnCode } from './refusals';

export const THIS_COMPUTER: MachineSpec = { kind: 'local', id: LOCAL_MACHINE, name: 'This computer' };

/** Its name within a sentence. */
export function nameInSentence({ kind, name }: Pick<MachineSpec, 'kind' | 'name'>): string {
  return kind === 'local' && name === THIS_COMPUTER.name ? 'this computer' : name;
}

/** This computer. `home` is the workbench's folder on it, created on the first call. */
export function createLocalMachine(home: string, spec: MachineSpec = THIS_COMPUTER): Machine {
  let drafts = 0;
  /** A name next to `path` that no other call or process uses. */
  const draftOf = (path: string) => {
    drafts += 1;
    return `${path}.${process.pid}-${drafts}.tmp`;
  };

  return {
    id: spec.id,
    spec,
    home: () =>
      attempt(`Cannot create ${home}`, async () => {
        await mkdir(home, { recursive: true, mode: 0o700 });
        return home;
      }),
    run: runLocally,
    spawn: spawnLocally,
    terminal: localTerminal,
    forward: async (port) => ok({ localPort: port, dispose: () => undefined }),
    spawnDetached,
    processIdentity: (pid) => attempt(`Cannot read the process ${pid}`, () => localProcesses.mark(pid)),
    groupMembers: (groupId) =>
      attempt('Cannot list the processes', () => localProcesses.groupMembers(groupId)),
    signalGroup: (groupId, signal) =>
      attempt(`Cannot stop the process group ${groupId}`, async () => {
        try {
          process.kill(-groupId, signal);
        } catch (error) {
          if (systemErrorCode(error) !== 'ESRCH') throw error;
        }
        return null;
      }),
    makeFolder: (path) =>
      attempt(`Cannot create ${path}`, async () => {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        return mkdir(path, { mode: 0o700 }).then(() => true, valueOnCode('EEXIST', false));
      }),
    listFolder: (path) =>
      attempt(`Cannot list ${path}`, async () =>
        (await readdir(path).catch(valueOnCode('ENOENT', []))).sort(),
      ),
    removeFolder: (path) =>
      attempt(`Cannot remove ${path}`, async () => {
        await rm(path, { recursive: true, force: true });
        return null;
      }),
    removeFile: (path) =>
      attempt(`Cannot remove ${path}`, async () => {
        await rm(path, { force: true });
        return null;
      }),
    readText: (path) =>
      attempt(`Cannot read ${path}`, () => readFile(path, 'utf8').catch(valueOnCode('ENOENT', null))),
    writeText: (path, text) =>
      attempt(`Cannot write ${path}`, async () => {
        const draft = draftOf(path);
        try {
          await writeFile(draft, text, { mode: 0o600 });
          await rename(draft, path);
        } catch (error) {
          await rm(draft, { force: true });
          throw error;
        }
        return null;
      }),
    readSlice: (path, offset, maxBytes) =>
      attempt(`Cannot read ${path}`, () => readSlice(path, offset, maxBytes)),
    upload: (from, path) =>
      attempt(`Cannot copy ${from} to ${path}`, async () => {
        const [wanted, manifest] = [await localManifest(from), await localManifest(path)];
        if (wanted !== null && manifest !== null && sameContent(wanted, manifest)) return null;
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        const [draft, old] = [draftOf(path), draftOf(path)];
        try {
          await cp(from, draft, { recursive: true, dereference: true });
          // A copy has the modes of what it was made from.
          await makePrivate(draft);
          await rename(path, old).catch(valueOnCode('ENOENT', undefined));
          await rename(draft, path);
        } finally {
          await rm(draft, { recursive: true, force: true });
          await rm(old, { recursive: true, force: true });
        }
        return null;
      }),
  };
}

function localTerminal(command: string | null): TerminalCommand {
  if (command !== null) return { file: '/bin/sh', args: ['-c', command], env: {} };
  return { file: process.env.SHELL || userInfo().shell || '/bin/sh', args: ['-l'], env: {} };
}

async function spawnDetached({
  command,
  args,
  cwd,
  env,
}: DetachedCommand): AsyncResult<{ readonly pid: number }> {
  return new Promise((resolve) => {
    // `detached` is setsid(2): own session and process group, not affected by a hang-up of our terminal.
    const [program, words] = asUser(...withoutInheritedFiles(command, args));
    const child = spawn(program, words, {
      cwd,
      env: { ...process.env, ...env },
      detached: true,
      stdio: 'ignore',
    });
    child.once('error', (error) => {
      const message = `Cannot start "${command}" in ${cwd}: ${error.message}.`;
      resolve(failed({ code: 'unavailable' as const, message }));
    });
    child.once('spawn', () => {
      child.unref();
      resolve(ok({ pid: child.pid ?? 0 }));
    });
  });
}

async function readSlice(path: string, offset: number, maxBytes: number): Promise<FileSlice | null> {
  const file = await open(path, 'r').catch(valueOnCode('ENOENT', null));
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    const start = offset < 0 ? Math.max(0, size + offset) : Math.min(offset, size);
    const bytes = Buffer.alloc(Math.min(maxBytes, size - start));
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return { bytes: bytes.subarray(0, filled), size };
  } finally {
    await file.close();
  }
}
