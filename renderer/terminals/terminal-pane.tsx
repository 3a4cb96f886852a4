import '@xterm/xterm/css/xterm.css';
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconCopy, IconSearch } from '@tabler/icons-react';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import type { Refusal } from '../../preload/contract/refusal';
import type { TerminalView } from '../../preload/contract/terminal';
import { type AttachedTerminal, useWorkbench } from '../state/index';
import { copyText, FailedState, Hint } from '../widgets/index';
import { FindBar } from './find-bar';
import type { TerminalAction } from './terminal-keys';
import styles from './terminal-pane.module.css';
import { createTerminalStage, type FindResult, type TerminalStage } from './terminal-stage';

const NO_MATCHES: FindResult = { at: -1, count: 0 };

/** One terminal with its search. Actions on other terminals go to `onAction`. */
export function TerminalPane(props: {
  readonly view: Pick<TerminalView, 'id' | 'title' | 'durable'>;
  /** A hidden terminal keeps drawing, so that it is current when shown again. */
  readonly isShown: boolean;
  readonly takesFocus: boolean;
  readonly screenReader: boolean;
  /** Input is ignored: the shell is detached or has ended. */
  readonly isReadOnly: boolean;
  /** True for logins, which have no search. */
  readonly hasNoFind?: boolean;
  readonly above?: ReactNode;
  readonly onAction: (action: TerminalAction) => void;
}) {
  const { view, isShown, isReadOnly: isStill, takesFocus, screenReader, onAction } = props;
  const { id, title, durable } = view;
  const { terminals } = useWorkbench();
  const host = useRef<HTMLDivElement>(null);
  const stage = useRef<TerminalStage | null>(null);
  const [hasSelection, setHasSelection] = useState(false);
  const [isFinding, setIsFinding] = useState(false);
  const [matches, setFound] = useState(NO_MATCHES);
  const [link, setLink] = useState<string | null>(null);
  const [refused, setRefused] = useState<Refusal | null>(null);

  const copySelection = useCallback(() => {
    const text = stage.current?.selection() ?? '';
    if (text !== '') void copyText(text);
  }, []);
  const action = useRef<(action: TerminalAction) => void>(() => {});
  action.current = (terminalAction) => {
    if (terminalAction === 'copy') copySelection();
    else if (terminalAction === 'find') setIsFinding(props.hasNoFind !== true);
    else onAction(terminalAction);
  };
  const initialScreenReader = useRef(screenReader);

  useEffect(() => {
    if (host.current === null) return;
    let attached: AttachedTerminal | null = null;
    const made = createTerminalStage(
      host.current,
      { label: `Terminal ${title}`, screenReader: initialScreenReader.current, answersReports: !durable },
      {
        onInput: (text) => attached?.write(text),
        onResize: (size) => attached?.resize(size),
        action: (terminalAction) => action.current(terminalAction),
        onLink: setLink,
        onFind: setFound,
        onSelection: setHasSelection,
      },
    );
    stage.current = made;
    attached = terminals.attach(id, made.size, {
      reset: (text, drawn) => {
        setRefused(null);
        made.sink.reset(text, drawn);
      },
      write: made.sink.write,
      failed: setRefused,
    });
    return () => {
      stage.current = null;
      attached?.dispose();
      made.dispose();
    };
  }, [terminals, id, title, durable]);

  useEffect(() => stage.current?.setScreenReader(screenReader), [screenReader]);
  useEffect(() => stage.current?.setReadOnly(isStill), [isStill]);
  useEffect(() => {
    if (isShown && takesFocus) stage.current?.focus();
  }, [isShown, takesFocus]);

  const endFind = (): void => {
    setIsFinding(false);
    stage.current?.endFind();
    stage.current?.focus();
  };
  return (
    <section className={styles.pane} hidden={!isShown} aria-label={`Terminal ${title}`}>
      {props.above}
      {link !== null && (
        <LinkBar url={link} onOpen={() => void terminals.openLink(link)} onClose={() => setLink(null)} />
      )}
      {refused !== null && (
        <FailedState title="The terminal could not be shown" message={refused.message} hint={refused.hint} />
      )}
      <div className={styles.stage} data-still={isStill || undefined}>
        <div ref={host} className={styles.host} />
        <div className={styles.tools}>
          {hasSelection && (
            <Tool label="Copy the selection (Ctrl Shift C)" onPress={copySelection}>
              <IconCopy size={15} stroke={1.6} />
            </Tool>
          )}
          {!isFinding && props.hasNoFind !== true && (
            <Tool label="Find (Ctrl Shift F)" onPress={() => setIsFinding(true)}>
              <IconSearch size={15} stroke={1.6} />
            </Tool>
          )}
        </div>
        {isFinding && (
          <FindBar
            result={matches}
            onFind={(text, where) => stage.current?.find(text, where)}
            onClose={endFind}
          />
        )}
      </div>
    </section>
  );
}

function Tool(props: { readonly label: string; readonly onPress: () => void; readonly children: ReactNode }) {
  return (
    <Tooltip label={props.label} position="left">
      <ActionIcon size={24} aria-label={props.label} onClick={props.onPress}>
        {props.children}
      </ActionIcon>
    </Tooltip>
  );
}

/** Program output is not trusted: a URL is shown in full before it is opened. */
function LinkBar(props: { readonly url: string; readonly onOpen: () => void; readonly onClose: () => void }) {
  const { url, onOpen, onClose } = props;
  const act = (work: () => void) => () => {
    work();
    onClose();
  };
  return (
    <div className={styles.bar} role="status">
      <Hint text={url} />
      <Button variant="default" size="compact-sm" onClick={act(onOpen)}>
        Open in the browser…
      </Button>
      <Button variant="default" size="compact-sm" onClick={act(() => void copyText(url))}>
        Copy
      </Button>
      <Button variant="subtle" color="gray" size="compact-sm" onClick={onClose}>
        Leave it
      </Button>
    </div>
  );
}
