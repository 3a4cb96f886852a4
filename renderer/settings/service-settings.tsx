import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { ServiceInfo } from '../../preload/contract/commands/index';
import type { Settings } from '../../preload/contract/settings';
import { useServiceConnected, useServiceInfo, useWorkbench } from '../state/index';
import { bytes, clockTime, FailedState, LoadingState, Select, StateMark, usePress } from '../widgets/index';
import { SettingEntry } from './entry';
import styles from './settings.module.css';

const ON_CLOSE: readonly { readonly value: Settings['onClose']; readonly label: string }[] = [
  { value: 'ask', label: 'Ask me' },
  { value: 'service', label: 'Keep working in the background' },
  { value: 'stop', label: 'Pause, and close' },
];

/** Work without the window. */
export function ServiceSettings({ onClose }: Pick<Settings, 'onClose'>) {
  const info = useServiceInfo();
  const { settings } = useWorkbench();
  return (
    <dl className={styles.list}>
      <SettingEntry label="State">
        {info.kind === 'loading' && <LoadingState text="Asking" />}
        {info.kind === 'failed' && (
          <FailedState
            title="The workbench did not answer"
            message={info.error.message}
            hint={info.error.hint}
          />
        )}
        {info.kind === 'ready' &&
          (info.value.kind === 'service' ? <RunningService info={info.value} /> : <NoService />)}
      </SettingEntry>
      {info.kind === 'ready' && info.value.kind !== 'service' && (
        <SettingEntry label="On closing">
          <Select
            aria-label="When the window is closed while something runs"
            w={260}
            allowDeselect={false}
            value={onClose}
            data={[...ON_CLOSE]}
            onChange={(value) => {
              const chosen = ON_CLOSE.find((choice) => choice.value === value)?.value;
              if (chosen !== undefined) void settings.change({ onClose: chosen });
            }}
          />
          <p className={styles.soft}>
            Applies only while something runs or waits. Running jobs always continue.
          </p>
        </SettingEntry>
      )}
    </dl>
  );
}

function NoService() {
  const { service } = useWorkbench();
  const [registers, setRegisters] = useState(true);
  const { busy, press } = usePress(() => service.start(registers));
  return (
    <>
      <StateMark tone="quiet" text="Off: work stands still while the window is closed" />
      <p className={styles.soft}>
        In the background, queues, searches, reproductions and notifications go on without a window. What runs
        now pauses for a few seconds and goes on there. The terminal: <code>mars2 service start</code>
      </p>
      <p className={styles.soft}>
        To let the work go on when this computer is off, start one on a machine of the lab:{' '}
        <a href="#/machines">Machines</a>
      </p>
      <Checkbox
        size="xs"
        my={8}
        checked={registers}
        label="Start it with this computer"
        onChange={(event) => setRegisters(event.currentTarget.checked)}
      />
      <Button variant="default" loading={busy} onClick={press}>
        Start the background service
      </Button>
    </>
  );
}

function RunningService({ info }: { readonly info: ServiceInfo }) {
  const { service } = useWorkbench();
  const isConnected = useServiceConnected();
  const { busy, press } = usePress(service.takeBack);
  const { pid, host, version, startedAt, memoryBytes, through, otherWindow } = info;
  const back = usePress(service.showHere);
  const upgrade = usePress(service.upgrade);
  return (
    <>
      {isConnected ? (
        <StateMark tone="good" text="On: work goes on when this window is closed" />
      ) : (
        <StateMark tone="bad" text="Connection cut: connecting again" />
      )}
      <p className={styles.soft}>
        Process {pid} on {host}, version {version}, since {clockTime(startedAt)}, {bytes(memoryBytes)} of
        memory.
      </p>
      {otherWindow !== null && (
        <p className={styles.soft}>
          {otherWindow.isOlder
            ? `This window is version ${otherWindow.version}, older than the service: use the workbench of that version.`
            : `This window is version ${otherWindow.version}: some things may not work until both are the same.`}
        </p>
      )}
      {through === null ? (
        <>
          {otherWindow?.isOlder === false && (
            <Button mt={8} mr={8} loading={upgrade.busy} onClick={upgrade.press}>
              Upgrade the service
            </Button>
          )}
          <Button variant="default" mt={8} loading={busy} onClick={press}>
            Stop the background service
          </Button>
          <p className={styles.soft}>
            Without it this window does the work, and nothing starts with the computer. Studies pause until
            you resume them.
          </p>
        </>
      ) : (
        <>
          <Button variant="default" mt={8} loading={back.busy} onClick={back.press}>
            Back to this computer
          </Button>
          <p className={styles.soft}>
            This window shows the service on {through}. It goes on there when you leave it; it is stopped on
            the page of that machine.
          </p>
        </>
      )}
    </>
  );
}
