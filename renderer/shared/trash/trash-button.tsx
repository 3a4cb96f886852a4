import { ActionIcon, Button, Checkbox } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { bytes, ConfirmDialog, Dialog, LoadingState, TimeAgo } from '../../widgets/index';
import styles from './trash.module.css';

type Removed = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly bytes: number;
};

type Trash<R extends Removed> = {
  /** What is in it, e.g. "studies". */
  readonly what: string;
  readonly hint: string;
  /** null: a notice says why it is not known. */
  readonly list: () => Promise<readonly R[] | null>;
  readonly restore: (removed: R) => Promise<void>;
  readonly deleteForGood: (removed: R, options: { readonly more: boolean }) => Promise<void>;
  /** What a deletion removes. */
  readonly question: (removed: R) => string;
  /** A choice for more that may be deleted with it; left out: there is none. */
  readonly more?: (removed: R) => string;
} & TrashOpen;

type TrashOpen = { readonly isOpen: boolean; readonly setOpen: (isOpen: boolean) => void };

/** Held by the screen: a restored item may be the first of its list, which then renders again with its buttons. */
export function useTrashOpen(): TrashOpen {
  const [isOpen, setOpen] = useState(false);
  return { isOpen, setOpen };
}

/** Opens the list of what was removed, each to be restored, or deleted permanently after a question. */
export function TrashButton<R extends Removed>(trash: Trash<R>) {
  const { isOpen, setOpen } = trash;
  return (
    <>
      <ActionIcon
        variant="default"
        size={30}
        aria-label="Trash"
        title={`Removed ${trash.what}, to restore`}
        onClick={() => setOpen(true)}
      >
        <IconTrash size={15} stroke={1.6} />
      </ActionIcon>
      {isOpen && <TrashDialog {...trash} onClose={() => setOpen(false)} />}
    </>
  );
}

function TrashDialog<R extends Removed>(props: Trash<R> & { readonly onClose: () => void }) {
  const { what, hint, list, restore, onClose } = props;
  const [trash, setTrash] = useState<readonly R[] | null>(null);
  const [deleting, setDeleting] = useState<R | null>(null);
  // Only as it opens: what is asked for is another function in each rendering.
  useEffect(() => void list().then(setTrash), []);
  const after = async (action: Promise<void>): Promise<void> => {
    await action;
    setTrash(await list());
  };
  return (
    <>
      <Dialog opened onClose={onClose} title="Trash" size="lg">
        <p className={styles.hint}>{hint}</p>
        {trash === null && <LoadingState text="Looking into the trash" />}
        {trash !== null && trash.length === 0 && <p>It is empty.</p>}
        <ul className={styles.trash} aria-label={`Removed ${what}`}>
          {(trash ?? []).map((removed) => (
            <li key={removed.id}>
              <span title={`${removed.name}, ${removed.id}`}>{removed.name}</span>
              <span>{bytes(removed.bytes)}</span>
              <TimeAgo at={removed.createdAt} />
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Restore ${removed.name}`}
                onClick={() => void after(restore(removed))}
              >
                Restore
              </Button>
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Delete ${removed.name} for good`}
                onClick={() => setDeleting(removed)}
              >
                Delete…
              </Button>
            </li>
          ))}
        </ul>
      </Dialog>
      {deleting !== null && (
        <DeleteForGood
          {...props}
          removed={deleting}
          deleteForGood={(removed, options) => after(props.deleteForGood(removed, options))}
          onClose={() => setDeleting(null)}
        />
      )}
    </>
  );
}

function DeleteForGood<R extends Removed>(
  props: Pick<Trash<R>, 'question' | 'more' | 'deleteForGood'> & {
    readonly removed: R;
    readonly onClose: () => void;
  },
) {
  const { removed, question, more, deleteForGood, onClose } = props;
  const [isMore, setMore] = useState(false);
  return (
    <ConfirmDialog
      opened
      title={`Delete ${removed.name} for good?`}
      confirm="Delete for good"
      cancel="Keep it"
      onConfirm={() => void deleteForGood(removed, { more: isMore })}
      onClose={onClose}
    >
      {`${question(removed).trim()} Nothing can bring it back.`}
      {more !== undefined && (
        <Checkbox
          mt="sm"
          checked={isMore}
          onChange={(event) => setMore(event.currentTarget.checked)}
          label={more(removed)}
        />
      )}
    </ConfirmDialog>
  );
}
