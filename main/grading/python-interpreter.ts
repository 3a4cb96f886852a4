import { z } from 'zod';
import { executablesNamed, outputOf } from './executables';
import { PACKAGES_PROBE, type PythonPackages, parsePackages } from './python-packages';

/** A real interpreter, never a version manager's shim, which would cost some 70 ms at each start. */
export type PythonInterpreter = {
  readonly path: string;
  /** Folder with its standard library. */
  readonly prefix: string;
  /** e.g. "3.11.2" */
  readonly version: string;
};

const OLDEST_MINOR = 9;
/** A Python program that prints facts about its interpreter; `parseAnswer` reads them. */
export const PYTHON_PROBE =
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
    const answer = await outputOf(path, ['-I', '-S', '-c', PYTHON_PROBE]);
    const python = answer === null ? null : parsePythonProbe(answer);
    if (python !== null) return python;
  }
  return null;
}

/** Which of the packages that candidates may import this Python has. */
export async function findPackages(python: string): Promise<PythonPackages> {
  return parsePackages(await outputOf(python, ['-I', '-c', PACKAGES_PROBE]));
}

/** null: no Python that can grade. */
export function parsePythonProbe(text: string): PythonInterpreter | null {
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

/** Folders and files besides /usr that a sandbox needs for this interpreter to start. */
export function foldersOf(python: PythonInterpreter): string[] {
  const outside = (path: string) => path !== '/usr' && !path.startsWith('/usr/');
  const folders = outside(python.prefix) ? [python.prefix] : [];
  const covered = folders.some((folder) => python.path.startsWith(`${folder}/`));
  return outside(python.path) && !covered ? [...folders, python.path] : folders;
}
