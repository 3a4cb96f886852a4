import { expect, test } from 'vitest';
import {
  forwardTargetOf,
  pocketServer,
  recordedServer,
  type ServerSpec,
  teamOfMembers,
  teamSchema,
  urlServer,
} from '../../../preload/contract/index';

const reader = pocketServer('reader');
const tracer = pocketServer('tracer');
const teamOf = (servers: readonly ServerSpec[]) => teamOfMembers(servers.map((server) => ({ server })));

test.each([
  ['one agent is single', [reader], 'single'],
  ['the same one twice is homogeneous', [reader, reader], 'homogeneous'],
  ['different ones are heterogeneous', [reader, tracer, recordedServer('gpt')], 'heterogeneous'],
] as const)('%s', (_claim, servers, kind) => {
  const team = teamOf(servers);
  expect(teamSchema.parse(team)).toEqual(team);
  expect(team?.kind).toBe(kind);
});

test('an empty list is not a team', () => {
  expect(teamOf([])).toBeNull();
});

test('a model listed twice with another one plays roles in a heterogeneous team', () => {
  const team = teamOf([reader, reader, tracer]);
  expect(team?.kind).toBe('heterogeneous');
  expect(team?.servers.map(({ id }) => id)).toEqual(['reader', 'tracer']);
  expect(team?.agents.map(({ id }) => id)).toEqual(['reader-solver', 'reader-refiner', 'tracer']);
});

test('a model named three times plays three agents with their own ids', () => {
  const team = teamOf([reader, reader, reader]);
  expect(team?.kind).toBe('homogeneous');
  expect(team?.agents.map(({ id }) => id)).toEqual(['reader-solver', 'reader-refiner', 'reader-solver-2']);
});

test('a member has its own sampling, budget and extraction', () => {
  const team = teamOfMembers([
    {
      server: reader,
      sampling: { temperature: 0.2 },
      budget: { nodes: 7, tokens: null },
      extraction: 'completion',
    },
  ]);
  expect(teamSchema.parse(team)).toEqual(team);
  expect(team?.agents[0]).toMatchObject({
    sampling: { temperature: 0.2, topP: 1 },
    budget: { nodes: 7, tokens: null },
    extraction: 'completion',
  });
});

test('two models of one name at two addresses stay separate', () => {
  const team = teamOf([urlServer('http://a:1/v1', 'gpt'), urlServer('http://b:1/v1', 'gpt')]);
  expect(team?.servers.map(({ id, model }) => [id, model])).toEqual([
    ['gpt', 'gpt'],
    ['gpt-2', 'gpt'],
  ]);
  expect(team?.agents.map(({ serverId }) => serverId)).toEqual(['gpt', 'gpt-2']);
});

test.each([
  ['http://127.0.0.1:8000/v1', { host: '127.0.0.1', port: 8000 }],
  ['http://node17/v1', { host: 'node17', port: 80 }],
  ['http://[::1]:9/v1', { host: '[::1]', port: 9 }],
  ['https://api.example/v1', null],
  ['http://a:99999/v1', null],
  ['http://user@a:1/v1', null],
  ['http://a b/v1', null],
  ['http://-oProxyCommand=x:1:2/v1', null],
])('%s is forwarded to %j', (url, target) => {
  expect(forwardTargetOf(url)).toEqual(target);
});

test('the roles of a homogeneous team can have other prompts', () => {
  const team = teamOfMembers([
    { server: reader, role: { name: 'solver', systemPrompt: 'Be quick.' } },
    { server: reader, role: { name: 'refiner', systemPrompt: 'Be thorough.' } },
  ]);
  expect(team?.agents.map(({ role }) => role?.systemPrompt)).toEqual(['Be quick.', 'Be thorough.']);
});

test('recorded samples are whole programs, chat answers have theirs in a fence', () => {
  expect(teamOf([recordedServer('gpt'), reader])?.agents.map(({ extraction }) => extraction)).toEqual([
    'whole',
    'last-fence',
  ]);
});
