import { expect, test } from 'vitest';
import { unbrokenParts } from '../../../renderer/widgets/unbroken';

const whole = (text: string) =>
  unbrokenParts(text)
    .filter(({ isWhole }) => isWhole)
    .map((part) => part.text);

test('a word with a hyphen stays whole, a path breaks before its slashes, other words are left alone', () => {
  expect(whole('serve --threads 2 of Qwen3-32B')).toEqual(['--threads', 'Qwen3-32B']);
  expect(whole('exec /srv/a-b/spec.json')).toEqual(['/srv', '/a-b', '/spec.json']);
  expect(whole('in the place of it')).toEqual([]);
});

test('no letter is lost or added', () => {
  const text = 'a  --b=//c/ d\n -e /';
  expect(
    unbrokenParts(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});
