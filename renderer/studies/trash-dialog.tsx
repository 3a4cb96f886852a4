import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Value } from '../../preload/contract/commands/index';
import { useWorkbench } from '../state/index';
import { Dialog, LoadingState, TimeAgo } from '../widgets/index';
import styles from './studies.module.css';

/** Removed studies, each to be restored. */
export function TrashDialog({ onClose }: { readonly onClose: () => void }) {
  const { studyCommands } = useWorkbench();
  const [trash, setTrash] = useState<Value<'study.trash'> | null>(null);
  useEffect(() => void studyCommands.trash().then(setTrash), [studyCommands]);
  const restore = async (id: string, name: string): Promise<void> => {
    await studyCommands.restore({ id, name });
    setTrash(await studyCommands.trash());
  };
  return (
    <Dialog opened onClose={onClose} title="Trash">
      <p className={styles.trashHint}>
        Removed studies with their journals, in the folder <code>trash</code> of the data folder. To free the
        space, delete a study's folder there.
      </p>
      {trash === null && <LoadingState text="Looking into the trash" />}
      {trash !== null && trash.length === 0 && <p>It is empty.</p>}
      <ul className={styles.trash} aria-label="Removed studies">
        {(trash ?? []).map(({ studyId, name, createdAt }) => (
          <li key={studyId}>
            <span title={studyId}>{name}</span>
            <TimeAgo at={createdAt} />
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Restore ${name}`}
              onClick={() => void restore(studyId, name)}
            >
              Restore
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
