import type { RunConfig } from '../../../preload/contract/run';
import type { Agent } from '../../../preload/contract/team';
import { AGENT_STYLES } from '../../theme/index';

/** The names by which a team's agents differ. */
type NamedTeam = {
  readonly configuration: string;
  readonly agents: readonly { readonly name: string }[];
};

/** An agent with its position for `agentStyle`. */
export type PlacedAgent = Agent & { readonly position: number };

/**
 * The position (`agentStyle`) of each agent, by configuration: an agent of one name looks the same in every team, and, as far as
 * there are styles, no other one looks like it. No two agents of a team look the same while there are styles for all.
 */
export function agentPositions(teams: readonly NamedTeam[]): ReadonlyMap<string, readonly number[]> {
  const known = new Map<string, number>();
  return new Map(
    teams.map(({ configuration, agents }) => {
      const taken: number[] = [];
      for (const [at, { name }] of agents.entries()) {
        const before = agents.slice(0, at).filter((other) => other.name === name).length;
        const key = JSON.stringify([name, before]);
        if (!known.has(key)) known.set(key, known.size);
        const preferred = (known.get(key) ?? 0) % AGENT_STYLES;
        const free = Array.from({ length: AGENT_STYLES }, (_, style) => style).find(
          (style) => !taken.includes(style),
        );
        taken.push(taken.includes(preferred) ? (free ?? preferred) : preferred);
      }
      return [configuration, taken];
    }),
  );
}

/** The agents of this run's team, placed among all agents of its study. */
export function placedAgents(runs: readonly RunConfig[], run: RunConfig): readonly PlacedAgent[] {
  const teams = new Map(runs.map(({ configuration, team }) => [configuration, team.agents]));
  const positions = agentPositions([...teams].map(([configuration, agents]) => ({ configuration, agents })));
  const own = positions.get(run.configuration) ?? [];
  return run.team.agents.map((agent, at) => ({ ...agent, position: own[at] ?? at }));
}
