import { POCKET_FAMILIES, ROLES } from './teams';

/** How many colours the marks of agents have, and how many shapes (`agentStyle` of the window). */
const LOOKS = 4;

/** Names that have the same number whatever else is shown. */
const MODELS: readonly string[] = POCKET_FAMILIES;
const ROLE_NAMES: readonly string[] = ['', ...ROLES.map(({ name }) => name)];

type Named = { readonly name: string };
type NamedTeam = { readonly configuration: string; readonly agents: readonly Named[] };

/**
 * The position (for `agentStyle`) of each agent, by configuration. The mark follows who the agent is: its colour is the
 * model's, and its shape the model's as long as it has no role, another one for each role. So an agent looks the same on every
 * screen; only where two agents of a team would have one shape does the later get a free one.
 */
export function agentPositions(teams: readonly NamedTeam[]): ReadonlyMap<string, readonly number[]> {
  const all = teams.flatMap(({ agents }) => agents.map(partsOf));
  const models = numbered(MODELS, new Set(all.map(({ model }) => model)));
  const roles = numbered(ROLE_NAMES, new Set(all.map(({ role }) => role)));
  return new Map(
    teams.map(({ configuration, agents }) => {
      const taken = new Set<number>();
      const positions = agents.map((agent) => {
        const { model, role } = partsOf(agent);
        const color = (models.get(model) ?? 0) % LOOKS;
        const wanted = (color + (roles.get(role) ?? 0)) % LOOKS;
        const free = taken.size < LOOKS ? firstWithout(taken) : wanted;
        const shape = taken.has(wanted) ? free : wanted;
        taken.add(shape);
        return color + LOOKS * ((shape - color + LOOKS) % LOOKS);
      });
      return [configuration, positions];
    }),
  );
}

/** Of one agent of a team; 0 if it has no such agent. */
export function agentPosition(
  agents: readonly (Named & { readonly id: string })[],
  id: string | null,
): number {
  const positions = agentPositions([{ configuration: '', agents }]).get('');
  return positions?.[agents.findIndex((agent) => agent.id === id)] ?? 0;
}

/** As `teamOfMembers` names agents: "reader as solver". */
function partsOf({ name }: Named): { readonly model: string; readonly role: string } {
  const [model = name, role = ''] = name.split(' as ');
  return { model, role };
}

/** Names of `fixed` have their number there, the others in their order the first that is free. */
function numbered(fixed: readonly string[], names: ReadonlySet<string>): ReadonlyMap<string, number> {
  const numbers = new Map(fixed.flatMap((name, at) => (names.has(name) ? [[name, at] as const] : [])));
  for (const name of names) {
    if (!numbers.has(name)) numbers.set(name, firstWithout(new Set(numbers.values())));
  }
  return numbers;
}

function firstWithout(taken: ReadonlySet<number>): number {
  let free = 0;
  while (taken.has(free)) free += 1;
  return free;
}
