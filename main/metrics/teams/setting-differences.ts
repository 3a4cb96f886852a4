import type {
  CountedConfig,
  ModelTraining,
  PocketTraining,
  ServerSpec,
  SettingDifference,
} from '../../../preload/contract';
import { testsName } from '../../../preload/contract/plans';

/** Fields of a server that do not affect its answers. */
const CONNECTION_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'maxInFlight',
  'latencyMs',
  'machineId',
  'secret',
  'baseUrl',
]);

/**
 * Settings in which configurations differ, by their path in the run's configuration; those of an agent's server belong
 * to the agent. Not settings: seeds, names of agents, and how a server is named, reached or loaded. A configuration
 * whose runs differ has all their values.
 */
export function settingDifferences(
  configurations: ReadonlyArray<{ readonly configs: readonly CountedConfig[] }>,
): SettingDifference[] {
  const namesTests = configurations.some(({ configs }) => configs.some(({ tests }) => tests !== undefined));
  return differencesOf(
    configurations.map(({ configs }) => valuesOf(configs, namesTests)),
    (agent) => `${agent}.server.model`,
  );
}

/** Those in which trainings differ, by their path in a training's settings; seeds are no settings. */
export function trainingDifferences(
  trainings: readonly (PocketTraining | ModelTraining)[],
): SettingDifference[] {
  return differencesOf(
    trainings.map(({ seed: _seed, ...spec }) => leavesOf(spec)),
    (agent) => `${agent}.model`,
  );
}

/** `modelOf`: where the model of an agent is, e.g. of "agents[0]". */
function differencesOf(
  settings: ReadonlyArray<ReadonlyMap<string, string>>,
  modelOf: (agent: string) => string,
): SettingDifference[] {
  const paths = [...new Set(settings.flatMap((own) => [...own.keys()]))];
  return paths.flatMap((path): SettingDifference[] => {
    const values = settings.map((own) => own.get(path) ?? null);
    return isShown(path, settings, modelOf) ? [{ path, values }] : [];
  });
}

/**
 * For an agent that smaller teams lack, only its model is shown, and settings that differ among the teams that have it.
 */
function isShown(
  path: string,
  settings: ReadonlyArray<ReadonlyMap<string, string>>,
  modelOf: (agent: string) => string,
): boolean {
  const agent = /^agents\[\d+\]/.exec(path)?.[0];
  const named = agent === undefined ? null : modelOf(agent);
  const having = named === null || named === path ? settings : settings.filter((own) => own.has(named));
  return new Set(having.map((own) => own.get(path) ?? null)).size > 1;
}

/** Paths in which runs of one configuration differ, except trained checkpoints: each seed has its own. */
export function differingSettings(configs: readonly CountedConfig[]): string[] {
  const namesTests = configs.some(({ tests }) => tests !== undefined);
  const settings = configs.map((config) => flat(config, namesTests));
  const paths = [...new Set(settings.flatMap((own) => [...own.keys()]))];
  return paths.filter(
    (path) => !isOfSeed(path) && new Set(settings.map((own) => own.get(path) ?? null)).size > 1,
  );
}

/** A run of another seed may take the checkpoint that this seed has trained. */
function isOfSeed(path: string): boolean {
  return /\.server\.(trained\.|launchId|model|checkpointSeed)/.test(path);
}

function valuesOf(configs: readonly CountedConfig[], namesTests: boolean): Map<string, string> {
  const values = new Map<string, string[]>();
  for (const config of configs) {
    for (const [path, value] of flat(config, namesTests)) {
      const previous = values.get(path) ?? [];
      if (!previous.includes(value)) values.set(path, [...previous, value]);
    }
  }
  return new Map([...values].map(([path, all]) => [path, joined(all)]));
}

/** e.g. "a | b"; of texts that differ in a last number alone "run-{11, 12}". */
function joined(values: readonly string[]): string {
  const numbered = values.map((value) => /^(.*\D)(\d+)$/.exec(value));
  const [first = ''] = numbered.map((parts) => parts?.[1] ?? '');
  const isSeries = values.length > 1 && first !== '' && numbered.every((parts) => parts?.[1] === first);
  return isSeries ? `${first}{${numbered.map((parts) => parts?.[2]).join(', ')}}` : values.join(' | ');
}

/** `namesTests`: by which tests it is graded is told beside others that a re-grade's tests have graded. */
function flat(config: CountedConfig, namesTests: boolean): Map<string, string> {
  const { team, search, scale, benchmarkId, benchmarkDigest, problemIds } = config;
  const agents = team.agents.map(({ id: _id, name: _name, serverId, ...agent }) => ({
    ...agent,
    server: shownServer(team.servers.find(({ id }) => id === serverId)),
  }));
  const settings = { scale, benchmarkId, benchmarkDigest, problems: problemIds.length, search };
  const privateTests = namesTests ? testsName(config) : undefined;
  return leavesOf({ ...settings, privateTests, team: team.kind, agents });
}

/** Every text, number and so on in it, by its path. */
function leavesOf(settings: object): Map<string, string> {
  const leaves = new Map<string, string>();
  // Children are pushed in reverse, so that paths come in order.
  const open: Array<readonly [string, unknown]> = [['', settings]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [path, value] = next;
    if (value === null || value === undefined) continue;
    if (typeof value !== 'object') {
      leaves.set(path, String(value));
      continue;
    }
    const parts = Array.isArray(value)
      ? value.map((part, at) => [`${path}[${at}]`, part] as const)
      : Object.entries(value).map(([key, part]) => [path === '' ? key : `${path}.${key}`, part] as const);
    open.push(...parts.reverse());
  }
  return leaves;
}

function shownServer(server: ServerSpec | undefined): Record<string, unknown> {
  if (server === undefined) return {};
  return Object.fromEntries(Object.entries(server).filter(([key]) => !CONNECTION_FIELDS.has(key)));
}
