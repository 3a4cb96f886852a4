import { expect, it } from 'vitest';
import { findReplacedNames } from '../../scripts/lint/words.mjs';
import { plantProject } from './planted-project';

const words = {
  identifiers: { doDeed: 'run', around: 'deps' },
  fileNames: { 'verdict-book': 'verdict-cache' },
  beginnings: { MOST_: 'MAX_' },
  endings: { Words: 'Text', '-words': '-text' },
  allowed: ['shellWords'],
};

it('refuses a replaced identifier, file name, beginning or ending, wherever they are planted', async () => {
  const project = plantProject({
    'main/jobs/verdict-book.ts': 'export const value = 1;\n',
    'renderer/run/planted.tsx': 'export const doDeed = () => <b title="x">y</b>;\n',
    'tests/main/planted.test.ts': 'const { around } = { around: 1 };\nexport { around };\n',
    'main/pocket/cell-words.ts': 'export const cellWords = (shellWords) => shellWords;\n',
    'main/pocket/limits.ts': 'export const MOST_NODES = 1;\n',
    'main/jobs/lawful.ts': "// look around\nexport const text = 'doDeed around';\n",
  });
  try {
    const found = await findReplacedNames(project.folder, words);
    expect(found).toEqual([
      'main/jobs/verdict-book.ts: name the file for what it holds, e.g. verdict-cache',
      'main/pocket/cell-words.ts: name the file for what it holds, e.g. cell-text',
      'main/pocket/cell-words.ts:1: "cellWords" is now cellText',
      'main/pocket/limits.ts:1: "MOST_NODES" is now MAX_NODES',
      'renderer/run/planted.tsx:1: "doDeed" is now run',
      'tests/main/planted.test.ts:1: "around" is now deps',
      'tests/main/planted.test.ts:1: "around" is now deps',
      'tests/main/planted.test.ts:2: "around" is now deps',
    ]);
  } finally {
    project.close();
  }
});
