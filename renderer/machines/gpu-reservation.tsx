import { Button, Popover, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { MachineView } from '../../preload/contract/machine';
import { useWorkbench } from '../state/index';
import { clockTime, Select, useNow, usePress } from '../widgets/index';
import type { GpuRow } from './gpu-rows';
import styles from './gpu-table.module.css';

const HOURS = [
  { value: '60', label: '1 hour' },
  { value: '240', label: '4 hours' },
  { value: '720', label: '12 hours' },
  { value: '1440', label: '1 day' },
  { value: '4320', label: '3 days' },
  { value: '10080', label: '1 week' },
];
const LONGEST_NOTE = 200;

/** The reservation of a GPU, with buttons to reserve and release it. */
export function Reservation(props: { readonly row: GpuRow; readonly machine: MachineView }) {
  const { row, machine } = props;
  const { machineActions } = useWorkbench();
  const now = useNow();
  const { reservation, gpu } = row;
  const isConnected = machine.connection.kind === 'connected';
  const release = usePress(async () => {
    await machineActions.reserve(machine.spec.id, gpu.id, 0, '');
  });
  if (reservation === null) return isConnected ? <ReserveForm row={row} machineId={machine.spec.id} /> : null;
  return (
    <div className={styles.kept} data-own={reservation.isOwn || undefined}>
      <span>
        {reservation.isOwn ? 'by you' : `by ${reservation.user}`} until{' '}
        {clockTime(reservation.until, new Date(now))}
      </span>
      {reservation.note !== '' && <small data-selectable>{reservation.note}</small>}
      {reservation.isOwn && isConnected && (
        <Button variant="default" size="compact-xs" loading={release.busy} onClick={release.press}>
          Release
        </Button>
      )}
    </div>
  );
}

function ReserveForm(props: { readonly row: GpuRow; readonly machineId: string }) {
  const { row, machineId } = props;
  const { machineActions } = useWorkbench();
  const [isOpen, setIsOpen] = useState(false);
  const [minutes, setMinutes] = useState('240');
  const [note, setNote] = useState('');
  const reserve = usePress(async () => {
    if (await machineActions.reserve(machineId, row.gpu.id, Number(minutes), note.trim())) setIsOpen(false);
  });
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      position="bottom-end"
      width={280}
      trapFocus
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          aria-label={`Reserve ${row.name}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          Reserve…
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          className={styles.keepForm}
          onSubmit={(event) => {
            event.preventDefault();
            reserve.press();
          }}
        >
          <p>
            Asks other users to leave {row.name} free. Their workbenches show the reservation and choose other
            GPUs; nothing running is stopped.
          </p>
          <Select
            label="For"
            data={HOURS}
            value={minutes}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false, transitionProps: { duration: 0 } }}
            onChange={(value) => value !== null && setMinutes(value)}
          />
          <TextInput
            label="Reason"
            placeholder="e.g. camera-ready runs"
            maxLength={LONGEST_NOTE}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          <Button type="submit" loading={reserve.busy}>
            Reserve
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
