import { z } from 'zod';
import { executablesNamed, outputOf } from './executables';
import { ASK_PACKAGES, type PythonPackages, parsePackages } from './python-packages';

/** A real interpreter, never a version manager's shim, which would cost some 70 ms at each start. */
export type PythonInterpreter = {
  readonly path: string;
  /** Folder with its standard library. */
  readonly prefix: string;
  /** e.g. "3.11.2" */
  readonly version: string;
};

const OLDEST_MINOR = 9;
/** A program for Python that tells what it is; `parseAnswer` reads it. */
export const ASK_PYTHON =
  'import json, os, sys; print(json.dumps([os.path.realpath(sys.executable), os.path.realpath(sys.base_prefix), ' +
  'list(sys.version_info[:3]), hasattr(os, "fork")]))';
const answerSchema = z.tuple([
  z.string(),
  z.string(),
  z.tuple([z.number(), z.number(), z.number()]),
  z.boolean(),
]);

/** The system's own Python 3 where there is one, else the first on the path that can grade; null: there is none. */
export async function findPython(): Promise<PythonInterpreter | null> {
  for (const path of await executablesNamed('python3')) {
    const answer = await outputOf(path, ['-I', '-S', '-c', ASK_PYTHON]);
    const found = answer === null ? null : parseAnswer(answer);
    if (found !== null) return found;
  }
  return null;
}

/** What this Python has of the packages that candidates may import. */
export async function findPackages(python: string): Promise<PythonPackages> {
  return parsePackages(await outputOf(python, ['-I', '-c', ASK_PACKAGES]));
}

/** null: no Python that can grade. */
export function parseAnswer(text: string): PythonInterpreter | null {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return null;
  }
  const answer = answerSchema.safeParse(data);
  if (!answer.success) return null;
  const [path, prefix, version, canFork] = answer.data;
  if (!canFork || version[0] !== 3 || version[1] < OLDEST_MINOR) return null;
  return { path, prefix, version: version.join('.') };
}

/** What a sandbox has to show of the file system, beside /usr, so that it starts. */
export function foldersOf(python: PythonInterpreter): string[] {
  const outside = (path: string) => path !== '/usr' && !path.startsWith('/usr/');
  const folders = outside(python.prefix) ? [python.prefix] : [];
  const covered = folders.some((folder) => python.path.startsWith(`${folder}/`));
  return outside(python.path) && !covered ? [...folders, python.path] : folders;
}
