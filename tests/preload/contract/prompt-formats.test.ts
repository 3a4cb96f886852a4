import { expect, test } from 'vitest';
import {
  COMPLETION_STOPS,
  hasFunctionToComplete,
  launchServer,
  namedPromptFormat,
  PROMPT_FORMATS,
  pocketServer,
  promptFormatProblem,
  promptFormatSchema,
  promptFormatText,
  recordedServer,
  type SearchOptions,
  type TeamMember,
  teamOfMembers,
  teamPromptFormats,
  teamSchema,
  urlServer,
} from '../../../preload/contract/index';

const url = urlServer('http://127.0.0.1:1/v1', 'base');
const search: Pick<SearchOptions, 'strategy'> = { strategy: { kind: 'repeated' } };

function teamOf(...members: readonly TeamMember[]) {
  const team = teamOfMembers(members);
  if (team === null) throw new Error('No team');
  expect(teamSchema.parse(team)).toEqual(team);
  return team;
}

/** Of the member alone. A template that the schema refuses gets a sentence too: the window asks before it sends. */
function problemOf(member: TeamMember, options = search): string | null {
  const team = teamOfMembers([member]);
  const agent = team?.agents[0];
  if (agent === undefined) throw new Error('No agent');
  const engineOf = (id: string) => (id === 'laptop' ? ('ollama' as const) : ('vllm' as const));
  return promptFormatProblem(agent, { server: team?.servers[0], search: options, engineOf });
}

test('an agent without a format is as it was before there were formats', () => {
  const { agents } = teamOf({ server: url });
  expect(Object.keys(agents[0] ?? {})).not.toContain('promptFormat');
  expect(teamPromptFormats(agents)).toBeNull();
});

test('a completion ends at the published texts, unless the agent has its own, and continues the starter code', () => {
  const promptFormat = { kind: 'completion' } as const;
  const [usual, own] = teamOf(
    { server: url, promptFormat },
    { server: launchServer('other'), promptFormat, sampling: { stop: ['END'] } },
  ).agents;
  expect([usual?.sampling.stop, own?.sampling.stop]).toEqual([COMPLETION_STOPS, ['END']]);
  expect([usual?.extraction, own?.extraction]).toEqual(['completion', 'completion']);
});

test('roles of a team without system prompts are names only', () => {
  const member = { server: url, promptFormat: { kind: 'bare' } } as const;
  expect(teamOf(member, member).agents.map(({ role }) => role)).toEqual([
    { name: 'solver', systemPrompt: '' },
    { name: 'refiner', systemPrompt: '' },
  ]);
});

const completion = { kind: 'completion' } as const;
test.each<[string, TeamMember, RegExp | null]>([
  ['an address', { server: url, promptFormat: completion }, null],
  ['an engine with the route', { server: launchServer('gpu'), promptFormat: completion }, null],
  ['an engine without it', { server: launchServer('laptop'), promptFormat: completion }, /ollama/],
  ['a pocket policy', { server: pocketServer('reader'), promptFormat: completion }, /pocket/],
  ['a recording', { server: recordedServer('r'), promptFormat: { kind: 'bare' } }, /recorded/],
  ['another extraction', { server: url, promptFormat: completion, extraction: 'whole' }, /extraction/],
  ['thinking', { server: url, promptFormat: completion, sampling: { thinking: false } }, /Thinking/],
  [
    'a role prompt',
    { server: url, promptFormat: { kind: 'bare' }, role: { name: 'r', systemPrompt: 'Plan.' } },
    /no system prompt/,
  ],
  [
    'a template that names no problem',
    { server: url, promptFormat: { kind: 'file', system: '', user: 'Hello', digest: '' } },
    /\{statement\}/,
  ],
])('with %s the plan says what is wrong, or nothing', (_, member, problem) => {
  if (problem === null) expect(problemOf(member)).toBeNull();
  else expect(problemOf(member)).toMatch(problem);
});

test('a completion is refused in a search that refines, with the searches that do not', () => {
  const strategy = { kind: 'refine' } as const;
  const message = problemOf({ server: url, promptFormat: completion }, { strategy });
  expect(message).toMatch(/repeated or bandit-ucb/);
  expect(problemOf({ server: url, promptFormat: { kind: 'bare' } }, { strategy })).toBeNull();
});

test('only a function with a starter code can be completed', () => {
  const check = { kind: 'check', source: '' } as const;
  const call = { kind: 'call', input: '', expected: '' } as const;
  const problem = { starterCode: 'def f():\n', publicTests: [], privateTests: [check] };
  expect(hasFunctionToComplete(problem)).toBe(true);
  expect(hasFunctionToComplete({ ...problem, starterCode: '' })).toBe(false);
  expect(hasFunctionToComplete({ ...problem, privateTests: [call] })).toBe(false);
});

test('every format but the default is in the records, and a template has limits', () => {
  const template = { kind: 'file', system: '', user: '{statement}', digest: '' };
  const records = [{ kind: 'bare' }, completion, namedPromptFormat('completion-trimmed'), template].map(
    (format) => promptFormatSchema.parse(format),
  );
  const names = records.map((promptFormat) => promptFormatText({ promptFormat }));
  expect(['workbench', ...names]).toEqual(PROMPT_FORMATS.map(({ name }) => name));
  expect(promptFormatSchema.safeParse({ ...template, user: 'Hello' }).success).toBe(false);
  expect(promptFormatSchema.safeParse({ ...template, system: 'x'.repeat(20_001) }).success).toBe(false);
});
