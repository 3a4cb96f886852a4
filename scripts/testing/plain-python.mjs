// The Python that tests find: where `python3` is a script of a version manager (pyenv, asdf), each of their thousand starts
// would run some ten shells before Python, which cost several times what Python's own start does.
import { open } from 'node:fs/promises';
import { delimiter, dirname } from 'node:path';
import { runChild } from '../child.mjs';
import { findProgram } from '../project.mjs';

/** PATH on which `python3` is the interpreter itself; the given one where it is that already, or there is none. */
export async function pathWithPlainPython(path = process.env.PATH) {
  const found = findProgram('python3', { PATH: path });
  if (found === undefined || !(await isScript(found))) return path;
  const program = 'import sys; print(sys.executable)';
  const { code, output } = await runChild(found, ['-c', program], { collect: true });
  const executable = output.trim();
  if (code !== 0 || !executable.endsWith('/python3')) return path;
  return `${dirname(executable)}${delimiter}${path}`;
}

async function isScript(path) {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.toString() === '#!';
  } finally {
    await file.close();
  }
}
