import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { ServerView } from '../../preload/contract/server';
import {
  type LogPaneComponent,
  readyValue,
  serverRowActions,
  useMachines,
  useServers,
  useWorkbench,
} from '../state/index';
import {
  type Column,
  count,
  DataTable,
  EmptyState,
  FailedState,
  LoadingState,
  MiddleEllipsis,
  percent,
  Screen,
  StateMark,
  TimeAgo,
} from '../widgets/index';
import { ServerDetail } from './server-detail';
import { ServerTabs } from './server-tabs';
import { answeredText, KIND_NAMES, replicaText, serverStatus, sortServers } from './server-text';
import styles from './servers.module.css';

const ROW = 30;
/** Rows before the list scrolls: the log below needs the space. */
const MAX_ROWS = 6;

export function ServersScreen(props: {
  readonly serverId: string | null;
  readonly LogPane: LogPaneComponent;
}) {
  const servers = useServers();
  const machines = readyValue(useMachines());
  const workbench = useWorkbench();
  const { location } = workbench;
  const nameOf = useMemo(() => {
    const names = new Map(machines?.map(({ spec }) => [spec.id, spec.name]) ?? []);
    return (machineId: string | null): string =>
      machineId === null ? '–' : (names.get(machineId) ?? machineId);
  }, [machines]);
  const list = readyValue(servers);
  const all = useMemo(() => sortServers(list ?? []), [list]);
  const columns = useMemo(() => columnsOf(all, nameOf), [all, nameOf]);
  const launch = (
    <Button
      leftSection={<IconPlus size={14} aria-hidden="true" />}
      onClick={() => location.go({ kind: 'new-launch', machineId: null })}
    >
      Launch a server
    </Button>
  );
  const frame = { title: 'Servers', aside: <ServerTabs at="servers" />, actions: launch };
  if (servers.kind !== 'ready' || all.length === 0) {
    return (
      <Screen {...frame}>
        {servers.kind === 'loading' && <LoadingState text="Loading the servers" />}
        {servers.kind === 'failed' && (
          <FailedState
            title="The servers could not be read"
            message={servers.error.message}
            hint={servers.error.hint}
          />
        )}
        {servers.kind === 'ready' && (
          <EmptyState title="No servers" action={launch}>
            Studies start the model servers they need and stop them afterwards. You can also launch one on any
            of your machines, with presets for the papers' models. The last ones that have ended stay in this
            list; the logs of older ones are in <a href="#/jobs">Jobs</a>, with “Jobs of servers and
            trainings” on.
          </EmptyState>
        )}
      </Screen>
    );
  }
  const chosen = all.find(({ id }) => id === props.serverId) ?? all[0];
  return (
    <Screen {...frame} fill>
      <div className={styles.list} style={{ height: Math.min(MAX_ROWS, all.length) * ROW + 34 }}>
        <DataTable
          label="Servers"
          columns={columns}
          rows={all}
          rowHeight={ROW}
          rowKey={({ id }) => id}
          rowLabel={({ model, state }) => `${model}: ${serverStatus(state).text}`}
          chosen={chosen?.id ?? null}
          onChoose={({ id }) => location.go({ kind: 'servers', serverId: id }, { replace: true })}
          rowActions={(server) => serverRowActions(workbench, server)}
        />
      </div>
      {chosen !== undefined && <ServerDetail key={chosen.id} server={chosen} LogPane={props.LogPane} />}
    </Screen>
  );
}

function columnsOf(
  all: readonly ServerView[],
  nameOf: (machineId: string | null) => string,
): readonly Column<ServerView>[] {
  const textOf = (value: number | null | undefined, format: (value: number) => string): string =>
    value === null || value === undefined ? '–' : format(value);
  return [
    {
      id: 'model',
      label: 'Model',
      track: 'minmax(140px, 1.8fr)',
      cell: (server) => {
        const replica = replicaText(server, all);
        return (
          <>
            <b className={styles.model}>
              <MiddleEllipsis text={server.model} />
            </b>
            {replica !== null && <small className={styles.replica}>{replica}</small>}
          </>
        );
      },
      sortValue: ({ model }) => model,
    },
    {
      id: 'kind',
      label: 'Kind',
      track: '88px',
      cell: ({ kind }) => KIND_NAMES[kind],
      sortValue: ({ kind }) => kind,
    },
    {
      id: 'machine',
      label: 'Machine',
      track: 'minmax(90px, 0.6fr)',
      from: 900,
      cell: ({ machineId }) => nameOf(machineId),
      sortValue: ({ machineId }) => nameOf(machineId),
    },
    {
      id: 'state',
      label: 'State',
      // "Weights loading: 3 of 6 shards, 50 %".
      track: 'minmax(212px, 1.3fr)',
      cell: ({ state }) => <StateMark {...serverStatus(state)} />,
      sortValue: ({ state }) => state.kind,
    },
    {
      id: 'running',
      label: 'Running',
      isEmpty: ({ metrics }) => metrics?.running == null,
      track: '64px',
      right: true,
      from: 1_000,
      cell: ({ metrics }) => textOf(metrics?.running, count),
      sortValue: ({ metrics }) => metrics?.running ?? -1,
    },
    {
      id: 'waiting',
      label: 'Waiting',
      isEmpty: ({ metrics }) => metrics?.waiting == null,
      track: '64px',
      right: true,
      from: 1_000,
      cell: ({ metrics }) => textOf(metrics?.waiting, count),
      sortValue: ({ metrics }) => metrics?.waiting ?? -1,
    },
    {
      id: 'speed',
      label: 'Tokens/s',
      isEmpty: ({ metrics }) => metrics?.tokensPerSecond == null,
      track: '68px',
      right: true,
      cell: ({ metrics }) => textOf(metrics?.tokensPerSecond, count),
      sortValue: ({ metrics }) => metrics?.tokensPerSecond ?? -1,
    },
    {
      id: 'cache',
      label: 'Cache, %',
      isEmpty: ({ metrics }) => metrics?.cacheUse == null,
      track: '66px',
      right: true,
      from: 1_000,
      cell: ({ metrics }) => textOf(metrics?.cacheUse, (share) => percent(share, 0)),
      sortValue: ({ metrics }) => metrics?.cacheUse ?? -1,
    },
    {
      id: 'inFlight',
      label: 'In flight',
      track: '62px',
      right: true,
      cell: ({ inFlight }) => count(inFlight),
      sortValue: ({ inFlight }) => inFlight,
    },
    {
      id: 'answered',
      label: 'Answered',
      track: '68px',
      right: true,
      cell: (server) => (
        <span title={answeredText(server)}>
          {server.isAdopted && server.answered === 0 ? '–' : count(server.answered)}
        </span>
      ),
      sortValue: ({ answered }) => answered,
    },
    {
      id: 'started',
      label: 'Started',
      track: '84px',
      right: true,
      cell: ({ startedAt }) => <TimeAgo at={startedAt} />,
      sortValue: ({ startedAt }) => startedAt,
    },
  ];
}
