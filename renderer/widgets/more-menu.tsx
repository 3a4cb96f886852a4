import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** The seldom used actions of a screen, behind three dots. */
export function MoreMenu(props: {
  readonly label?: string;
  readonly busy?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <ActionIcon
          variant="default"
          size={30}
          loading={props.busy ?? false}
          aria-label={props.label ?? 'More'}
        >
          <IconDots size={16} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{props.children}</Menu.Dropdown>
    </Menu>
  );
}
