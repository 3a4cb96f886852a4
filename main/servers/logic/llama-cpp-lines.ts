import { findPythonLines, shellWord, shellWords } from '../../base';

/** Of the package's wheels: Python 3.10. */
const OLDEST_MINOR = 10;

/** Where llama.cpp belongs on a machine when the workbench brings it. Absolute paths there. */
export type LlamaCppPlaces = {
  /** Folder of install.py and what it reads. */
  readonly installer: string;
  readonly environment: string;
  /** The server's program; there once it is installed. */
  readonly program: string;
  /** SmolLM2-135M-Instruct as a GGUF file; there if it was asked for. */
  readonly model: string;
};

/** Lines for a job's shell that install it, and with `withModel` the model too. */
export function installLine({ installer, environment, model }: LlamaCppPlaces, withModel: boolean): string {
  const words = [`${installer}/install.py`, '--folder', environment];
  return [
    findPythonLines(OLDEST_MINOR, null),
    'export PYTHONDONTWRITEBYTECODE=1',
    `exec "$mars2_python" ${shellWords(withModel ? [...words, '--model-file', model] : words)}`,
  ].join('\n');
}

/** A script that ends with 0 where all files are there. */
export function areThereScript(paths: readonly string[]): string {
  return paths.map((path) => `[ -f ${shellWord(path)} ]`).join(' && ');
}
