import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useLogins, useWorkbench } from '../state/index';
import { TerminalPane } from './terminal-pane';
import styles from './terminals.module.css';

/** A press on "Connect" so long ago still means: I am waiting for what it asks. */
const RECENT_CONNECT_MS = 120_000;

/**
 * What ssh asks before a machine is connected, over every screen. It takes the keyboard only where the user has asked
 * for the connection: a password prompt must not catch what is being typed elsewhere. Gone once it is answered.
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
      // Where the keyboard was goes on; unless the user has gone elsewhere meanwhile.
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
    };
  }, [login?.terminalId, login === undefined]);
  if (login === undefined) return null;
  const { machineId, name, terminalId } = login;
  const askedAt = machineActions.lastConnectAt(machineId);
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
        takesFocus={askedAt !== null && Date.now() - askedAt < RECENT_CONNECT_MS}
        screenReader={false}
        onAction={(action) => {
          if (action === 'leave') leave.current?.focus();
        }}
      />
    </div>
  );
}
