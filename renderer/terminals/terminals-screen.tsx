import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import type { MachineView } from '../../preload/contract/machine';
import type { TerminalView } from '../../preload/contract/terminal';
import {
  LOADING,
  type Loadable,
  mapLoadable,
  readyValue,
  useMachines,
  useStoredFlag,
  useStoredState,
  useTerminals,
  useWorkbench,
} from '../state/index';
import { connectionStatus } from '../text/machines';
import { ConfirmDialog, EmptyState, FailedState, LoadingState, Screen, useNow } from '../widgets/index';
import { machinesWithShells, parseIds } from './stored-shells';
import type { TerminalAction } from './terminal-keys';
import { OpenMenu, OptionsMenu } from './terminal-menus';
import { terminalNote } from './terminal-note';
import { TerminalPane } from './terminal-pane';
import { TerminalTabs } from './terminal-tabs';
import styles from './terminals.module.css';

/** Shells on all machines, one tab each. */
export function TerminalsScreen(props: { readonly terminalId: string | null }) {
  const { terminals } = useWorkbench();
  const all = useTerminals();
  const machines = readyValue(useMachines()) ?? [];
  // Login terminals have their own pane.
  const shells: Loadable<readonly TerminalView[]> = mapLoadable(all, (views) =>
    views.filter(({ purpose }) => purpose === 'shell'),
  );
  switch (shells.kind) {
    case LOADING.kind:
      return <LoadingState text="Loading the terminals" />;
    case 'failed':
      return (
        <Screen title="Terminals">
          <FailedState
            title="The terminals could not be read"
            message={shells.error.message}
            hint={shells.error.hint}
            action={{ label: 'Try again', run: () => void terminals.load() }}
          />
        </Screen>
      );
    case 'ready':
      return <TerminalsReady routeId={props.terminalId} shells={shells.value} machines={machines} />;
  }
}

const anyText = (text: string): string => text;

/** Stores which machines have running shells, to show them while disconnected. */
function TerminalsReady(props: {
  readonly routeId: string | null;
  readonly shells: readonly TerminalView[];
  readonly machines: readonly MachineView[];
}) {
  const { shells, machines } = props;
  const [stored, setKept] = useStoredState('terminals.machines', '', anyText);
  const validIds = machinesWithShells(parseIds(stored), machines, shells).join(' ');
  useEffect(() => {
    if (machines.length > 0 && validIds !== stored) setKept(validIds);
  }, [machines, validIds, stored, setKept]);
  const disconnected = machines.filter(
    ({ spec }) =>
      parseIds(validIds).includes(spec.id) && !shells.some(({ machineId }) => machineId === spec.id),
  );
  const below = disconnected.map((machine) => <DisconnectedNote key={machine.spec.id} machine={machine} />);
  return shells.length === 0 ? (
    <NoTerminals machines={machines} below={below} />
  ) : (
    <OpenTerminals {...props} below={below} />
  );
}

function DisconnectedNote(props: { readonly machine: MachineView }) {
  const { spec, connection } = props.machine;
  const { machineActions } = useWorkbench();
  const now = useNow();
  return (
    <div className={styles.note} data-tone="warning" role="status">
      <span>
        Shells are still running on {spec.name} ({connectionStatus(connection, now).text.toLowerCase()}).
        Connect to see them again.
      </span>
      <Button variant="default" size="compact-sm" onClick={() => void machineActions.connect(spec.id)}>
        Connect {spec.name}
      </Button>
    </div>
  );
}

function NoTerminals(props: { readonly machines: readonly MachineView[]; readonly below: ReactNode }) {
  const { terminals } = useWorkbench();
  return (
    <Screen title="Terminals" below={props.below}>
      <EmptyState
        title="No terminals"
        action={props.machines.slice(0, 6).map(({ spec }) => (
          <Button key={spec.id} variant="default" onClick={() => void terminals.open(spec.id)}>
            Open on {spec.name}
          </Button>
        ))}
      >
        Open a shell on any machine. With tmux on the machine, shells keep running when the connection drops
        or the workbench closes, and you find them here again.
      </EmptyState>
    </Screen>
  );
}

function OpenTerminals(props: {
  readonly routeId: string | null;
  readonly shells: readonly TerminalView[];
  readonly machines: readonly MachineView[];
  readonly below: ReactNode;
}) {
  const { routeId, shells, machines } = props;
  const { terminals, location, machineActions } = useWorkbench();
  const [last, setLast] = useStoredState('terminals.last', '', anyText);
  const [screenReader, setScreenReader] = useStoredFlag('terminals.screen-reader', false);
  const [closing, setClosing] = useState<TerminalView | null>(null);
  const [visited, setVisited] = useState<ReadonlySet<string>>(new Set());
  const [isFocused, setFocused] = useState(true);
  const chosen =
    shells.find(({ id }) => id === routeId) ?? shells.find(({ id }) => id === last) ?? shells[0] ?? null;
  const chosenId = chosen?.id ?? null;
  useEffect(() => {
    if (chosenId === null) return;
    setLast(chosenId);
    setVisited((before) => (before.has(chosenId) ? before : new Set(before).add(chosenId)));
  }, [chosenId, setLast]);

  const choose = (terminalId: string, enters: boolean): void => {
    setFocused(enters);
    location.go({ kind: 'terminals', terminalId }, { replace: true });
  };
  const close = (view: TerminalView): void => {
    const at = shells.indexOf(view);
    const neighbour = shells[at + 1] ?? shells[at - 1];
    if (view.id === chosenId && neighbour !== undefined) choose(neighbour.id, true);
    void terminals.close(view.id);
  };
  const askToClose = (view: TerminalView): void => {
    // An ended shell can be closed without asking.
    if (view.state.kind === 'ended') close(view);
    else setClosing(view);
  };
  const step = (by: number): void => {
    const at = shells.findIndex(({ id }) => id === chosenId);
    const next = shells.at((at + by + shells.length) % shells.length);
    if (next !== undefined) choose(next.id, true);
  };
  const act = (view: TerminalView) => (action: TerminalAction) => {
    if (action === 'next') step(1);
    else if (action === 'previous') step(-1);
    else if (action === 'close') askToClose(view);
    else if (action === 'new') void terminals.open(view.machineId);
    else if (action === 'leave') {
      setFocused(false);
      document.querySelector<HTMLElement>(`[data-tab="${view.id}"]`)?.focus();
    }
  };
  const machineOf = (id: string): MachineView | null => machines.find(({ spec }) => spec.id === id) ?? null;
  return (
    <Screen
      title="Terminals"
      fill
      below={props.below}
      actions={
        <>
          <OpenMenu machines={machines} />
          <OptionsMenu screenReader={screenReader} onScreenReader={setScreenReader} />
        </>
      }
    >
      <TerminalTabs
        views={shells}
        chosen={chosenId}
        onChoose={(id) => choose(id, false)}
        onEnter={() => setFocused(true)}
        onClose={(id) => {
          const view = shells.find((shell) => shell.id === id);
          if (view !== undefined) askToClose(view);
        }}
      />
      {shells
        .filter(({ id }) => id === chosenId || visited.has(id))
        .map((view) => {
          const machine = machineOf(view.machineId);
          return (
            <TerminalPane
              key={view.id}
              view={view}
              isShown={view.id === chosenId}
              isReadOnly={view.state.kind !== 'open'}
              takesFocus={isFocused}
              screenReader={screenReader}
              onAction={act(view)}
              above={
                <NoteBar
                  view={view}
                  machine={machine}
                  onAgain={() => void terminals.open(view.machineId)}
                  onConnect={() => void machineActions.connect(view.machineId)}
                />
              }
            />
          );
        })}
      <ConfirmDialog
        opened={closing !== null}
        title={`Close ${closing?.title ?? ''}?`}
        confirm="End the shell"
        cancel="Keep it"
        onConfirm={() => closing !== null && close(closing)}
        onClose={() => setClosing(null)}
      >
        Ends the shell and everything running in it.{' '}
        {closing?.durable === true && 'If you leave it open, it keeps running when the workbench closes.'}
      </ConfirmDialog>
    </Screen>
  );
}

function NoteBar(props: {
  readonly view: TerminalView;
  readonly machine: MachineView | null;
  readonly onAgain: () => void;
  readonly onConnect: () => void;
}) {
  const { view, machine, onAgain, onConnect } = props;
  const note = terminalNote(
    view,
    machine === null
      ? null
      : {
          name: machine.spec.name,
          isLocal: machine.spec.kind === 'local',
          connection: machine.connection,
        },
  );
  if (note === null) return null;
  return (
    <div className={styles.note} data-tone={note.tone} role="status">
      <span data-selectable>{note.message}</span>
      {note.help === 'again' && (
        <Button variant="default" size="compact-sm" onClick={onAgain}>
          Open a new shell
        </Button>
      )}
      {note.help === 'connect' && (
        <Button variant="default" size="compact-sm" onClick={onConnect}>
          Connect
        </Button>
      )}
    </div>
  );
}
