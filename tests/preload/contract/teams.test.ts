import { expect, test } from 'vitest';
import { pocketServer, recordedServer, teamOf, teamSchema, urlServer } from '../../../preload/contract/index';

const reader = pocketServer('reader');
const tracer = pocketServer('tracer');

test.each([
  ['one agent is single', [reader], 'single'],
  ['the same one twice is homogeneous', [reader, reader], 'homogeneous'],
  ['different ones are heterogeneous', [reader, tracer, recordedServer('gpt')], 'heterogeneous'],
] as const)('%s', (_claim, servers, kind) => {
  const team = teamOf(servers);
  expect(teamSchema.parse(team)).toEqual(team);
  expect(team?.kind).toBe(kind);
});

test.each([
  ['nobody', []],
  ['one named twice beside another', [reader, reader, tracer]],
  ['one named three times', [reader, reader, reader]],
] as const)('%s is no team', (_claim, servers) => {
  expect(teamOf(servers)).toBeNull();
});

test('two models of one name at two addresses keep apart', () => {
  const team = teamOf([urlServer('http://a:1/v1', 'gpt'), urlServer('http://b:1/v1', 'gpt')]);
  expect(team?.servers.map(({ id, model }) => [id, model])).toEqual([
    ['gpt', 'gpt'],
    ['gpt-2', 'gpt'],
  ]);
  expect(team?.agents.map(({ serverId }) => serverId)).toEqual(['gpt', 'gpt-2']);
});

test('the roles of a homogeneous team can have other prompts', () => {
  const team = teamOf(
    [reader, reader],
    [
      { name: 'solver', systemPrompt: 'Be quick.' },
      { name: 'refiner', systemPrompt: 'Be thorough.' },
    ],
  );
  expect(team?.agents.map(({ role }) => role?.systemPrompt)).toEqual(['Be quick.', 'Be thorough.']);
});

test('recorded samples are whole programs, chat answers have theirs in a fence', () => {
  expect(teamOf([recordedServer('gpt'), reader])?.agents.map(({ extraction }) => extraction)).toEqual([
    'whole',
    'last-fence',
  ]);
});
