import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { type Login, useLogins, useWorkbench } from '../state/index';
import { TerminalPane } from './terminal-pane';
import styles from './terminals.module.css';

/** Within this time after "Connect", a login prompt may take the focus. */
const RECENT_CONNECT_MS = 120_000;

/**
 * The login prompt of ssh, shown over every screen. It takes the focus only if the user has requested the connection:
 * a password prompt must not catch what is typed elsewhere, nor the rest of a password for the login before it.
 */
export function LoginPane() {
  const { machineActions } = useWorkbench();
  const logins = useLogins();
  const [login] = logins;
  const leave = useRef<HTMLButtonElement>(null);
  const shown = useRef<string | null>(null);
  useEffect(() => {
    shown.current = login?.terminalId ?? null;
  }, [login?.terminalId]);
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
  return (
    <div className={styles.login} role="dialog" aria-label={`Login to ${name}`}>
      <div className={styles.loginHead}>
        <b>Login to {name}</b>
        <p>
          Answer here as in a terminal. Nothing you type is stored.
          {logins.length > 1 &&
            ` Then: ${logins
              .slice(1)
              .map((next) => next.name)
              .join(', ')}.`}
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
      <LoginTerminal
        key={terminalId}
        login={login}
        follows={shown.current !== null && shown.current !== terminalId}
        onLeave={() => leave.current?.focus()}
      />
    </div>
  );
}

function LoginTerminal(props: {
  readonly login: Login;
  /** It stands where another login was a moment ago: the rest of a password for that one must not go to it. */
  readonly follows: boolean;
  readonly onLeave: () => void;
}) {
  const { machineId, name, terminalId } = props.login;
  const { machineActions } = useWorkbench();
  const [follows] = useState(props.follows);
  const requestedAt = machineActions.lastConnectAt(machineId);
  const isRecent = requestedAt !== null && Date.now() - requestedAt < RECENT_CONNECT_MS;
  const isRequested = machineActions.frontLogin.getState() === terminalId;
  return (
    <TerminalPane
      view={{ id: terminalId, title: `login to ${name}`, durable: false }}
      isShown
      hasNoFind
      isReadOnly={false}
      takesFocus={isRecent && (isRequested || !follows)}
      screenReader={false}
      onAction={(action) => {
        if (action === 'leave') props.onLeave();
      }}
    />
  );
}
