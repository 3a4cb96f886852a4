import {
  isWithoutSystemPrompt,
  launchServer,
  POCKET_FAMILIES,
  pocketServer,
  ROLES,
  recordedServer,
  SAMPLING_SETTINGS,
  type SamplingTexts,
  type ServerSpec,
  sameServer,
  samplingOfTexts,
  type Team,
  type TeamMember,
  teamOfMembers,
  urlServer,
} from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import { promptFormatOf } from './prompt-format-argument';

/** Wrong input of the user; `message` says what was expected. */
export type ArgumentError = { readonly message: string };

export function wholeNumber(
  text: string | undefined,
  name: string,
  least: number,
  most: number,
): Result<number | undefined, ArgumentError> {
  if (text === undefined) return ok(undefined);
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) {
    return failed({ message: `--${name} takes a whole number from ${least} to ${most}, not "${text}".` });
  }
  return ok(value);
}

function serverOf(word: string): Result<ServerSpec, ArgumentError> {
  const colon = word.indexOf(':');
  const kind = colon === -1 ? word : word.slice(0, colon);
  const name = word.slice(colon + 1);
  const family = POCKET_FAMILIES.find((family) => family === name);
  if (kind === 'pocket' && family !== undefined) return ok(pocketServer(family));
  if (kind === 'recorded' && name !== '') return ok(recordedServer(name));
  if (kind === 'launch' && name !== '') return ok(launchServer(name));
  if (kind === 'url') {
    const [baseUrl, model] = name.split('#');
    if (baseUrl && model && URL.canParse(baseUrl)) return ok(urlServer(baseUrl, model));
  }
  return failed({
    message: `"${word}" is not an agent. Write pocket:reader, pocket:tracer, pocket:weak, recorded:ID, launch:ID, checkpoint:TRAINING:CHECKPOINT, server:ID or url:http://host:port/v1#MODEL.`,
  });
}

/** Fields of an agent besides its sampling: "pocket:reader{role=solver, temperature=0.6}". */
const OTHER_FIELDS = ['role', 'prompt', 'format', 'nodes', 'tokens', 'extraction', 'machine', 'key'] as const;
const MEMBER_FIELDS = [
  ...OTHER_FIELDS,
  ...SAMPLING_SETTINGS.map(({ option }) => (option === 'extra' ? 'extra.NAME' : option)),
];
const EXTRA = /^extra\.\w+$/;
const EXTRACTIONS = ['last-fence', 'python-fence', 'completion', 'whole'] as const;

/** Splits at commas outside of braces. */
function wordsOf(text: string): string[] {
  return text.split(/,(?![^{}]*\})/).map((word) => word.trim());
}

function fieldsOf(text: string): Result<ReadonlyMap<string, string>, ArgumentError> {
  const fields = new Map<string, string>();
  for (const part of text.split(',')) {
    const [name = '', ...value] = part.split('=');
    const key = name.trim();
    const isKnown = EXTRA.test(key) || (key !== 'extra.NAME' && MEMBER_FIELDS.includes(key));
    if (!isKnown || value.length === 0 || fields.has(key)) {
      return failed({
        message: `"${part.trim()}" is not allowed in the braces of an agent. Write NAME=VALUE, each once, of: ${MEMBER_FIELDS.join(', ')}.`,
      });
    }
    fields.set(key, value.join('=').trim());
  }
  return ok(fields);
}

/** "pocket:reader" of "pocket:reader{role=solver}". */
function withoutBraces(word: string): string {
  const brace = word.indexOf('{');
  return brace === -1 || !word.endsWith('}') ? word : word.slice(0, brace).trim();
}

function memberOf(word: string, known: KnownAgents): Result<TeamMember, ArgumentError> {
  const plain = withoutBraces(word);
  const found = known.get(plain);
  const server = found === undefined ? serverOf(plain) : ok(found.server);
  if (!server.ok) return server;
  if (plain === word) return ok(found ?? { server: server.value });
  const brace = word.indexOf('{');
  const fields = fieldsOf(word.slice(brace + 1, -1));
  if (!fields.ok) return fields;
  const numbers = new Map<string, number>();
  for (const [name, least, most] of NUMBER_FIELDS) {
    const text = fields.value.get(name);
    if (text === undefined) continue;
    const value = Number(text);
    if (text === '' || !(value >= least && value <= most) || !Number.isInteger(value)) {
      return failed({ message: `${name} of an agent is a number from ${least} to ${most}, not "${text}".` });
    }
    numbers.set(name, value);
  }
  const { sampling, problems } = samplingOfTexts(samplingTexts(fields.value));
  const [problem] = problems;
  if (problem !== undefined) {
    return failed({ message: `${problem.setting.option} of an agent is ${problem.message}.` });
  }
  const extraction = fields.value.get('extraction');
  const choice = EXTRACTIONS.find((choice) => choice === extraction);
  if (extraction !== undefined && choice === undefined) {
    return failed({ message: `extraction of an agent is ${EXTRACTIONS.join(', ')}, not "${extraction}".` });
  }
  const format = promptFormatOf(fields.value.get('format'));
  if (!format.ok) return format;
  const placed = placedServer(server.value, fields.value.get('machine'), fields.value.get('key'));
  return placed.ok
    ? ok(
        memberWith(placed.value, fields.value, {
          sampling: { ...found?.sampling, ...sampling },
          numbers,
          extraction: choice ?? found?.extraction,
          promptFormat: format.value,
        }),
      )
    : placed;
}

/** Sets the machine and the key; each applies to some kinds of server only. */
function placedServer(
  server: ServerSpec,
  machineId: string | undefined,
  secret: string | undefined,
): Result<ServerSpec, ArgumentError> {
  if (machineId !== undefined && server.kind === 'launch') {
    return failed({ message: 'machine is for pocket, recorded and url agents: a launch has its own.' });
  }
  if (secret !== undefined && server.kind !== 'url') {
    return failed({ message: 'key is for agents at an address: url:http://host:port/v1#MODEL{key=NAME}.' });
  }
  return ok({
    ...server,
    ...(machineId === undefined ? {} : { machineId }),
    ...(secret === undefined ? {} : { secret }),
  });
}

/** The sampling among an agent's fields; "extra.NAME=VALUE" are fields of the request, by JSON or as plain text. */
function samplingTexts(fields: ReadonlyMap<string, string>): SamplingTexts {
  const extra = [...fields].flatMap(([name, text]) =>
    EXTRA.test(name) ? [[name.slice('extra.'.length), jsonOrText(text)] as const] : [],
  );
  return {
    ...Object.fromEntries(
      SAMPLING_SETTINGS.flatMap(({ field, option }) => {
        const text = fields.get(option);
        return text === undefined ? [] : [[field, text]];
      }),
    ),
    ...(extra.length === 0 ? {} : { extra: JSON.stringify(Object.fromEntries(extra)) }),
  };
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const NUMBER_FIELDS: ReadonlyArray<readonly [name: string, least: number, most: number]> = [
  ['nodes', 1, 100_000],
  ['tokens', 1, 1_000_000_000],
];

function memberWith(
  server: ServerSpec,
  fields: ReadonlyMap<string, string>,
  {
    sampling,
    numbers,
    extraction,
    promptFormat,
  }: Pick<TeamMember, 'sampling' | 'extraction' | 'promptFormat'> & {
    readonly numbers: ReadonlyMap<string, number>;
  },
): TeamMember {
  const roleName = fields.get('role');
  const prompt = fields.get('prompt');
  const usual = isWithoutSystemPrompt(promptFormat) ? undefined : ROLES.find(({ name }) => name === roleName);
  const role =
    roleName === undefined && prompt === undefined
      ? undefined
      : { name: roleName ?? 'role', systemPrompt: prompt ?? usual?.systemPrompt ?? '' };
  const [nodes, tokens] = [numbers.get('nodes'), numbers.get('tokens')];
  return {
    server,
    role,
    sampling,
    budget:
      nodes === undefined && tokens === undefined
        ? undefined
        : { nodes: nodes ?? null, tokens: tokens ?? null },
    extraction,
    promptFormat,
  };
}

/** The workbench's facts about agents that cannot be read from their words alone. */
export type KnownAgents = ReadonlyMap<string, TeamMember>;

/** The words of its agents, without braces. */
export function agentsOf(configuration: string): string[] {
  return wordsOf(configuration.slice(configuration.indexOf('=') + 1)).map(withoutBraces);
}

/** "NAME=AGENT" is a single agent, "NAME=AGENT,AGENT" a team; an agent named again plays another role. */
export function configurationOf(
  text: string,
  known: KnownAgents = new Map(),
): Result<{ configuration: string; team: Team }, ArgumentError> {
  const equals = text.indexOf('=');
  const configuration = text.slice(0, equals).trim();
  if (equals < 1 || configuration === '') {
    return failed({ message: `"${text}" is not a configuration. Write NAME=AGENT or NAME=AGENT,AGENT.` });
  }
  const members: TeamMember[] = [];
  for (const word of wordsOf(text.slice(equals + 1))) {
    const member = memberOf(word, known);
    if (!member.ok) return member;
    members.push(member.value);
  }
  const recorded = members.filter(({ server }) => server.kind === 'recorded');
  const twice = recorded.some(({ server }, at) =>
    recorded.slice(0, at).some((other) => sameServer(other.server, server)),
  );
  if (twice) {
    const problem = `"${text}" names a recording twice, so each of its samples would count twice.`;
    return failed({ message: `${problem} Write it once.` });
  }
  const team = teamOfMembers(members);
  if (team === null) throw new Error('A split text has a word');
  return ok({ configuration, team });
}
