import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { type LibraryItem, removalProblem, removalText } from '../../preload/contract/plans/index';
import { readyValue, useRecordings, useStudies, useWorkbench } from '../state/index';
import { ConfirmDialog, type ContextAction, copyAction, RenameDialog } from '../widgets/index';

/** What can be done with a benchmark or a recording; `dialogs`: the questions of these actions. */
export function useItemActions(
  item: LibraryItem,
  name: string,
): { readonly actions: readonly ContextAction[]; readonly dialogs: ReactNode } {
  const { libraryCommands, notices } = useWorkbench();
  const studies = readyValue(useStudies()) ?? [];
  const recordings = readyValue(useRecordings()) ?? [];
  const [asking, setAsking] = useState<'rename' | 'remove' | null>(null);
  const close = (): void => setAsking(null);
  const answers =
    item.kind === 'recording' ? [] : recordings.filter(({ benchmarkId }) => benchmarkId === item.id);
  const askRemove = (): void => {
    const problem = removalProblem(item, studies);
    if (problem === null) setAsking('remove');
    else notices.show({ level: 'warning', ...problem });
  };
  return {
    actions: [
      copyAction('Copy id', item.id),
      { label: 'Rename…', run: () => setAsking('rename') },
      { label: 'Remove…', run: askRemove },
    ],
    dialogs: (
      <>
        {asking === 'rename' && (
          <RenameDialog
            name={name}
            hint={`The id ${item.id} stays: studies and commands use it.`}
            rename={(to) => libraryCommands.rename(item, to)}
            onClose={close}
          />
        )}
        <ConfirmDialog
          opened={asking === 'remove'}
          title={`Remove the ${item.kind} ${name}?`}
          confirm={`Remove ${item.kind}`}
          cancel="Keep it"
          onConfirm={() => void libraryCommands.remove(item, name)}
          onClose={close}
        >
          {removalText(item, studies, answers.length)} Its files are deleted.
        </ConfirmDialog>
      </>
    ),
  };
}

/** These actions behind three dots. */
export function ItemMenu(props: {
  readonly actions: readonly ContextAction[];
  readonly name: string;
  readonly size?: number;
}) {
  const { actions, name, size = 22 } = props;
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <ActionIcon
          variant="default"
          size={size}
          aria-label={`More actions for ${name}`}
          title="More actions"
        >
          <IconDots size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label, run }) => (
          <Menu.Item key={label} onClick={run}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
