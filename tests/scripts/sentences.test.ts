import { expect, test } from 'vitest';
import { textsOf } from '../../scripts/lint/sentences.mjs';

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
