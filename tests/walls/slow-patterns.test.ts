import { expect, it } from 'vitest';
import { findSlowPatterns } from '../../scripts/lint/slow-patterns.mjs';
import { superLinear } from '../../scripts/lint/super-linear.mjs';
import { plantProject } from './planted-project';

it('refuses a slow pattern wherever it is planted, and a reason that nothing needs', async () => {
  const project = plantProject({
    'main/jobs/planted.ts': 'export const ending = /\\s+$/;\n',
    'renderer/run/planted.tsx': 'export const part = <b>{"a".replace(/-+$/, "")}</b>;\n',
    'preload/planted.ts': `export const named = (name: string) => new RegExp(\`<\${name}>(.*)</\${name}>\`);\n`,
    'resources/tools/planted.mjs': "export const nested = new RegExp('^(a+)+' + '$', 'm');\n",
    'main/jobs/bounded.ts': 'export const short = /\\d+x/;\n',
    'main/jobs/lawful.ts': 'export const trimmed = /(?<!\\s)\\s+$/;\n// text.replace(/\\s+$/)\n',
  });
  try {
    const found = await findSlowPatterns(project.folder, {
      'main/jobs/bounded.ts': { '/\\d+x/': 'a number', '/\\d+y/': 'gone' },
    });
    expect(found.map((line) => line.replace(/ (?:takes|can take) .*/, ''))).toEqual([
      'main/jobs/planted.ts:1: /\\s+$/',
      'preload/planted.ts:1: /<x>(.*)</x>/',
      'renderer/run/planted.tsx:1: /-+$/',
      'resources/tools/planted.mjs:1: /^(a+)+$/m',
      'main/jobs/bounded.ts: slow-patterns.json lists /\\d+y/, which is not there or not slow',
    ]);
  } finally {
    project.close();
  }
});

it.each([
  ['a search that begins again inside of a run', /\d+x/],
  ['two loops over the same characters in a row', /^(\w+)\s*=\s*(.*)$/],
  ['a loop in a loop', /^(a+)+$/],
  ['two ways to read the same text', /^(?:a|aa)+$/],
  ['a class and a part of it as alternatives', /^(?:\w|\d)+!/],
  ['a beginning that repeats inside of what follows', /begin.*end/],
  ['a line that begins with any white space', /^\s*import\b/m],
  ['a lookahead that runs on from every place', /,(?![^{}]*\})/],
  ['a string with escapes that need not end', /"(?:\\.|[^"\\])*"/],
])('calls slow: %s', (_, { source, flags }) => {
  expect(superLinear(source, flags)).not.toBeNull();
});

it.each([
  ['a search that begins only at the beginning of a run', /(?<!\d)\d+x/],
  ['a word boundary in front of a run', /\b\w+!/],
  ['an anchored search', /^\d+x/],
  ['loops over different characters', /^(\w+)=(\d+)$/],
  ['a loop whose end cannot fail', /begin.*/],
  ['a loop up to the end of a line', /begin.*$/m],
  ['a limited count', /begin.{0,100}end/],
  ['what stops at its own beginning', /<[^<>]*>/],
  ['a sticky pattern', /\d+x/y],
])('calls fast: %s', (_, { source, flags }) => {
  expect(superLinear(source, flags)).toBeNull();
});
