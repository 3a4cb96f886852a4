import type { MachineView } from '../../../preload/contract/machine';
import { POCKET_FAMILIES } from '../../../preload/contract/plans/index';
import type { Benchmark } from '../../../preload/contract/problem';
import type { ServerView } from '../../../preload/contract/server';
import { serverIsUp } from '../../text/servers';
import { count, plural } from '../../widgets/index';
import { type AgentChoice, agentName, choiceOfServer, isPocketPolicy, type Library } from './agents';

/** Values of the list for what is entered in fields of its own. */
const URL_VALUE = 'url';
const CHECKPOINT_VALUE = 'checkpoint';
const SERVER = 'server ';

export function optionOf(agent: AgentChoice): string {
  if (agent.kind === 'pocket') return `pocket ${agent.family}`;
  if (agent.kind === 'launch') return `launch ${agent.launchId}`;
  if (agent.kind === 'checkpoint') return CHECKPOINT_VALUE;
  return agent.kind === 'recorded' ? `recorded ${agent.recordingId}` : URL_VALUE;
}

export function choiceOf(value: string, library: Library, servers: readonly ServerView[]): AgentChoice {
  const spec = servers.find(({ id }) => value === `${SERVER}${id}`)?.spec;
  if (spec !== undefined) return choiceOfServer(spec);
  if (value === CHECKPOINT_VALUE)
    return { kind: 'checkpoint', trainingId: '', checkpointId: '', server: null };
  const family = POCKET_FAMILIES.find((family) => value === `pocket ${family}`);
  if (family !== undefined) return { kind: 'pocket', family };
  if (value === URL_VALUE) return { kind: 'url', baseUrl: '', model: '' };
  if (value.startsWith('launch ')) {
    const launchId = value.slice('launch '.length);
    const launch = library.launches.find(({ id }) => id === launchId);
    return { kind: 'launch', launchId, model: launch?.model ?? launchId };
  }
  return { kind: 'recorded', recordingId: value.slice('recorded '.length) };
}

/** The models that an agent can have, by where they come from. */
export function modelOptions(
  agent: AgentChoice,
  benchmark: Benchmark,
  library: Library,
  {
    servers,
    machines,
  }: { readonly servers: readonly ServerView[]; readonly machines: readonly MachineView[] | null },
) {
  const recordings = library.recordings.filter(({ benchmarkId }) => benchmarkId === benchmark.id);
  const lost = agent.kind === 'recorded' && !recordings.some(({ id }) => id === agent.recordingId);
  const pocket = {
    group: benchmark.scale === 'pocket' ? 'Pocket policies' : 'Pocket policies (pocket problems only)',
    items: POCKET_FAMILIES.map((family) => ({ value: `pocket ${family}`, label: `Pocket ${family}` })),
  };
  const recorded = {
    group: `Recordings of ${benchmark.name}`,
    items: [
      ...recordings.map(({ id, name, fewestSamples, mostSamples }) => ({
        value: `recorded ${id}`,
        label: `${name} (${samplesText(fewestSamples, mostSamples)})`,
      })),
      ...(lost ? [{ value: optionOf(agent), label: agentName(agent, library) }] : []),
    ],
  };
  const outside = {
    group: 'Remote',
    items: [{ value: URL_VALUE, label: 'OpenAI-compatible URL' }],
  };
  const lostLaunch = agent.kind === 'launch' && !library.launches.some(({ id }) => id === agent.launchId);
  const launched = {
    group: 'Your launches',
    items: [
      ...library.launches.map(({ id, name }) => ({ value: `launch ${id}`, label: name })),
      ...(lostLaunch ? [{ value: optionOf(agent), label: agentName(agent, library) }] : []),
    ],
  };
  const trained = {
    group: 'Trained here',
    items: [{ value: CHECKPOINT_VALUE, label: 'Checkpoint of a training' }],
  };
  const running = { group: 'Servers that run now', items: runningServers(servers, library, machines) };
  const others = [recorded, running, launched, trained, outside];
  const all = benchmark.scale === 'pocket' ? [pocket, ...others] : [...others, pocket];
  return all.filter(({ items }) => items.length > 0);
}

/**
 * Newest first, each once, as a team names it: the study asks the server that runs, or starts it again. One whose launch was
 * removed could not be started again.
 */
function runningServers(
  servers: readonly ServerView[],
  library: Library,
  machines: readonly MachineView[] | null,
) {
  const options = new Map<string, { readonly value: string; readonly label: string }>();
  const newest = servers.toSorted((a, b) => b.startedAt.localeCompare(a.startedAt));
  for (const { id, spec, state, machineId } of newest) {
    if (spec === undefined || !serverIsUp(state)) continue;
    const choice = choiceOfServer(spec);
    if (choice.kind === 'launch' && !library.launches.some((launch) => launch.id === choice.launchId))
      continue;
    const machine = machines?.find((one) => one.spec.id === machineId)?.spec;
    const what = isPocketPolicy(choice) ? ' (pocket policy)' : '';
    const where = machine === undefined || machine.kind === 'local' ? '' : ` on ${machine.name}`;
    const label = `${agentName(choice, library)}${what}${where}${state.kind === 'ready' ? '' : ', starting'}`;
    const key = JSON.stringify(choice);
    if (!options.has(key)) options.set(key, { value: `${SERVER}${id}`, label });
  }
  return [...options.values()];
}

function samplesText(fewest: number, most: number): string {
  return fewest === most
    ? `${plural(most, 'sample')} per problem`
    : `${count(fewest)} to ${count(most)} per problem`;
}
