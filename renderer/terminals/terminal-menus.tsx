import { ActionIcon, Button, Menu, Switch } from '@mantine/core';
import { IconAdjustments, IconPlus } from '@tabler/icons-react';
import type { MachineView } from '../../preload/contract/machine';
import { useWorkbench } from '../state/index';
import { accessText, connectionStatus } from '../text/machines';
import { useNow } from '../widgets/index';
import styles from './terminals.module.css';

/** Opens a shell on any machine. */
export function OpenMenu(props: { readonly machines: readonly MachineView[] }) {
  const { terminals } = useWorkbench();
  const now = useNow();
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconPlus size={14} aria-hidden="true" />}>
          Open terminal
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {props.machines.map(({ spec, connection }) => (
          <Menu.Item key={spec.id} onClick={() => void terminals.open(spec.id)}>
            <span className={styles.offer}>
              <b>{spec.name}</b>
              <small>
                {connection.kind === 'connected' ? accessText(spec) : connectionStatus(connection, now).text}
              </small>
            </span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

export function OptionsMenu(props: {
  readonly screenReader: boolean;
  readonly onScreenReader: (isOn: boolean) => void;
}) {
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }} closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon aria-label="Terminal options" variant="default" size={30}>
          <IconAdjustments size={16} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="div" role="presentation">
          <Switch
            size="xs"
            checked={props.screenReader}
            label="Read output to a screen reader"
            onChange={(event) => props.onScreenReader(event.currentTarget.checked)}
          />
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
