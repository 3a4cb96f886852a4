import { Button, Group } from '@mantine/core';
import { IconPlayerPlay, IconPlus } from '@tabler/icons-react';
import { useEffect, useMemo } from 'react';
import type { ServerLaunch } from '../../preload/contract/launch';
import type { ServerView } from '../../preload/contract/server';
import {
  LOCAL_MACHINE,
  launchRowActions,
  readyValue,
  useLaunches,
  useMachines,
  useServers,
  useWorkbench,
} from '../state/index';
import {
  type Column,
  DataTable,
  EmptyState,
  FailedState,
  LoadingState,
  plural,
  Screen,
  StateMark,
  usePress,
} from '../widgets/index';
import { ENGINE_NAMES } from './engines';
import { EditLaunchScreen } from './launch-form';
import { ServerTabs } from './server-tabs';
import styles from './servers.module.css';

/** Saved launches; with an id the form of that launch. */
export function LaunchesScreen(props: { readonly launchId: string | null }) {
  const launches = useLaunches();
  const servers = readyValue(useServers()) ?? [];
  const machines = readyValue(useMachines());
  const workbench = useWorkbench();
  const { location, launches: commands } = workbench;
  const nameOf = useMemo(() => {
    const names = new Map(machines?.map(({ spec }) => [spec.id, spec.name]) ?? []);
    return (machineId: string): string => names.get(machineId) ?? machineId;
  }, [machines]);
  const columns = useMemo(() => columnsOf(servers, nameOf), [servers, nameOf]);
  const add = (
    <Button
      leftSection={<IconPlus size={14} aria-hidden="true" />}
      onClick={() => location.go({ kind: 'new-launch', machineId: null })}
    >
      Launch a server
    </Button>
  );
  // Launches saved by the command line are not announced to the window.
  useEffect(() => commands.list.refreshAll(), [commands]);
  const all = readyValue(launches) ?? [];
  const chosen = all.find(({ id }) => id === props.launchId);
  if (chosen !== undefined) {
    return <EditLaunchScreen key={chosen.id} saved={chosen} />;
  }
  const frame = { title: 'Servers', aside: <ServerTabs at="launches" />, actions: add };
  if (launches.kind === 'ready' && props.launchId !== null) {
    return (
      <Screen {...frame}>
        <EmptyState title="Launch not found" action={<a href="#/launches">All launches</a>}>
          {props.launchId}
        </EmptyState>
      </Screen>
    );
  }
  if (all.length === 0) {
    return (
      <Screen {...frame}>
        {launches.kind === 'loading' && <LoadingState text="Loading the launches" />}
        {launches.kind === 'failed' && (
          <FailedState
            title="The launches could not be read"
            message={launches.error.message}
            hint={launches.error.hint}
            action={{ label: 'Try again', run: () => commands.list.refreshAll() }}
          />
        )}
        {launches.kind === 'ready' && (
          <EmptyState
            title="No launches yet"
            action={
              <Group gap="xs" justify="center">
                {add}
                <TryModelButton />
              </Group>
            }
          >
            A launch is a saved way to start a model server: engine, model, machine, GPUs. Start it again with
            one click, or let studies start it by name. Without a GPU, begin with SmolLM2-135M on llama.cpp:
            130 MB to download, 205 MB in the data folder.
          </EmptyState>
        )}
      </Screen>
    );
  }
  return (
    <Screen {...frame} fill>
      <div className={styles.launches}>
        <DataTable
          label="Launches"
          columns={columns}
          rows={all}
          rowHeight={34}
          rowKey={({ id }) => id}
          rowLabel={({ name }) => name}
          onChoose={({ id }) => location.go({ kind: 'launches', launchId: id })}
          rowActions={(launch) => launchRowActions(workbench, launch)}
        />
      </div>
    </Screen>
  );
}

/** The launch is saved at once; its weights are there when the job that opens has ended. */
function TryModelButton() {
  const { launches } = useWorkbench();
  const { busy, press } = usePress(() => launches.install(LOCAL_MACHINE, true));
  return (
    <Button variant="default" loading={busy} onClick={press}>
      Install llama.cpp and SmolLM2-135M
    </Button>
  );
}

function columnsOf(
  servers: readonly ServerView[],
  nameOf: (machineId: string) => string,
): readonly Column<ServerLaunch>[] {
  return [
    {
      id: 'name',
      label: 'Launch',
      track: 'minmax(150px, 1.2fr)',
      cell: ({ name }) => <b className={styles.model}>{name}</b>,
      sortValue: ({ name }) => name,
    },
    {
      id: 'engine',
      label: 'Engine',
      track: '96px',
      cell: ({ engine }) => ENGINE_NAMES[engine],
      sortValue: ({ engine }) => engine,
    },
    {
      id: 'weights',
      label: 'Weights',
      track: 'minmax(150px, 1.4fr)',
      from: 900,
      cell: ({ weights }) => (
        <code className={styles.weights} title={weights}>
          {weights}
        </code>
      ),
      sortValue: ({ weights }) => weights,
    },
    {
      id: 'machine',
      label: 'Machine',
      track: 'minmax(90px, 0.7fr)',
      cell: ({ machineId }) => nameOf(machineId),
      sortValue: ({ machineId }) => nameOf(machineId),
    },
    {
      id: 'gpus',
      label: 'GPUs',
      from: 700,
      track: '76px',
      cell: ({ gpus, replicas }) => (replicas > 1 ? `${replicas} × ${gpus}` : String(gpus)),
      sortValue: ({ gpus, replicas }) => gpus * replicas,
    },
    {
      id: 'servers',
      label: 'Servers',
      track: 'minmax(110px, 0.8fr)',
      cell: ({ id }) => <LaunchServers servers={servers.filter(({ launchId }) => launchId === id)} />,
    },
    {
      id: 'launch',
      label: '',
      name: 'Actions',
      isFixed: true,
      track: '96px',
      right: true,
      cell: (launch) => <LaunchButton launch={launch} />,
    },
  ];
}

function LaunchServers(props: { readonly servers: readonly ServerView[] }) {
  const having = (kind: ServerView['state']['kind']): number =>
    props.servers.filter(({ state }) => state.kind === kind).length;
  const [ready, starting, failed] = [having('ready'), having('starting'), having('failed')];
  if (ready > 0) return <StateMark tone="good" text={`${ready} ready`} />;
  if (starting > 0) return <StateMark tone="active" text={`${starting} starting`} />;
  if (failed > 0) return <StateMark tone="bad" text={`${plural(failed, 'server')} failed`} />;
  return <StateMark tone="quiet" text="none" />;
}

function LaunchButton(props: { readonly launch: ServerLaunch }) {
  const { launches } = useWorkbench();
  const { busy, press } = usePress(async () => void (await launches.launch(props.launch.id)));
  return (
    <Button
      variant="default"
      size="compact-xs"
      loading={busy}
      aria-label={`Launch ${props.launch.name}`}
      leftSection={<IconPlayerPlay size={12} aria-hidden="true" />}
      onClick={(event) => {
        event.stopPropagation();
        press();
      }}
    >
      Launch
    </Button>
  );
}
