import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bundleScript } from '../../support/bundled-script';
import { FOREIGN_READERS } from '../../support/foreign-text';
import { temporaryFolder } from '../../support/temporary-folder';

/** What is needed is below 80; a reader that keeps what it has read in many forms needs more. */
const MEMORY_MIB = 120;
/** All of it takes some seconds; a reader of quadratic time takes minutes. */
const PATIENCE_MS = 300_000;

it('every reader of foreign text ends with its worst texts, throws nothing, and needs little memory', {
  timeout: PATIENCE_MS + 60_000,
}, async () => {
  const folder = await temporaryFolder();
  const script = await bundleScript(join(import.meta.dirname, 'read-all.ts'), folder);
  const output = await new Promise<string>((resolve) => {
    const options = { timeout: PATIENCE_MS, killSignal: 'SIGKILL' } as const;
    // Where it was ended, the last line says which reader it was in.
    execFile(process.execPath, [`--max-old-space-size=${MEMORY_MIB}`, script], options, (_, stdout) =>
      resolve(stdout),
    );
  });
  expect(output.trim().split('\n')).toEqual([...FOREIGN_READERS.map(({ name }) => `reads ${name}`), 'end']);
});
