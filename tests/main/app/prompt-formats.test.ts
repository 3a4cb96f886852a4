import { expect, test } from 'vitest';
import { promptFormatsProblem, withTemplateDigests } from '../../../main/app/handlers/prompt-formats';
import { ok } from '../../../main/base';
import { type PromptFormat, type Study, teamOfMembers, urlServer } from '../../../preload/contract/index';
import { configWith, problemWith } from '../../support/search-fixture';

const url = urlServer('http://127.0.0.1:1/v1', 'base');

function requestOf(promptFormat: PromptFormat) {
  const team = teamOfMembers([{ server: url, promptFormat }]);
  if (team === null) throw new Error('No team');
  return { configurations: [{ configuration: 'a', team }] };
}

function digestOf(user: string): string | undefined {
  const order = requestOf({ kind: 'file', system: '', user, digest: 'f'.repeat(16) });
  const format = withTemplateDigests(order).configurations[0]?.team.agents[0]?.promptFormat;
  return format?.kind === 'file' ? format.digest : undefined;
}

test('a template has the digest of its own texts, whatever the order says', () => {
  expect(digestOf('{statement}')).toMatch(/^[0-9a-f]{16}$/);
  expect(digestOf('{statement}')).toBe(digestOf('{statement}'));
  expect(digestOf('{statement}')).not.toBe(digestOf('{statement}.'));
  expect(digestOf('{statement}')).not.toBe('f'.repeat(16));
});

test('a study of completions is refused by the first problem without a function', async () => {
  const { configurations } = requestOf({ kind: 'completion' });
  const run = { ...configWith({ strategy: { kind: 'repeated' } }), problemIds: ['good', 'bad', 'unread'] };
  const study: Study = {
    ...{ id: 's', name: 's', createdAt: '2026-01-01', scale: 'own' },
    runs: configurations.map(({ team }) => ({ ...run, team })),
  };
  const check = { kind: 'check', source: '' } as const;
  const good = problemWith({ starterCode: 'def f():\n', publicTests: [], privateTests: [check] });
  const read: string[] = [];
  const problem = async (_benchmark: string, id: string) => {
    read.push(id);
    return ok(id === 'good' ? good : problemWith());
  };
  expect(await promptFormatsProblem(study, { problem }, [])).toMatchObject({
    code: 'bad-input',
    message: expect.stringMatching(/bad of world has none/),
  });
  expect(read).toEqual(['good', 'bad']);
});
