import { findPythonLines, shellWord, shellWords } from '../../base';

/** Required by the package's wheels: Python 3.10. */
const OLDEST_MINOR = 10;

/** Where llama.cpp belongs on a machine when the workbench brings it. Absolute paths there. */
export type LlamaCppPaths = {
  /** Folder of install.py and what it reads. */
  readonly installer: string;
  readonly environment: string;
  /** Folder of the server's program, for the end of a PATH; both are there once it is installed. */
  readonly programs: string;
  readonly program: string;
  /** SmolLM2-135M-Instruct as a GGUF file; there if it was asked for. */
  readonly model: string;
};

/** Lines for a job's shell that install it, and with `withModel` the model too. */
export function installLine({ installer, environment, model }: LlamaCppPaths, withModel: boolean): string {
  const words = [`${installer}/install.py`, '--folder', environment];
  return [
    findPythonLines(OLDEST_MINOR, null),
    'export PYTHONDONTWRITEBYTECODE=1',
    `exec "$mars2_python" ${shellWords(withModel ? [...words, '--model-file', model] : words)}`,
  ].join('\n');
}

/** A script that ends with 0 where the program runs, and with `withModel` the model's file is there. */
export function isInstalledScript({ program, model }: LlamaCppPaths, withModel: boolean): string {
  const runs = `${shellWord(program)} --version >/dev/null 2>&1`;
  return withModel ? `[ -f ${shellWord(model)} ] && ${runs}` : runs;
}
