import { Button, Menu } from '@mantine/core';
import { IconPlayerStop, IconReload } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import type { ServerView } from '../../preload/contract/server';
import { ProvenanceSection } from '../shared/provenance/index';
import {
  type LogPaneComponent,
  pathOf,
  readyValue,
  useMachine,
  usePendingServerAction,
  useServerLog,
  useServiceInfo,
  useWorkbench,
} from '../state/index';
import { gpuNames } from '../text/gpus';
import { serverIsUp } from '../text/servers';
import {
  ConfirmDialog,
  CopyTextButton,
  count,
  EmptyState,
  Fact,
  Facts,
  Hint,
  LoadingState,
  MoreMenu,
  ProgressLine,
  percent,
  plural,
  Section,
  SidebarLayout,
  TimeAgo,
} from '../widgets/index';
import { ServerStages } from './server-stages';
import { answeredText, KIND_NAMES } from './server-text';
import styles from './servers.module.css';
import { SpeedTest } from './speed-test';

/** The selected server: actions, diagnosis, log, facts. */
export function ServerDetail(props: { readonly server: ServerView; readonly LogPane: LogPaneComponent }) {
  const { server, LogPane } = props;
  const { serverCommands } = useWorkbench();
  const [asking, setAsking] = useState<'stop' | 'remove' | 'speed' | null>(null);
  const source = useServerLog(server.id, server.jobId);
  const close = (): void => setAsking(null);
  return (
    <section className={styles.chosen} aria-label={`Server ${server.model}`}>
      <div className={styles.chosenHead}>
        <h2>{server.model}</h2>
        {server.state.kind === 'ready' && <Address baseUrl={server.state.baseUrl} />}
        {server.studyId !== null && (
          <a href={`#${pathOf({ kind: 'study', studyId: server.studyId })}`}>study</a>
        )}
        {server.launchId !== null && (
          <a href={`#${pathOf({ kind: 'launches', launchId: server.launchId })}`}>launch</a>
        )}
        <ServerActions server={server} onAsk={setAsking} />
      </div>
      <Problem server={server} />
      <SidebarLayout label="About the server" sidebar={<About server={server} />}>
        {server.kind === 'url' ? (
          <EmptyState title="No log">
            The workbench did not start this server and has no log of it.
          </EmptyState>
        ) : (
          <div className={styles.log}>
            <Suspense fallback={<LoadingState text="Opening the log" />}>
              <LogPane
                label={`Log of ${server.model}`}
                source={source}
                size={server.logBytes}
                live={serverIsUp(server.state)}
              />
            </Suspense>
          </div>
        )}
      </SidebarLayout>
      <ConfirmDialog
        opened={asking === 'stop'}
        title={`Stop ${server.model}?`}
        confirm="Stop server"
        cancel="Keep it running"
        onConfirm={() => void serverCommands.stop(server.id)}
        onClose={close}
      >
        {server.inFlight > 0
          ? `${plural(server.inFlight, 'request is', 'requests are')} in flight. Studies that use this server will fail; you can resume them.`
          : 'Studies that use this server will fail; you can resume them.'}
      </ConfirmDialog>
      <ConfirmDialog
        opened={asking === 'remove'}
        title={`Remove ${server.model}?`}
        confirm="Remove server"
        cancel="Keep it"
        onConfirm={() => void serverCommands.remove(server.id)}
        onClose={close}
      >
        Removes it from the list and deletes its log. The launch is kept.
      </ConfirmDialog>
      {asking === 'speed' && <SpeedTest server={server} onClose={close} />}
    </section>
  );
}

function ServerActions(props: {
  readonly server: ServerView;
  readonly onAsk: (action: 'stop' | 'remove' | 'speed') => void;
}) {
  const { server, onAsk } = props;
  const { serverCommands } = useWorkbench();
  const pendingAction = usePendingServerAction(server.id);
  const up = serverIsUp(server.state);
  const launched = server.launchId !== null;
  return (
    <div className={styles.actions}>
      {server.state.kind === 'ready' && (
        <Button variant="default" onClick={() => onAsk('speed')}>
          Speed test
        </Button>
      )}
      {launched && (
        <Button
          variant="default"
          loading={pendingAction === 'restart'}
          leftSection={<IconReload size={14} aria-hidden="true" />}
          onClick={() => void serverCommands.restart(server.id)}
        >
          {up ? 'Restart' : 'Run again'}
        </Button>
      )}
      {up && server.kind !== 'url' && (
        <Button
          variant="default"
          loading={pendingAction === 'stop'}
          leftSection={<IconPlayerStop size={14} aria-hidden="true" />}
          onClick={() => onAsk('stop')}
        >
          Stop server
        </Button>
      )}
      {!up && (
        <MoreMenu busy={pendingAction === 'remove'}>
          <Menu.Item color="red" onClick={() => onAsk('remove')}>
            Remove
          </Menu.Item>
        </MoreMenu>
      )}
    </div>
  );
}

function Address(props: { readonly baseUrl: string }) {
  // The loopback of a machine's service is that machine's.
  const through = readyValue(useServiceInfo())?.through ?? null;
  return (
    <span className={styles.address}>
      <code data-selectable>{props.baseUrl}</code>
      {through !== null && <span>on {through}</span>}
      <CopyTextButton label="Copy the address" read={() => props.baseUrl} />
    </span>
  );
}

/** The likely cause of a failure, what to do, and the log lines that show it. */
function Problem(props: { readonly server: ServerView }) {
  const { state, diagnosis } = props.server;
  if (diagnosis === null && state.kind !== 'failed') return null;
  // The cause is shown separately below.
  const happened = state.kind === 'failed' ? state.message.replace(diagnosis?.cause ?? '', '').trim() : '';
  return (
    <div role="alert" className={styles.problem} data-past={state.kind !== 'failed' || undefined}>
      {happened !== '' && <p>{happened}</p>}
      {diagnosis !== null && (
        <>
          <p>
            <b>{diagnosis.cause}</b> {diagnosis.todo}
          </p>
          {diagnosis.lines.length > 0 && (
            <pre title="Last lines of its log" data-selectable>
              {diagnosis.lines.join('\n')}
            </pre>
          )}
        </>
      )}
      {diagnosis === null && state.kind === 'failed' && state.hint !== undefined && (
        <Hint text={state.hint} />
      )}
    </div>
  );
}

function About(props: { readonly server: ServerView }) {
  const { server } = props;
  const machine = useMachine(server.machineId);
  const { metrics } = server;
  return (
    <>
      {server.kind !== 'url' && (
        <Section title="Start">
          <ServerStages server={server} />
        </Section>
      )}
      {metrics !== null && (
        <Section title="Now" aside={<TimeAgo at={metrics.at} />}>
          <Facts label="Metrics of the server">
            {metrics.running !== null && <Fact name="Running">{plural(metrics.running, 'request')}</Fact>}
            {metrics.waiting !== null && <Fact name="Waiting">{plural(metrics.waiting, 'request')}</Fact>}
            {metrics.tokensPerSecond !== null && (
              <Fact name="Speed">{count(metrics.tokensPerSecond)} tokens/s</Fact>
            )}
            {metrics.cacheUse !== null && (
              <Fact name="Cache in use">
                <span className={styles.share}>
                  <ProgressLine label="Cache in use" share={metrics.cacheUse} width={90} />
                  {percent(metrics.cacheUse, 0)} %
                </span>
              </Fact>
            )}
          </Facts>
        </Section>
      )}
      <Section title="Facts">
        <Facts label="Facts">
          <Fact name="Kind">{KIND_NAMES[server.kind]}</Fact>
          {server.machineId !== null && <Fact name="Machine">{machine?.spec.name ?? server.machineId}</Fact>}
          {server.gpuIds.length > 0 && <Fact name="GPUs">{gpuNames(server.gpuIds, machine)}</Fact>}
          {server.pid !== null && <Fact name="Process">{server.pid}</Fact>}
          <Fact name="Started">
            <TimeAgo at={server.startedAt} />
          </Fact>
          <Fact name="In flight">{count(server.inFlight)}</Fact>
          <Fact name="Answered">{answeredText(server)}</Fact>
          {server.jobId !== null && (
            <Fact name="Job">
              <a href={`#${pathOf({ kind: 'jobs', jobId: server.jobId })}`}>command, timeline</a>
            </Fact>
          )}
        </Facts>
      </Section>
      {server.jobId !== null && <ProvenanceSection jobId={server.jobId} />}
    </>
  );
}
