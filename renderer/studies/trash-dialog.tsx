import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Value } from '../../preload/contract/commands/index';
import { exhibitLosses } from '../../preload/contract/plans/index';
import { readyValue, useExhibits, useWorkbench } from '../state/index';
import { bytes, ConfirmDialog, Dialog, LoadingState, TimeAgo } from '../widgets/index';
import styles from './studies.module.css';

type Removed = Value<'study.trash'>[number];

/** Removed studies, each to be restored, or deleted for good after a question. */
export function TrashDialog({ onClose }: { readonly onClose: () => void }) {
  const { studyCommands } = useWorkbench();
  const [trash, setTrash] = useState<readonly Removed[] | null>(null);
  const exhibits = readyValue(useExhibits())?.exhibits ?? [];
  const [deleting, setDeleting] = useState<Removed | null>(null);
  useEffect(() => void studyCommands.trash().then(setTrash), [studyCommands]);
  const act = async (
    action: 'restore' | 'deleteForGood',
    { studyId: id, name }: Pick<Removed, 'studyId' | 'name'>,
  ): Promise<void> => {
    await studyCommands[action]({ id, name });
    setTrash(await studyCommands.trash());
  };
  return (
    <>
      <Dialog opened onClose={onClose} title="Trash">
        <p className={styles.trashHint}>Removed studies with their journals, until you delete them here.</p>
        {trash === null && <LoadingState text="Looking into the trash" />}
        {trash !== null && trash.length === 0 && <p>It is empty.</p>}
        <ul className={styles.trash} aria-label="Removed studies">
          {(trash ?? []).map((study) => (
            <li key={study.studyId}>
              <span title={study.studyId}>{study.name}</span>
              <span>{bytes(study.bytes)}</span>
              <TimeAgo at={study.createdAt} />
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Restore ${study.name}`}
                onClick={() => void act('restore', study)}
              >
                Restore
              </Button>
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Delete ${study.name} for good`}
                onClick={() => setDeleting(study)}
              >
                Delete…
              </Button>
            </li>
          ))}
        </ul>
      </Dialog>
      <ConfirmDialog
        opened={deleting !== null}
        title={`Delete ${deleting?.name ?? ''} for good?`}
        confirm="Delete for good"
        cancel="Keep it"
        onConfirm={() => deleting !== null && void act('deleteForGood', deleting)}
        onClose={() => setDeleting(null)}
      >
        {`Its journals, ${bytes(deleting?.bytes ?? 0)}, are deleted. Nothing can bring them back. ${exhibitLosses({ kind: 'study', id: deleting?.studyId ?? '' }, exhibits)}`}
      </ConfirmDialog>
    </>
  );
}
