import { ActionIcon, Tooltip } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';

/** A button of the log's toolbar; with `on` a toggle. */
export function LogTool(props: {
  readonly icon: TablerIcon;
  readonly label: string;
  readonly on?: boolean;
  readonly onPress: () => void;
}) {
  const Icon = props.icon;
  return (
    <Tooltip label={props.label}>
      <ActionIcon
        size={24}
        variant={props.on === true ? 'light' : 'subtle'}
        aria-label={props.label}
        {...(props.on === undefined ? {} : { 'aria-pressed': props.on })}
        onClick={props.onPress}
      >
        <Icon size={15} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  );
}
