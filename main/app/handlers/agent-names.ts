import type {
  Agent,
  CheckedPayload,
  Recording,
  ServerLaunch,
  ServerSpec,
} from '../../../preload/contract/index';

type Configured = Pick<CheckedPayload<'study.create'>, 'configurations'>;
type Recordings = readonly Pick<Recording, 'id' | 'name'>[];
type Launches = readonly Pick<ServerLaunch, 'id' | 'name'>[];

/**
 * The order with agents called as lists call their recordings and launches, where the window and the terminal alike have put
 * these' ids. Agents' ids, of which the search's decisions depend, stay.
 */
export function withAgentNames<T extends Configured>(
  request: T,
  recordings: Recordings,
  launches: Launches,
): T {
  return {
    ...request,
    configurations: request.configurations.map((configuration) => {
      const { agents, servers } = configuration.team;
      const renamed = agents.map((agent) => ({
        ...agent,
        name: nameOf(
          agent,
          servers.find(({ id }) => id === agent.serverId),
          recordings,
          launches,
        ),
      }));
      const differ = new Set(renamed.map(({ name }) => name)).size === agents.length;
      return differ ? { ...configuration, team: { ...configuration.team, agents: renamed } } : configuration;
    }),
  };
}

/** e.g. "beta as solver" with what is called beta in lists. */
function nameOf(
  { name }: Agent,
  server: ServerSpec | undefined,
  recordings: Recordings,
  launches: Launches,
): string {
  const [id, shown] =
    server?.kind === 'recorded'
      ? [server.recordingId, recordings.find(({ id }) => id === server.recordingId)?.name]
      : server?.kind === 'launch'
        ? [server.launchId, launches.find(({ id }) => id === server.launchId)?.name]
        : ['', undefined];
  return shown !== undefined && name.startsWith(id) ? `${shown}${name.slice(id.length)}` : name;
}
