import { expect, it } from 'vitest';
import { findOldWords } from '../../scripts/lint/words.mjs';
import { plantProject } from './planted-project';

const words = {
  identifiers: { doDeed: 'run', around: 'deps' },
  fileNames: { 'verdict-book': 'verdict-cache' },
};

it('refuses an old identifier and an old file name, wherever they are planted', async () => {
  const project = plantProject({
    'main/jobs/verdict-book.ts': 'export const value = 1;\n',
    'renderer/run/planted.tsx': 'export const doDeed = () => <b title="x">y</b>;\n',
    'tests/main/planted.test.ts': 'const { around } = { around: 1 };\nexport { around };\n',
    'main/jobs/lawful.ts': "// look around\nexport const text = 'doDeed around';\n",
  });
  try {
    const found = await findOldWords(project.folder, words);
    expect(found).toEqual([
      'main/jobs/verdict-book.ts: name the file for what it holds, e.g. verdict-cache',
      'renderer/run/planted.tsx:1: "doDeed" is now run',
      'tests/main/planted.test.ts:1: "around" is now deps',
      'tests/main/planted.test.ts:1: "around" is now deps',
      'tests/main/planted.test.ts:2: "around" is now deps',
    ]);
  } finally {
    project.close();
  }
});
