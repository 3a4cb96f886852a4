import { Button } from '@mantine/core';
import type { MachineView } from '../../preload/contract/machine';
import { useWorkbench } from '../state/index';
import { type ConnectionHelp, explainConnection, loginLabel } from '../text/machines';
import { Hint, useNow, usePress } from '../widgets/index';
import styles from './machines.module.css';

/** Why a machine is not connected, with buttons that help; nothing while it is. */
export function ConnectionNote(props: { readonly machine: MachineView }) {
  const { machine } = props;
  // Counts down to the next retry.
  const now = useNow(machine.connection.kind === 'unreachable' ? 1_000 : 15_000);
  const explained = explainConnection(machine, now);
  if (explained === null) return null;
  const isUnreachable = machine.connection.kind === 'unreachable';
  return (
    <div
      className={styles.note}
      data-tone={isUnreachable ? 'bad' : machine.connection.kind === 'needs-login' ? 'unsure' : 'quiet'}
      role={isUnreachable ? 'alert' : 'status'}
    >
      <div>
        <b>{explained.title}</b>
        <p>{explained.message}</p>
        {explained.hint !== undefined && <Hint text={explained.hint} />}
      </div>
      <div className={styles.noteHelp}>
        {explained.help.map((help) => (
          <HelpButton key={help} help={help} machine={machine} />
        ))}
      </div>
    </div>
  );
}

export function HelpButton(props: { readonly help: ConnectionHelp; readonly machine: MachineView }) {
  const { help, machine } = props;
  const { machineActions, location } = useWorkbench();
  const { id } = machine.spec;
  const { busy, press } = usePress(async () => {
    if (help === 'connect') await machineActions.connect(id);
    else if (help === 'disconnect') await machineActions.disconnect(id);
    else if (help === 'edit') location.go({ kind: 'edit-machine', machineId: id });
    else machineActions.showLogin(id);
  });
  return (
    <Button variant="default" loading={busy} onClick={press}>
      {helpLabel(help, machine)}
    </Button>
  );
}

function helpLabel(help: ConnectionHelp, { connection }: MachineView): string {
  if (help === 'edit') return 'Edit';
  if (help === 'answer') return loginLabel(connection);
  if (help === 'connect') return connection.kind === 'unreachable' ? 'Try now' : 'Connect';
  if (connection.kind === 'unreachable') return 'Stop retrying';
  return connection.kind === 'connecting' ? 'Cancel' : 'Do not connect';
}
