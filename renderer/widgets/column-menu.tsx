import { ActionIcon, Menu } from '@mantine/core';
import { IconCheck, IconColumns } from '@tabler/icons-react';

/** Chooses the columns of a table. `chosen` null: as many as fit, which its last entry brings back. */
export function ColumnMenu(props: {
  readonly columns: readonly { readonly id: string; readonly label: string }[];
  /** Ids of the columns that are shown now. */
  readonly shown: ReadonlySet<string>;
  readonly isChosen: boolean;
  readonly onChoose: (columns: readonly string[] | null) => void;
}) {
  const { columns, shown, isChosen, onChoose } = props;
  return (
    <Menu position="bottom-end" closeOnItemClick={false} transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <ActionIcon size={20} aria-label="Columns" title="Choose the columns">
          <IconColumns size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.map(({ id, label }) => (
          <Menu.Item
            key={id}
            role="menuitemcheckbox"
            aria-checked={shown.has(id)}
            leftSection={shown.has(id) ? <IconCheck size={14} /> : <span style={{ width: 14 }} />}
            onClick={() =>
              onChoose(
                columns.map((column) => column.id).filter((other) => (other === id) !== shown.has(other)),
              )
            }
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item disabled={!isChosen} closeMenuOnClick onClick={() => onChoose(null)}>
          As many as fit
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
