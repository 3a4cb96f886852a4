// Makes the pictures of README.md again: runs the quickstart in the real window and keeps what its tests saw.
// Run: node scripts/screenshots.mjs   (a few minutes)
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { runScript } from './ensure/index.mjs';
import { inProject } from './project.mjs';

const pictures = ['study-finished-light', 'run-tree-dark'];

await runScript(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mars2-screens-'));
  try {
    const { code } = await runChild(
      process.execPath,
      [inProject('scripts', 'test.mjs'), 'e2e', '--', 'tests/e2e/quickstart.spec.ts'],
      { cwd: inProject(), env: { ...process.env, MARS2_SCREENSHOTS: folder } },
    );
    if (code !== 0) throw new Error('The tests that take the pictures failed; the old pictures were kept.');
    await mkdir(inProject('docs', 'images'), { recursive: true });
    for (const name of pictures) {
      await copyFile(join(folder, `${name}.png`), inProject('docs', 'images', `${name}.png`));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
