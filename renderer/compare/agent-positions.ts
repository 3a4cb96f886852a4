import type { Contribution } from '../../preload/contract/run-comparison';

type Team = {
  readonly configuration: string;
  readonly agents: readonly Pick<Contribution['agents'][number], 'name'>[];
};

/**
 * The position (`agentStyle`) of each agent, by configuration: an agent looks in every team as it does in the largest. Where
 * that would give two agents of one team the same look, the later one takes the first that is free there.
 */
export function agentPositions(teams: readonly Team[]): ReadonlyMap<string, readonly number[]> {
  const known = new Map<string, number>();
  const largestFirst = [...teams].sort((a, b) => b.agents.length - a.agents.length);
  return new Map(
    largestFirst.map(({ configuration, agents }) => {
      const taken: number[] = [];
      agents.forEach(({ name }, at) => {
        const preferred = known.get(name) ?? at;
        const free = agents.findIndex((_, position) => !taken.includes(position));
        const position = taken.includes(preferred) ? free : preferred;
        taken.push(position);
        if (!known.has(name)) known.set(name, position);
      });
      return [configuration, taken];
    }),
  );
}
