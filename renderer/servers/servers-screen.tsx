import { Button } from '@mantine/core';
import { IconPlayerStop } from '@tabler/icons-react';
import { type ComponentType, Suspense, useCallback, useState } from 'react';
import type { Answer } from '../../preload/contract/refusal';
import type { LogPiece, ServerView } from '../../preload/contract/server';
import { useServers, useWorkbench } from '../state/index';
import {
  type Column,
  ConfirmDialog,
  count,
  DataTable,
  EmptyState,
  FailedState,
  Hint,
  LoadingState,
  Screen,
  StateMark,
  TimeAgo,
  usePress,
} from '../widgets/index';
import { KIND_WORDS, serverWords } from './server-words';
import styles from './servers.module.css';

/** Follows a log file by offset; handed in by the page, since a screen imports no other folder of screens. */
export type LogPaneComponent = ComponentType<{
  label: string;
  read: (offset: number, maxBytes: number) => Promise<Answer<LogPiece>>;
  size: number;
}>;

const COLUMNS: readonly Column<ServerView>[] = [
  {
    id: 'model',
    label: 'Model',
    track: 'minmax(140px, 1.4fr)',
    cell: ({ model }) => <b style={{ fontWeight: 500 }}>{model}</b>,
    order: ({ model }) => model,
  },
  {
    id: 'kind',
    label: 'Kind',
    track: '110px',
    cell: ({ kind }) => KIND_WORDS[kind],
    order: ({ kind }) => kind,
  },
  {
    id: 'state',
    label: 'State',
    track: 'minmax(120px, 1.4fr)',
    cell: ({ state }) => <StateMark {...serverWords(state)} />,
    order: ({ state }) => state.kind,
  },
  {
    id: 'inFlight',
    label: 'In flight',
    track: '64px',
    right: true,
    cell: ({ inFlight }) => count(inFlight),
    order: ({ inFlight }) => inFlight,
  },
  {
    id: 'answered',
    label: 'Answered',
    track: '72px',
    right: true,
    cell: ({ answered }) => count(answered),
    order: ({ answered }) => answered,
  },
  {
    id: 'pid',
    label: 'Process',
    track: '70px',
    right: true,
    cell: ({ pid }) => (pid === null ? '–' : String(pid)),
  },
  {
    id: 'started',
    label: 'Started',
    track: '84px',
    cell: ({ startedAt }) => <TimeAgo at={startedAt} />,
    order: ({ startedAt }) => startedAt,
  },
];

export function ServersScreen(props: {
  readonly serverId: string | null;
  readonly LogPane: LogPaneComponent;
}) {
  const servers = useServers();
  const { location } = useWorkbench();
  if (servers.kind === 'loading') return <LoadingState what="Reading the servers" />;
  if (servers.kind === 'failed') {
    return (
      <Screen title="Servers">
        <FailedState
          title="The servers could not be read"
          message={servers.error.message}
          hint={servers.error.hint}
        />
      </Screen>
    );
  }
  if (servers.value.length === 0) {
    return (
      <Screen title="Servers">
        <EmptyState title="No servers">
          A study starts the model servers that it needs and stops them when it is done. Their state and logs
          stand here meanwhile.
        </EmptyState>
      </Screen>
    );
  }
  const chosen = servers.value.find(({ id }) => id === props.serverId) ?? servers.value[0];
  return (
    <Screen title="Servers" fill>
      <div className={styles.list} style={{ height: Math.min(9, servers.value.length) * 30 + 34 }}>
        <DataTable
          label="Servers"
          columns={COLUMNS}
          rows={servers.value}
          rowHeight={30}
          rowKey={({ id }) => id}
          rowLabel={({ model, state }) => `${model}: ${serverWords(state).words}`}
          chosen={chosen?.id ?? null}
          onChoose={({ id }) => location.go({ kind: 'servers', serverId: id }, { replace: true })}
        />
      </div>
      {chosen !== undefined && <ChosenServer key={chosen.id} server={chosen} LogPane={props.LogPane} />}
    </Screen>
  );
}

function ChosenServer(props: { readonly server: ServerView; readonly LogPane: LogPaneComponent }) {
  const { server, LogPane } = props;
  const { client, stopServer } = useWorkbench();
  const stop = usePress(() => stopServer(server.id));
  const [asking, setAsking] = useState(false);
  const { id } = server;
  const read = useCallback(
    (offset: number, maxBytes: number) => client.call('server.readLog', { serverId: id, offset, maxBytes }),
    [client, id],
  );
  const runs = server.state.kind === 'ready' || server.state.kind === 'starting';
  return (
    <section className={styles.chosen} aria-label={`Server ${server.model}`}>
      <div className={styles.chosenHead}>
        <h2>{server.model}</h2>
        {server.state.kind === 'ready' && <code data-selectable>{server.state.baseUrl}</code>}
        {server.studyId !== null && <a href={`#/studies/${encodeURIComponent(server.studyId)}`}>its study</a>}
        {runs && server.kind !== 'url' && (
          <Button
            variant="default"
            ml="auto"
            loading={stop.busy}
            leftSection={<IconPlayerStop size={14} aria-hidden="true" />}
            onClick={() => setAsking(true)}
          >
            Stop server
          </Button>
        )}
      </div>
      {server.state.kind === 'failed' && (
        <div role="alert" className={styles.failure}>
          <span data-selectable>{server.state.message}</span>
          {server.state.hint !== undefined && <Hint text={server.state.hint} />}
        </div>
      )}
      {server.kind === 'url' ? (
        <EmptyState title="No log">
          The workbench did not start this server, so its log is elsewhere.
        </EmptyState>
      ) : (
        <div className={styles.log}>
          <Suspense fallback={<LoadingState what="Opening the log" />}>
            <LogPane label={`Log of ${server.model}`} read={read} size={server.logBytes} />
          </Suspense>
        </div>
      )}
      <ConfirmDialog
        opened={asking}
        title={`Stop ${server.model}?`}
        confirm="Stop server"
        keep="Keep it running"
        onConfirm={stop.press}
        onClose={() => setAsking(false)}
      >
        {server.inFlight > 0
          ? `${count(server.inFlight)} requests are in flight. A study that needs this server will fail and can be resumed.`
          : 'A study that needs this server will fail and can be resumed.'}
      </ConfirmDialog>
    </section>
  );
}
