import { Button } from '@mantine/core';
import { IconPlus, IconTerminal2 } from '@tabler/icons-react';
import { useState } from 'react';
import { jobHasEnded } from '../../preload/contract/folds/index';
import type { JobView } from '../../preload/contract/job';
import type { MachineView } from '../../preload/contract/machine';
import { gibText } from '../../preload/contract/plans/index';
import {
  machineRowActions,
  pathOf,
  readyValue,
  useIsOpening,
  useJobs,
  useMachines,
  useWatchedMachines,
  useWorkbench,
} from '../state/index';
import { accessText, connectionStatus, explainConnection } from '../text/machines';
import { copyAction, EmptyState, plural, Screen, StateMark, useContextMenu, useNow } from '../widgets/index';
import { HelpButton } from './connection-note';
import { GpuBars } from './gpu-bars';
import { freeGpusSummary, gpuRows, holdersText, isFree, usableRows } from './gpu-rows';
import { MachineTabs } from './machine-tabs';
import styles from './machines.module.css';
import { MachinesNotReady } from './machines-not-ready';
import { RemoveDialog } from './remove-dialog';

/** All machines with their state and a bar per GPU. */
export function MachinesScreen() {
  const machines = useMachines();
  const { location } = useWorkbench();
  const views = readyValue(machines) ?? [];
  useWatchedMachines(views.map(({ spec }) => spec.id));
  if (machines.kind !== 'ready') return <MachinesNotReady title="Machines" machines={machines} />;
  const add = (
    <Button
      leftSection={<IconPlus size={14} aria-hidden="true" />}
      onClick={() => location.go({ kind: 'new-machine' })}
    >
      Add machine
    </Button>
  );
  const hasOthers = views.some(({ spec }) => spec.kind !== 'local');
  return (
    <Screen
      title="Machines"
      aside={
        <>
          <MachineTabs at="machines" />
          <span>{summaryText(views)}</span>
        </>
      }
      actions={hasOthers ? add : undefined}
    >
      <ul className={styles.list}>
        {views.map((machine) => (
          <MachineLine key={machine.spec.id} machine={machine} />
        ))}
      </ul>
      {!hasOthers && (
        <EmptyState title="Only this computer so far" action={add}>
          Add any machine you reach by ssh to run jobs and model servers. It needs only your login: no daemon,
          no Docker, no root, no open port. This screen shows its GPUs and who uses them.
        </EmptyState>
      )}
    </Screen>
  );
}

function summaryText(machines: readonly MachineView[]): string {
  const rows = machines
    .filter(({ connection }) => connection.kind === 'connected')
    .flatMap((machine) => usableRows(gpuRows(machine)));
  const connected = machines.filter(({ connection }) => connection.kind === 'connected').length;
  const parts = [`${connected} of ${plural(machines.length, 'machine')} connected`];
  if (rows.length > 0) parts.push(`${rows.filter(isFree).length} of ${plural(rows.length, 'GPU')} free`);
  const holders = holdersText(rows);
  if (holders !== '') parts.push(`held by ${holders}`);
  return parts.join(', ');
}

/** "1 job running, 2 waiting"; "3 jobs unknown" of a machine that is not connected. */
function jobsText(jobs: readonly JobView[], isConnected: boolean): string {
  if (jobs.length === 0) return '';
  if (!isConnected) return `${plural(jobs.length, 'job')} unknown`;
  const waiting = jobs.filter(({ state }) => state.kind === 'queued').length;
  const running = jobs.length - waiting;
  if (running === 0) return `${plural(waiting, 'job')} waiting`;
  return `${plural(running, 'job')} running${waiting > 0 ? `, ${waiting} waiting` : ''}`;
}

function MachineLine(props: { readonly machine: MachineView }) {
  const { machine } = props;
  const { spec, connection, facts } = machine;
  const workbench = useWorkbench();
  const { openMenu, menu } = useContextMenu(`Actions of ${spec.name}`);
  const [isRemoving, setIsRemoving] = useState(false);
  const actions = [
    ...machineRowActions(workbench, machine),
    ...(spec.kind === 'local' ? [] : [{ label: 'Remove…', run: () => setIsRemoving(true) }]),
    copyAction('Copy id', spec.id),
  ];
  const now = useNow();
  const isOpening = useIsOpening(spec.id);
  const jobs = (readyValue(useJobs()) ?? []).filter(
    ({ machineId, state }) => machineId === spec.id && !jobHasEnded(state),
  );
  const rows = gpuRows(machine);
  const isConnected = connection.kind === 'connected';
  const explained = explainConnection(machine, now);
  return (
    <li className={styles.line} onContextMenu={(event) => openMenu(event, actions)}>
      <div className={styles.who}>
        <a href={`#${pathOf({ kind: 'machine', machineId: spec.id })}`}>{spec.name}</a>
        <small>{spec.kind === 'local' ? (facts?.hostname ?? '') : accessText(spec)}</small>
      </div>
      <div className={styles.state}>
        <StateMark {...connectionStatus(connection, now)} />
        <small title={explained?.message}>
          {[
            isConnected ? freeGpusSummary(rows) : '',
            jobsText(jobs, isConnected),
            isConnected && rows.length === 0 && facts !== null ? 'no GPUs' : '',
            connection.kind === 'unreachable' ? connection.message : '',
            connection.kind === 'needs-login' ? (connection.hostKey?.fingerprint ?? connection.prompt) : '',
          ]
            .filter(Boolean)
            .join(' · ')}
        </small>
      </div>
      <div>
        {rows.length > 0 ? (
          <GpuBars rows={rows} history={machine.gpus?.history ?? {}} isStale={!isConnected} />
        ) : (
          facts !== null && (
            <small>
              {[
                facts.cores === null ? '' : plural(facts.cores, 'core'),
                facts.memoryMib === null ? '' : `${gibText(facts.memoryMib)} GiB`,
                facts.diskFreeMib === null ? '' : `${gibText(facts.diskFreeMib)} GiB of disk free`,
              ]
                .filter(Boolean)
                .join(', ')}
            </small>
          )
        )}
      </div>
      <div className={styles.actions}>
        {explained === null ? (
          <Button
            variant="default"
            loading={isOpening}
            aria-label={`Open a terminal on ${spec.name}`}
            leftSection={<IconTerminal2 size={14} aria-hidden="true" />}
            onClick={() => void workbench.terminals.open(spec.id)}
          >
            Terminal
          </Button>
        ) : (
          explained.help.slice(0, 1).map((help) => <HelpButton key={help} help={help} machine={machine} />)
        )}
        {menu}
        {isRemoving && <RemoveDialog spec={spec} onClose={() => setIsRemoving(false)} />}
      </div>
    </li>
  );
}
