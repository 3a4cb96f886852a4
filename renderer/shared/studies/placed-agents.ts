import { agentPositions } from '../../../preload/contract/plans/index';
import type { RunConfig } from '../../../preload/contract/run';
import type { Agent } from '../../../preload/contract/team';

/** An agent with its position for `agentStyle`. */
export type PlacedAgent = Agent & { readonly position: number };

/** The agents of this run's team, placed among all agents of its study. */
export function placedAgents(runs: readonly RunConfig[], run: RunConfig): readonly PlacedAgent[] {
  const teams = new Map(runs.map(({ configuration, team }) => [configuration, team.agents]));
  const positions = agentPositions([...teams].map(([configuration, agents]) => ({ configuration, agents })));
  const own = positions.get(run.configuration) ?? [];
  return run.team.agents.map((agent, at) => ({ ...agent, position: own[at] ?? at }));
}
