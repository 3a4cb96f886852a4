import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { MachineSpec } from '../../preload/contract/machine';
import type { MachineRoomView, RoomItem } from '../../preload/contract/machine-room';
import { LOADING, type Loadable, useWorkbench } from '../state/index';
import {
  bytes,
  type Column,
  DataTable,
  Dialog,
  ErrorNote,
  LoadingState,
  plural,
  TimeAgo,
} from '../widgets/index';
import styles from './clean-dialog.module.css';

const KINDS = {
  program: 'our program',
  'job-folder': 'folder of a job',
  'log-copies': 'copy of a log',
} as const satisfies Record<RoomItem['kind'], string>;

const COLUMNS: readonly Column<RoomItem>[] = [
  { id: 'label', label: 'What', track: 'minmax(160px, 1.2fr)', isFixed: true, cell: ({ label }) => label },
  { id: 'kind', label: 'Kind', track: '110px', cell: ({ kind }) => KINDS[kind] },
  {
    id: 'path',
    label: 'Path',
    track: 'minmax(140px, 1fr)',
    cell: ({ path }) => <code title={path}>{path}</code>,
  },
  { id: 'at', label: 'When', track: '96px', cell: ({ at }) => <TimeAgo at={at} /> },
  {
    id: 'size',
    label: 'Size',
    isFixed: true,
    track: '84px',
    right: true,
    cell: (item) => bytes(item.bytes),
    sortValue: (item) => item.bytes,
  },
];
const ROW = 26;
const MAX_SHOWN = 12;

/** The button that shows what of ours takes room on a machine, and the dialog that removes it once that is confirmed. */
export function CleanButton(props: { readonly spec: MachineSpec; readonly isAway: boolean }) {
  const { spec, isAway } = props;
  const { machineActions } = useWorkbench();
  const [room, setRoom] = useState<Loadable<MachineRoomView> | null>(null);
  const show = async (): Promise<void> => {
    setRoom(LOADING);
    const room = await machineActions.room(spec.id);
    setRoom((open) => (open === null ? null : room));
  };
  return (
    <>
      <Button variant="default" size="compact-sm" disabled={isAway} onClick={() => void show()}>
        Clean up…
      </Button>
      {room !== null && <CleanDialog spec={spec} room={room} onClose={() => setRoom(null)} />}
    </>
  );
}

function CleanDialog(props: {
  readonly spec: MachineSpec;
  readonly room: Loadable<MachineRoomView>;
  readonly onClose: () => void;
}) {
  const { spec, room, onClose } = props;
  const { machineActions } = useWorkbench();
  const [isBusy, setBusy] = useState(false);
  const items = room.kind === 'ready' ? room.value.items : [];
  const total = items.reduce((sum, item) => sum + item.bytes, 0);
  const remove = async (): Promise<void> => {
    setBusy(true);
    await machineActions.clean(
      spec.id,
      items.map(({ id }) => id),
    );
    setBusy(false);
    onClose();
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      title={`Clean up ${spec.kind === 'local' ? 'this computer' : spec.name}`}
      size={780}
    >
      {room.kind === 'loading' && <LoadingState text="Measuring what takes room" />}
      {room.kind === 'failed' && <ErrorNote message={room.error.message} hint={room.error.hint} />}
      {room.kind === 'ready' && (
        <>
          {items.length === 0 ? (
            <p className={styles.about}>
              There is nothing to remove. What is in use or may still be needed is kept:
            </p>
          ) : (
            <div style={{ height: (Math.min(items.length, MAX_SHOWN) + 1) * ROW + 8 }}>
              <DataTable
                label="What can be removed"
                columns={COLUMNS}
                rows={items}
                rowKey={({ id }) => id}
                rowLabel={({ label }) => label}
                rowHeight={ROW}
              />
            </div>
          )}
          <ul className={styles.kept}>
            {room.value.kept.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      )}
      <Group justify="flex-end" gap="sm" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          {items.length === 0 ? 'Close' : 'Keep all'}
        </Button>
        {items.length > 0 && (
          <Button color="red" loading={isBusy} onClick={() => void remove()}>
            Remove {plural(items.length, 'item')}, {bytes(total)}
          </Button>
        )}
      </Group>
    </Dialog>
  );
}
