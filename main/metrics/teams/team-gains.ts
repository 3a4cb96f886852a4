import type { Agent, GainDifference, RunConfig, ServerSpec, TeamGain } from '../../../preload/contract';
import { assertNever, canonicalJson } from '../../base';
import type { ConfigurationMetrics } from '../configuration-metrics';
import { DIFFERENCES, withExactEnds } from '../exact-rates';
import { oddsRatioOf } from '../odds-ratio';
import { type Intervals, pairedDifference, problemIndices, ratesP } from '../paired-difference';
import { holm } from '../paired-tests';
import { passAtK } from '../pass-at-k';
import { haveTrainings, seedRows } from '../seed-rows';
import { seedSpread } from '../seed-spread';
import { seedsP, trainingsP } from '../seeds-test';
import { knownMean } from '../two-level-bootstrap';
import type { ComparedConfiguration } from './compared-configuration';

/** A model of a team that a configuration runs alone, and the number of the team's agents that use it. */
type TeamMember = { readonly alone: ComparedConfiguration; readonly agents: number };

/** A configuration of one agent. */
type SingleAgent = {
  readonly configuration: ComparedConfiguration;
  readonly models: ReadonlySet<string>;
  readonly search: string;
};

/**
 * The gain of teams over their members alone, for every configuration of several agents if each of its models is also
 * searched alone, by a configuration of one agent with as many nodes. Yields after every configuration.
 */
export function* teamGainSteps(
  configurations: readonly ComparedConfiguration[],
  intervals: Intervals,
): Generator<void, TeamGain[]> {
  const alone = configurations
    .filter(({ configs }) => configs[0]?.team.agents.length === 1)
    .map((configuration) => ({
      configuration,
      models: modelsOf(configuration, 0),
      search: searchOf(configuration),
    }));
  const gains: TeamGain[] = [];
  for (const team of configurations) {
    const members = membersOf(team, alone);
    if (members !== null) gains.push(...(yield* gainOf(team.metrics, members, intervals)));
    yield;
  }
  return correctedGains(gains);
}

/** Holm's correction over both differences of all teams. */
function correctedGains(gains: readonly TeamGain[]): TeamGain[] {
  const tested = gains.flatMap(({ overBest, overSideBySide }) => [overBest, overSideBySide ?? []].flat());
  const ps = holm(tested.map(({ p }) => p));
  const withHolm = (difference: GainDifference): GainDifference => ({
    ...difference,
    pHolm: ps[tested.indexOf(difference)] ?? 1,
  });
  return gains.map((gain) => ({
    ...gain,
    overBest: withHolm(gain.overBest),
    overSideBySide: gain.overSideBySide === null ? null : withHolm(gain.overSideBySide),
  }));
}

function* gainOf(
  team: ConfigurationMetrics,
  members: readonly TeamMember[],
  intervals: Intervals,
): Generator<void, TeamGain[]> {
  const together = foundBy(team);
  const alone = members.map(({ alone: { metrics } }) => foundBy(metrics));
  const problems = [...together.keys()].filter((id) => alone.every((own) => own.has(id)));
  if (problems.length === 0) return [];
  const mean = (valueFor: (id: string) => number): number =>
    problems.reduce((sum, id) => sum + valueFor(id), 0) / problems.length;
  const agents = members.reduce((sum, member) => sum + member.agents, 0);
  const { nodes } = team.runs[0].config.search;
  const share = Math.floor(nodes / agents);
  const sideBySide = problems.map((id) => {
    let noneSolves = 1;
    for (const [at, member] of members.entries()) {
      const own = alone[at]?.get(id) ?? [];
      // The chance that at least one of its trees, one per agent, has a passing program.
      const rate = passAtK(
        own.length,
        own.filter((curve) => foundWithin(curve, share)).length,
        member.agents,
      );
      if (rate === null) return null;
      noneSolves *= 1 - rate;
    }
    return 1 - noneSolves;
  });
  const rates = sideBySide.filter((value) => value !== null);
  const rateOf = (own: FoundBy, id: string): number => {
    const seeds = own.get(id) ?? [];
    return seeds.filter((curve) => foundWithin(curve, nodes)).length / seeds.length;
  };
  const means = alone.map((own) => mean((id) => rateOf(own, id)));
  const best = members[means.indexOf(Math.max(...means))]?.alone.metrics ?? team;
  const hasSideBySide = share > 0 && rates.length === problems.length;
  const overBest = yield* pairedDifference('pass@n', { first: team, second: best }, problems, intervals);
  if (overBest === null) return [];
  const { difference: value, low, high, test, oddsRatio, seedSpread: spread } = overBest;
  return [
    {
      team: team.configuration,
      members: members.map(({ alone: { metrics } }) => metrics.configuration),
      team01: mean((id) => rateOf(together, id)),
      bestMember01: Math.max(...means),
      sideBySide01: hasSideBySide ? rates.reduce((sum, value) => sum + value, 0) / rates.length : null,
      problems: problems.length,
      overBest: {
        value,
        low,
        high,
        p: test.p,
        pHolm: test.p,
        oddsRatio,
        ...(spread && { seedSpread: spread }),
      },
      overSideBySide: hasSideBySide ? yield* overPooled(team, members, { problems, rates }, intervals) : null,
    },
  ];
}

/**
 * Team minus its members side by side, which pool their seeds: by seed it is the team's own seed minus that pool. Paired over
 * problems; p is that of the paired bootstrap, never below what a sign test can give, nor, of trainings, below that of a t test
 * over the seeds.
 */
function* overPooled(
  team: ConfigurationMetrics,
  members: readonly TeamMember[],
  { problems, rates }: { readonly problems: readonly string[]; readonly rates: readonly number[] },
  { bootstrap, overSeeds }: Intervals,
): Generator<void, GainDifference> {
  const differences = problems.map((id, at) => (team.values['pass@n'].get(id) ?? 0) - (rates[at] ?? 0));
  const places = problemIndices(team, 'pass@n');
  const rows =
    seedRows(team, 'pass@n')?.map((own) =>
      problems.map((id, at) => (own[places.get(id) ?? -1] ?? 0) - (rates[at] ?? 0)),
    ) ?? null;
  const drawn = rows === null ? bootstrap.mean(differences) : overSeeds.mean(rows);
  const overProblems = yield* ratesP(differences, bootstrap);
  const all = [team, ...members.map(({ alone }) => alone.metrics)];
  const areTrainings = team.runs.length > 1 && haveTrainings(all);
  const p = areTrainings ? trainingsP(overProblems, seedsP((rows ?? []).map(knownMean))) : overProblems;
  const estimate = withExactEnds(drawn, problems.length, DIFFERENCES);
  return { ...estimate, p, pHolm: p, oddsRatio: oddsRatioOf(differences), ...seedSpread(rows) };
}

/** By problem and seed: was a passing program there after the first n nodes, at [n - 1]? */
type FoundBy = ReadonlyMap<string, ReadonlyArray<Float64Array>>;

function foundBy({ values, trees }: ConfigurationMetrics): FoundBy {
  // Trees are in the order of the problems that count in them.
  const ids = [...values['pass@n'].keys()];
  return new Map(ids.map((id, at) => [id, (trees[at] ?? []).map(({ series }) => series.found)]));
}

function foundWithin(found: Float64Array, nodes: number): boolean {
  return found[Math.min(nodes, found.length) - 1] === 1;
}

/** null: no team, or not all of its models are searched alone with as many nodes. */
function membersOf(team: ComparedConfiguration, alone: readonly SingleAgent[]): TeamMember[] | null {
  const own = team.configs[0]?.team.agents ?? [];
  if (own.length < 2) return null;
  const search = searchOf(team);
  const members = new Map<ComparedConfiguration, number>();
  for (const agentIndex of own.keys()) {
    const models = modelsOf(team, agentIndex);
    const alike = alone.filter(
      (candidate) => nodesOf(candidate.configuration) === nodesOf(team) && contains(candidate.models, models),
    );
    const member = (alike.find((candidate) => candidate.search === search) ?? alike[0])?.configuration;
    if (member === undefined) return null;
    members.set(member, (members.get(member) ?? 0) + 1);
  }
  return [...members].map(([configuration, agents]) => ({ alone: configuration, agents }));
}

function nodesOf({ configs }: ComparedConfiguration): number {
  return configs[0]?.search.nodes ?? 0;
}

function searchOf({ configs }: ComparedConfiguration): string {
  return canonicalJson(configs[0]?.search);
}

/** Seeds may have their own checkpoints, and one of both may have fewer seeds. */
function contains(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  const [few, many] = some.size < others.size ? [some, others] : [others, some];
  return [...few].every((name) => many.has(name));
}

/** The models of the agent at this position, over the runs of all seeds. */
function modelsOf({ configs }: ComparedConfiguration, agentIndex: number): ReadonlySet<string> {
  return new Set(configs.map(({ team }) => modelKey(team, team.agents[agentIndex])));
}

function modelKey({ servers }: RunConfig['team'], agent: Agent | undefined): string {
  const server = servers.find(({ id }) => id === agent?.serverId);
  return server === undefined ? '' : JSON.stringify([server.kind, ...weightsOf(server)]);
}

/** Identifies the weights, wherever they are served. */
function weightsOf(server: ServerSpec): ReadonlyArray<unknown> {
  switch (server.kind) {
    case 'pocket':
      return [server.family, server.checkpointSeed, server.trained?.trainingId, server.trained?.checkpointId];
    case 'recorded':
      return [server.recordingId];
    case 'url':
    case 'launch':
      return [server.model];
    default:
      return assertNever(server);
  }
}
