// Updates the pictures of README.md from the window's tests.
//   node scripts/screenshots.mjs   runs the tests that take them (some minutes), then copies those pictures
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { Refusal, runScript } from './ensure/index.mjs';
import { toPalettePng } from './palette-png.mjs';
import { inProject } from './project.mjs';

/** By the test file that takes them; each is taken in both themes. */
const pictures = {
  'quickstart.spec.ts': ['study-finished-light', 'run-tree-dark'],
  'reproduction.spec.ts': ['exhibit-empty-light'],
  'training.spec.ts': ['training-curves-dark'],
};

await runScript(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mars2-screens-'));
  try {
    await takePictures(folder);
    await takeOver(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** A test that fails is said by its own output; what the others saw is taken over all the same. */
async function takePictures(folder) {
  const specs = Object.keys(pictures).map((name) => `tests/e2e/${name}`);
  await runChild(process.execPath, [inProject('scripts', 'test.mjs'), 'e2e', '--', ...specs], {
    cwd: inProject(),
    env: { ...process.env, MARS2_SCREENSHOTS: folder },
  });
}

async function takeOver(folder) {
  const missing = [];
  await mkdir(inProject('docs', 'images'), { recursive: true });
  for (const [spec, names] of Object.entries(pictures)) {
    for (const name of names) {
      const png = await readFile(join(folder, `${name}.png`)).catch(() => null);
      if (png === null) missing.push(`${name} (of tests/e2e/${spec})`);
      else await writeFile(inProject('docs', 'images', `${name}.png`), toPalettePng(png));
    }
  }
  if (missing.length > 0) {
    throw new Refusal(`These pictures were not taken, so the old ones stay: ${missing.join(', ')}.`, 1);
  }
}
