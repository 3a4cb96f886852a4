import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useLogins, useWorkbench } from '../state/index';
import { TerminalPane } from './terminal-pane';
import styles from './terminals.module.css';

/** Within this time after "Connect", a login prompt may take the focus. */
const RECENT_CONNECT_MS = 120_000;

/**
 * The login prompt of ssh, shown over every screen. It takes the focus only if the user has requested the connection:
 * a password prompt must not catch what is typed elsewhere.
 */
export function LoginPane() {
  const { machineActions } = useWorkbench();
  const logins = useLogins();
  const [login] = logins;
  const leave = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (login === undefined) return;
    const before = document.activeElement;
    return () => {
      // Restores the focus, unless the user has moved it meanwhile.
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
    };
  }, [login?.terminalId, login === undefined]);
  if (login === undefined) return null;
  const { machineId, name, terminalId } = login;
  const requestedAt = machineActions.lastConnectAt(machineId);
  return (
    <div className={styles.login} role="dialog" aria-label={`Login to ${name}`}>
      <div className={styles.loginHead}>
        <b>Login to {name}</b>
        <p>
          Answer here as in a terminal. Nothing you type is stored.
          {logins.length > 1 && ` ${logins.length - 1} more waiting.`}
        </p>
        <Button
          ref={leave}
          variant="default"
          size="compact-sm"
          onClick={() => machineActions.hideLogin(terminalId)}
        >
          Later
        </Button>
        <Button variant="default" size="compact-sm" onClick={() => void machineActions.disconnect(machineId)}>
          Do not connect
        </Button>
      </div>
      <TerminalPane
        key={terminalId}
        view={{ id: terminalId, title: `login to ${name}`, durable: false }}
        isShown
        hasNoFind
        isReadOnly={false}
        takesFocus={requestedAt !== null && Date.now() - requestedAt < RECENT_CONNECT_MS}
        screenReader={false}
        onAction={(action) => {
          if (action === 'leave') leave.current?.focus();
        }}
      />
    </div>
  );
}
