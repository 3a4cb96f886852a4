import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconArrowBarToDown, IconFileText, IconTerminal2 } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { CopyTextButton } from '../widgets/copy-text';
import { byteWords } from './byte-words';
import { FindBox, type Matches } from './find-box';
import { LogFollower, type LogReader, type LogState } from './log-follower';
import classes from './log-pane.module.css';
import { LogTerminal } from './log-terminal';

/**
 * A log file as it grows. `size`: bytes known now; when it grows, the rest is read. Mount it anew (a `key`) for
 * another file.
 */
export function LogPane(props: { label: string; read: LogReader; size: number }) {
  const { label, size } = props;
  const host = useRef<HTMLDivElement>(null);
  const findInput = useRef<HTMLInputElement>(null);
  const [terminal, setTerminal] = useState<LogTerminal | null>(null);
  const [follower, setFollower] = useState<LogFollower | null>(null);
  const [state, setState] = useState<LogState | null>(null);
  const [follow, setFollow] = useState(true);
  const [plain, setPlain] = useState(false);
  const [matches, setMatches] = useState<Matches | null>(null);

  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    if (host.current === null) return;
    const shown = new LogTerminal(host.current, latest.current.label, {
      scrolled: setFollow,
      matched: (index, count) => setMatches({ index, count }),
      findAsked: () => findInput.current?.select(),
    });
    const made = new LogFollower(
      (offset, maxBytes) => latest.current.read(offset, maxBytes),
      { write: (text, taken) => shown.write(text, taken), clear: () => shown.clear() },
      setState,
    );
    made.start(latest.current.size);
    setTerminal(shown);
    setFollower(made);
    return () => {
      made.dispose();
      shown.dispose();
    };
  }, []);
  useEffect(() => follower?.grow(size), [follower, size]);

  const changeFollow = (on: boolean): void => {
    setFollow(on);
    if (on) terminal?.scrollToEnd();
    else terminal?.leaveEnd();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'f' || plain) return;
    event.preventDefault();
    findInput.current?.select();
  };

  return (
    <section className={classes.pane} aria-label={label} onKeyDown={onKeyDown}>
      <div className={classes.bar}>
        <span className={classes.size}>{state === null ? '' : sizeWords(state)}</span>
        {state !== null && state.from > 0 && (
          <Button size="compact-xs" variant="subtle" onClick={() => follower?.loadFromStart()}>
            Load from the start
          </Button>
        )}
        <span className={classes.gap} />
        {!plain && (
          <FindBox
            input={findInput}
            matches={matches}
            onFind={(term, direction, incremental) => {
              if (terminal === null) return;
              terminal.find(term, direction, incremental);
              setFollow(terminal.atEnd);
            }}
            onLeave={() => terminal?.focus()}
          />
        )}
        <Tooltip label="Follow the end">
          <ActionIcon
            size={24}
            variant={follow ? 'light' : 'subtle'}
            aria-label="Follow the end"
            aria-pressed={follow}
            onClick={() => changeFollow(!follow)}
          >
            <IconArrowBarToDown size={15} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
        <CopyTextButton
          label="Copy selection or the last part"
          read={() => terminal?.selection || follower?.tail || ''}
        />
        <Tooltip label={plain ? 'Show as terminal' : 'Show as plain text'}>
          <ActionIcon
            size={24}
            variant={plain ? 'light' : 'subtle'}
            aria-label="Show as plain text"
            aria-pressed={plain}
            onClick={() => setPlain(!plain)}
          >
            {plain ? <IconTerminal2 size={15} stroke={1.6} /> : <IconFileText size={15} stroke={1.6} />}
          </ActionIcon>
        </Tooltip>
      </div>
      {state?.failure != null && (
        <div className={classes.failure} role="alert">
          <span>{state.failure}</span>
          <Button size="compact-xs" variant="subtle" onClick={() => follower?.retry()}>
            Read again
          </Button>
        </div>
      )}
      <div ref={host} className={classes.terminal} hidden={plain} />
      {plain && follower !== null && <PlainText label={label} follower={follower} follow={follow} />}
      {state !== null && state.size === 0 && state.failure === null && (
        <p className={classes.empty}>Nothing was written yet.</p>
      )}
    </section>
  );
}

function sizeWords(state: LogState): string {
  const whole = byteWords(state.size);
  return state.from === 0 ? whole : `last ${byteWords(state.size - state.from)} of ${whole}`;
}

/** The last part as text that every reader, screen readers among them, can walk and select. */
function PlainText({ label, follower, follow }: { label: string; follower: LogFollower; follow: boolean }) {
  const area = useRef<HTMLTextAreaElement>(null);
  const text = withoutControl(follower.tail);
  useEffect(() => {
    if (follow && area.current !== null) area.current.scrollTop = area.current.scrollHeight;
  });
  return (
    <textarea
      ref={area}
      className={classes.plain}
      readOnly
      value={text}
      aria-label={`${label}, plain text`}
    />
  );
}

const ESCAPE = String.fromCharCode(27);
/** Colours and cursor movements of a terminal (ECMA-48 control sequences); the last one may be only half there. */
const CONTROL_SEQUENCE = new RegExp(`${ESCAPE}(\\[[0-9;?]*[ -/]*([@-~]|$)|$)`, 'g');

function withoutControl(text: string): string {
  return text.replace(CONTROL_SEQUENCE, '').replaceAll('\r\n', '\n');
}
