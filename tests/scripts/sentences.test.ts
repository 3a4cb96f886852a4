import { expect, test } from 'vitest';
import { allTexts, textsOf } from '../../scripts/lint/sentences.mjs';

const texts = (code: string): readonly string[] =>
  textsOf('screen.tsx', code).map(({ text }: { readonly text: string }) => text);

test('the list has what people read: text between tags, labels, sentences with what is filled in', () => {
  expect(
    texts(`
      import { plural } from './words of a path';
      const reason = \`\${name} is not running: start it first.\`;
      const label: 'left' | 'right' = 'left';
      export const Part = () => <p className="soft text" title="What it cost">Nothing here yet</p>;
      const column = { id: 'state name', label: 'State' };
    `),
  ).toEqual(['{…} is not running: start it first.', 'What it cost', 'Nothing here yet', 'State']);
});

test('it has the refusals, warnings and questions of main, of the contract and of the scripts as well as the screens', async () => {
  const listed = (await allTexts('.')).map(({ file, text }) => `${file}: ${text}`);
  for (const expected of [
    'main/studies/logic/warnings.ts: nothing guides the search. Exclude {…}, or treat {…} as plain sampling',
    'main/trainings/check-machine.ts: If started now, it waits until they are free.',
    'preload/contract/plans/study-gradings.ts: As first graded{…}',
    'scripts/ensure/system-packages.mjs: Then run the same command again. {…}',
    'renderer/app.tsx: This page works only in the window of the MARS² Workbench. Start it with',
  ]) {
    expect(listed).toContain(expected);
  }
});
