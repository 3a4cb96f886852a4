import { Button, Menu } from '@mantine/core';
import { IconPencil, IconPlugConnectedX, IconTerminal2, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { MachineView } from '../../preload/contract/machine';
import { PortsSection } from '../shared/machines/index';
import {
  type LogPaneComponent,
  pathOf,
  readyValue,
  useIsOpening,
  useJobs,
  useMachines,
  useTerminals,
  useWatchedMachines,
  useWorkbench,
} from '../state/index';
import { accessText, connectionStatus } from '../text/machines';
import {
  EmptyState,
  LoadingState,
  MoreMenu,
  plural,
  Screen,
  Section,
  StateMark,
  TimeAgo,
  useNow,
} from '../widgets/index';
import { CleanButton } from './clean-dialog';
import { ConnectionNote } from './connection-note';
import { DoctorSection } from './doctor-section';
import { FilesSection } from './files-section';
import { GpuDaySection } from './gpu-day-section';
import { commonModel, freeGpusSummary, type GpuRow, gpuRows } from './gpu-rows';
import { GpuTable } from './gpu-table';
import { MachineFacts } from './machine-facts';
import styles from './machines.module.css';
import { MachinesNotReady } from './machines-not-ready';
import { RemoveDialog } from './remove-dialog';
import { ServiceSection } from './service-section';

/** One machine: connection, GPUs and their users, doctor checks, running jobs, facts. */
export function MachineScreen(props: { readonly machineId: string; readonly LogPane: LogPaneComponent }) {
  const machines = useMachines();
  useWatchedMachines([props.machineId]);
  if (machines.kind !== 'ready') return <MachinesNotReady title="Machine" machines={machines} />;
  const machine = machines.value.find(({ spec }) => spec.id === props.machineId);
  if (machine === undefined) {
    return (
      <Screen title="Machine">
        <EmptyState title={`No machine ${props.machineId}`} action={<a href="#/machines">All machines</a>}>
          It may have been removed. Jobs on it keep running.
        </EmptyState>
      </Screen>
    );
  }
  return <MachineDetail machine={machine} LogPane={props.LogPane} />;
}

function MachineDetail(props: { readonly machine: MachineView; readonly LogPane: LogPaneComponent }) {
  const { machine } = props;
  const { spec, connection } = machine;
  const { terminals, location } = useWorkbench();
  const now = useNow();
  const isOpening = useIsOpening(spec.id);
  // A disconnected machine is connected when something needs it.
  const isAway = connection.kind === 'unreachable' || connection.kind === 'needs-login';
  return (
    <Screen
      title={spec.name}
      aside={
        <>
          <StateMark {...connectionStatus(connection, now)} />
          {spec.kind !== 'local' && <span>{accessText(spec)}</span>}
        </>
      }
      actions={
        <>
          <Button variant="default" onClick={() => location.go({ kind: 'new-launch', machineId: spec.id })}>
            Launch a server
          </Button>
          <Button variant="default" onClick={() => location.go({ kind: 'new-job', machineId: spec.id })}>
            Start a job
          </Button>
          <Button
            loading={isOpening}
            disabled={isAway}
            title={isAway ? 'Opens once the machine is connected' : undefined}
            leftSection={<IconTerminal2 size={14} aria-hidden="true" />}
            onClick={() => void terminals.open(spec.id)}
          >
            Open terminal
          </Button>
          {spec.kind !== 'local' && <MachineMenu machine={machine} />}
        </>
      }
    >
      <ConnectionNote machine={machine} />
      <Gpus machine={machine} />
      <PortsSection machine={machine} jobId={null} />
      <FilesSection machine={machine} LogPane={props.LogPane} />
      {spec.kind !== 'local' && <ServiceSection machine={machine} />}
      <DoctorSection machine={machine} />
      <GpuDaySection machine={machine} />
      <div className={styles.about}>
        <Section title="Running here">
          <RunningOnMachine machine={machine} />
        </Section>
        <Section title="About" aside={<CleanButton spec={spec} isAway={isAway} />}>
          <MachineFacts machine={machine} />
        </Section>
      </div>
    </Screen>
  );
}

function MachineMenu(props: { readonly machine: MachineView }) {
  const { spec, connection } = props.machine;
  const { machineActions, location } = useWorkbench();
  const [isRemoving, setIsRemoving] = useState(false);
  return (
    <>
      <MoreMenu label={`More about ${spec.name}`}>
        {connection.kind !== 'off' && (
          <Menu.Item
            leftSection={<IconPlugConnectedX size={14} aria-hidden="true" />}
            onClick={() => void machineActions.disconnect(spec.id)}
          >
            Disconnect
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconPencil size={14} aria-hidden="true" />}
          onClick={() => location.go({ kind: 'edit-machine', machineId: spec.id })}
        >
          Edit
        </Menu.Item>
        <Menu.Item
          leftSection={<IconTrash size={14} aria-hidden="true" />}
          onClick={() => setIsRemoving(true)}
        >
          Remove…
        </Menu.Item>
      </MoreMenu>
      {isRemoving && <RemoveDialog spec={spec} onClose={() => setIsRemoving(false)} />}
    </>
  );
}

function Gpus(props: { readonly machine: MachineView }) {
  const { machine } = props;
  const { gpus, facts, connection } = machine;
  const rows = gpuRows(machine);
  if (gpus === null || rows.length === 0) {
    const problems = gpus?.problems ?? [];
    if (connection.kind !== 'connected' && problems.length === 0) return null;
    return (
      <Section title="GPUs">
        {facts === null && gpus === null ? (
          <LoadingState text="Looking for GPUs" />
        ) : (
          <p className={styles.soft}>
            {problems.length > 0
              ? 'The GPUs could not be read.'
              : gpus === null
                ? 'No GPU: nvidia-smi, amd-smi and rocm-smi are not installed.'
                : "No GPU is listed, although the driver's tool answers."}
            {machine.spec.kind === 'slurm' &&
              ' A login node often has none; the cluster allocates GPUs to jobs.'}
          </p>
        )}
        <Problems problems={problems} />
      </Section>
    );
  }
  return (
    <Section
      title="GPUs"
      aside={
        <span className={styles.soft}>
          {modelText(rows)}
          {freeGpusSummary(rows)}
          {gpus.driver !== null && `, driver ${gpus.driver}`}
          {connection.kind !== 'connected' && (
            <>
              , last read <TimeAgo at={gpus.at} />
            </>
          )}
        </span>
      }
    >
      <Problems problems={[...gpus.problems, machine.reservationProblem ?? []].flat()} />
      <GpuTable machine={machine} reading={gpus} />
    </Section>
  );
}

/** "8 × H100 80GB HBM3, " if all are of one model. */
function modelText(rows: readonly GpuRow[]): string {
  const physicalRows = rows.filter(({ isSlice }) => !isSlice);
  const model = commonModel(rows);
  return model === null ? '' : `${physicalRows.length} × ${model}, `;
}

/** What could not be read. */
function Problems(props: { readonly problems: readonly string[] }) {
  return props.problems.map((problem) => (
    <p key={problem} className={styles.problem} role="status">
      {problem}
    </p>
  ));
}

/** Our jobs and terminals on the machine. */
function RunningOnMachine(props: { readonly machine: MachineView }) {
  const { machine } = props;
  const { id } = machine.spec;
  const jobs = (readyValue(useJobs()) ?? []).filter(({ machineId }) => machineId === id);
  const running = jobs.filter(({ state }) => state.kind !== 'exited' && state.kind !== 'lost');
  const shells = (readyValue(useTerminals()) ?? []).filter(
    ({ machineId, purpose, state }) => machineId === id && purpose === 'shell' && state.kind !== 'ended',
  );
  return (
    <>
      <ul className={styles.links}>
        {running.map((job) => (
          <li key={job.id}>
            <a href={`#${pathOf({ kind: 'jobs', jobId: job.id })}`}>{job.name}</a>
            <small>{machine.connection.kind === 'connected' ? job.state.kind : 'unknown'}</small>
          </li>
        ))}
        {shells.map((shell) => (
          <li key={shell.id}>
            <a href={`#${pathOf({ kind: 'terminals', terminalId: shell.id })}`}>{shell.title}</a>
            <small>terminal</small>
          </li>
        ))}
      </ul>
      {running.length + shells.length === 0 && (
        <p className={styles.soft}>
          No jobs or terminals{jobs.length > 0 && `; ${plural(jobs.length, 'ended job')} in Jobs`}.
        </p>
      )}
    </>
  );
}
