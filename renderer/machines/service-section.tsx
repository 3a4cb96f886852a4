import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { MachineService } from '../../preload/contract/commands/index';
import type { MachineView } from '../../preload/contract/machine';
import type { Refusal } from '../../preload/contract/refusal';
import { readyValue, useMachineService, useServiceInfo, useTask, useWorkbench } from '../state/index';
import { taskLabel } from '../text/tasks';
import {
  clockTime,
  FailedState,
  FormRefusal,
  LoadingState,
  plural,
  Section,
  StateMark,
} from '../widgets/index';
import styles from './machines.module.css';

type Installed = Extract<MachineService, { kind: 'installed' }>;
type Act = (action: () => Promise<Refusal | null>) => void;

/** The workbench as a service on this machine: work continues there while this computer is away. */
export function ServiceSection(props: { readonly machine: MachineView }) {
  const { spec, connection } = props.machine;
  const isConnected = connection.kind === 'connected';
  const service = useMachineService(isConnected ? spec.id : null);
  const shown = readyValue(useServiceInfo());
  const task = useTask('machine-service');
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  // Seen through another machine, this one would be reached over two.
  if (shown === null || shown.through !== null) return null;
  const act: Act = (action) => {
    setBusy(true);
    setRefusal(null);
    void action()
      .then(setRefusal)
      .finally(() => setBusy(false));
  };
  return (
    <Section title="Background service">
      {!isConnected && <p className={styles.soft}>Connect to this machine to see whether one runs on it.</p>}
      {isConnected && service.kind === 'loading' && <LoadingState text="Asking the machine" />}
      {isConnected && service.kind === 'failed' && (
        <FailedState
          title="The machine did not say whether a service runs"
          message={service.error.message}
          hint={service.error.hint}
        />
      )}
      {isConnected && service.kind === 'ready' && (
        <div className={styles.stacked}>
          {service.value.kind === 'installed' && service.value.running !== null ? (
            <Running
              machineId={spec.id}
              own={shown.version}
              running={service.value.running}
              service={service.value}
              busy={busy}
              act={act}
            />
          ) : (
            <NotRunning machineId={spec.id} busy={busy} act={act} />
          )}
          {busy && task !== null && <LoadingState text={taskLabel(task)} />}
          {refusal !== null && (
            <FormRefusal title="That did not work" message={refusal.message} hint={refusal.hint} />
          )}
        </div>
      )}
    </Section>
  );
}

function NotRunning(props: { readonly machineId: string; readonly busy: boolean; readonly act: Act }) {
  const { service } = useWorkbench();
  const [registers, setRegisters] = useState(true);
  return (
    <>
      <p className={styles.soft}>
        None runs. With one, studies, queues, reproductions and notifications go on here while this computer
        is off or away; any window of yours can show them. The workbench is copied here first; it needs no
        root.
      </p>
      <Checkbox
        size="xs"
        checked={registers}
        label="Start it with the machine"
        onChange={(event) => setRegisters(event.currentTarget.checked)}
      />
      <div>
        <Button
          variant="default"
          loading={props.busy}
          onClick={() => props.act(() => service.startOn(props.machineId, registers))}
        >
          Start a service here
        </Button>
      </div>
    </>
  );
}

function Running(props: {
  readonly machineId: string;
  /** Version of this computer's workbench. */
  readonly own: string;
  readonly service: Installed;
  readonly running: NonNullable<Installed['running']>;
  readonly busy: boolean;
  readonly act: Act;
}) {
  const { machineId, own, busy, act } = props;
  const { startsWithComputer, dataFolder } = props.service;
  const { pid, host, version, startedAt, unfinished } = props.running;
  const { service } = useWorkbench();
  const isOther = own !== version;
  return (
    <>
      <StateMark
        tone="good"
        text={
          unfinished.length === 0
            ? 'Runs, with nothing to do'
            : `Runs: ${plural(unfinished.length, 'thing')} running or waiting`
        }
      />
      <p className={styles.soft} data-selectable>
        Process {pid} on {host}, version {version}, since {clockTime(startedAt)}.{' '}
        {startsWithComputer === null ? 'It ends with the machine.' : 'It starts with the machine.'} Data
        folder {dataFolder}
      </p>
      {isOther && <p className={styles.soft}>This window is version {own}.</p>}
      <div className={styles.presses}>
        <Button variant="default" loading={busy} onClick={() => act(() => service.showMachine(machineId))}>
          Show it in this window
        </Button>
        {isOther && (
          <Button
            variant="default"
            disabled={busy}
            onClick={() => act(() => service.startOn(machineId, startsWithComputer !== null))}
          >
            Upgrade it to {own}
          </Button>
        )}
        <Button variant="default" disabled={busy} onClick={() => act(() => service.stopOn(machineId))}>
          Stop it
        </Button>
      </div>
      <p className={styles.soft}>
        Stopping it pauses its studies, and it no longer starts with the machine; jobs continue.
      </p>
    </>
  );
}
