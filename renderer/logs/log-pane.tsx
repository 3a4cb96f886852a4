import { useHotkeys } from '@mantine/hooks';
import {
  IconArrowBarToDown,
  IconArrowBarToUp,
  IconClock,
  IconDownload,
  IconFileText,
  IconTextWrap,
} from '@tabler/icons-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { type LogSource, useStoredFlag } from '../state/index';
import { CopyTextButton } from '../widgets/copy-text';
import { bytes, plural } from '../widgets/index';
import { LogFindTools } from './log-find-tools';
import { LogMatches } from './log-matches';
import { LogNotes } from './log-notes';
import classes from './log-pane.module.css';
import { LogPosition } from './log-position';
import { LogRows, type RowsHandle } from './log-rows';
import { LogTool } from './log-tool';
import type { LogView } from './log-view';
import { PlainLog, plainText } from './plain-log';
import { type LogFind, useLogFind } from './use-log-find';
import { useLogReader } from './use-log-reader';
import { useMachineSearch } from './use-machine-search';

/** A growing log file of any length. Use another `key` for another file. */
export function LogPane(props: {
  readonly label: string;
  readonly source: LogSource;
  readonly size: number;
  readonly live: boolean;
}) {
  const { label, source, size, live } = props;
  const [reader, view] = useLogReader(source, size, live);
  const rows = useRef<RowsHandle>(null);
  const input = useRef<HTMLInputElement>(null);
  const shown = useShown();
  const [top, setTop] = useState(0);
  const [search, machine] = useMachineSearch(source);

  const loaded = useLogFind(view.items, (position) => {
    reader?.leaveEnd();
    rows.current?.show(position);
  });
  const find: LogFind = {
    ...loaded,
    setTerm: (term) => {
      loaded.setTerm(term);
      // The matches of a search that was cleared explain nothing.
      if (term === '') machine.close();
    },
  };
  // On the whole page: who has just come to it has clicked nothing yet.
  const toFind = (): void => {
    input.current?.focus();
    input.current?.select();
  };
  useHotkeys([['mod+F', toFind]], []);
  const searchMachine = (): void => {
    // Enter again and again does not start the same search again.
    const { term } = find;
    if (term !== '' && !(search?.busy === true && search.text === term)) machine.find(term);
  };
  const paneKeys = (event: KeyboardEvent<HTMLElement>): void => {
    const typing = event.target instanceof HTMLInputElement;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'g') {
      event.currentTarget.querySelector<HTMLElement>('[data-go-to]')?.click();
    } else if (!typing && !shown.plain && event.key === 'Home') reader?.toStart();
    else if (!typing && !shown.plain && event.key === 'End') reader?.toEnd();
    else return;
    event.preventDefault();
  };

  return (
    <section className={classes.pane} aria-label={label} onKeyDown={paneKeys}>
      <div className={classes.bar}>
        <LogPosition source={source} view={view} top={top} onGoTo={(offset) => reader?.goTo(offset)} />
        <LogTool icon={IconArrowBarToUp} label="Go to the start" onPress={() => reader?.toStart()} />
        <LogTool
          icon={IconArrowBarToDown}
          label="Follow the end"
          on={view.follows}
          onPress={() => (view.follows ? reader?.leaveEnd() : reader?.toEnd())}
        />
        {!view.follows && view.size > view.to && live && (
          <span className={classes.more}>{bytes(view.size - view.to)} below</span>
        )}
        <span className={classes.gap} />
        <LogFindTools
          ref={input}
          find={find}
          search={source.search === null ? null : searchMachine}
          holdsAll={view.from === 0 && view.to >= view.size}
          onLeave={() => rows.current?.focus()}
        />
        <i className={classes.rule} />
        <ShownTools shown={shown} source={source} text={() => plainText(view)} />
      </div>
      <LogNotes view={view} onGoTo={(offset) => reader?.goTo(offset)} onRetry={() => reader?.retry()} />
      <div className={classes.body}>
        {shown.plain ? (
          <PlainLog label={label} text={plainText(view)} follows={view.follows} />
        ) : (
          <LogRows
            ref={rows}
            label={label}
            items={find.items}
            leftOut={view.leftOut}
            follows={view.follows}
            target={view.target}
            wraps={shown.wraps}
            times={shown.times}
            marked={find.marked}
            current={find.at}
            onNear={(edge) => (edge === 'top' ? reader?.wantOlder() : reader?.wantNewer())}
            onLeaveEnd={() => reader?.leaveEnd()}
            onEnd={() => view.to >= view.size && !view.follows && live && reader?.toEnd()}
            onTop={setTop}
            onGoTo={(offset) => reader?.goTo(offset)}
          />
        )}
        {search !== null && (
          <LogMatches
            search={search}
            onGoTo={(offset) => {
              shown.setPlain(false);
              find.showMatch(search.text, offset);
              reader?.goTo(offset);
            }}
            onMore={machine.more}
            onCancel={source.cancelSearch}
            onClose={machine.close}
          />
        )}
        <EmptyLog view={view} live={live} find={find} canSearch={source.search !== null} />
      </div>
    </section>
  );
}

/** How the lines are shown. */
function useShown() {
  const [wraps, setWraps] = useStoredFlag('log.wrap', false);
  const [times, setTimes] = useStoredFlag('log.times', false);
  const [plain, setPlain] = useState(false);
  return { wraps, setWraps, times, setTimes, plain, setPlain };
}

/** How the lines are shown, and to take them along. */
function ShownTools(props: {
  readonly shown: ReturnType<typeof useShown>;
  readonly source: LogSource;
  readonly text: () => string;
}) {
  const { shown, source, text } = props;
  return (
    <>
      <LogTool
        icon={IconTextWrap}
        label="Wrap long lines"
        on={shown.wraps}
        onPress={() => shown.setWraps(!shown.wraps)}
      />
      <LogTool
        icon={IconClock}
        label="Show times"
        on={shown.times}
        onPress={() => shown.setTimes(!shown.times)}
      />
      <LogTool
        icon={IconFileText}
        label="Show as plain text"
        on={shown.plain}
        onPress={() => shown.setPlain(!shown.plain)}
      />
      <CopyTextButton
        label="Copy selection or loaded text"
        read={() => window.getSelection()?.toString() || text()}
      />
      {source.save !== null && (
        <LogTool icon={IconDownload} label="Save the whole log" onPress={() => void source.save?.()} />
      )}
    </>
  );
}

/** Why no line is shown; nothing where there are some. */
function EmptyLog(props: {
  readonly view: LogView;
  readonly live: boolean;
  readonly find: LogFind;
  readonly canSearch: boolean;
}) {
  const { view, live, find, canSearch } = props;
  if (view.items.length === 0) {
    if (view.size > 0 || view.failure !== null || view.loading !== null) return null;
    return <p className={classes.empty}>{live ? 'No output yet.' : 'No output.'}</p>;
  }
  if (!find.filters || find.term === '' || find.items.length > 0) return null;
  return (
    <p className={classes.empty}>
      None of the {plural(view.items.length, 'line')} loaded here
      {canSearch ? '; search the whole log.' : '.'}
    </p>
  );
}
