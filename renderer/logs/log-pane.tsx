import { Button, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import {
  IconArrowBarToDown,
  IconArrowBarToUp,
  IconChevronDown,
  IconChevronUp,
  IconClock,
  IconDownload,
  IconFileText,
  IconFilter,
  IconTextWrap,
} from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { leftOutNotice, leftOutText } from '../../preload/contract/folds/left-out-text';
import { logCopyText } from '../../preload/contract/folds/log-copy-text';
import type { LeftOutPart } from '../../preload/contract/job';
import { type LogSource, useStoredFlag, useTask, useWorkbench } from '../state/index';
import { taskLabel, taskShare } from '../text/tasks';
import { CopyTextButton } from '../widgets/copy-text';
import { bytes, plural, TaskLine, TimeAgo } from '../widgets/index';
import { isLeftOut, type LogItem } from './log-lines';
import { LogMatches } from './log-matches';
import classes from './log-pane.module.css';
import { LogPosition } from './log-position';
import { LogRows, type RowsHandle } from './log-rows';
import { LogTool } from './log-tool';
import type { LogView } from './log-view';
import { matchBeyond, matchText, type StepDirection } from './match-steps';
import { useLogReader } from './use-log-reader';
import { useMachineSearch } from './use-machine-search';

/** Characters of the view as plain text. */
const PLAIN_CHARS = 512 * 1024;

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
  const [wraps, setWraps] = useStoredFlag('log.wrap', false);
  const [times, setTimes] = useStoredFlag('log.times', false);
  const [plain, setPlain] = useState(false);
  const [term, setTerm] = useState('');
  const [filters, setFilters] = useState(false);
  const [current, setCurrent] = useState<number | null>(null);
  const [top, setTop] = useState(0);
  const [search, machine] = useMachineSearch(source);

  const marked = term.toLowerCase();
  const items = useMemo(
    () => (filters && marked !== '' ? view.items.filter((item) => matches(item, marked)) : view.items),
    [view.items, filters, marked],
  );
  const matchLines = useMemo(
    () =>
      marked === ''
        ? []
        : items.flatMap((item, at) => (item.kind === 'line' && matches(item, marked) ? [at] : [])),
    [items, marked],
  );
  const at = current === null ? -1 : items.findIndex(({ offset }) => offset === current);

  const step = (direction: StepDirection): void => {
    const next = matchBeyond(matchLines, at, direction) ?? matchLines.at(direction === 1 ? 0 : -1);
    if (next === undefined) return;
    reader?.leaveEnd();
    setCurrent(items[next]?.offset ?? null);
    rows.current?.show(next);
  };
  const searchMachine = (): void => {
    // Enter again and again does not start the same search again.
    if (term !== '' && !(search?.busy === true && search.text === term)) machine.find(term);
  };
  const find = (text: string): void => {
    setTerm(text);
    setCurrent(null);
    // The matches of a search that was cleared explain nothing.
    if (text === '') machine.close();
  };
  const findKeys = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) searchMachine();
    else if (event.key === 'Enter') {
      const direction = event.shiftKey ? -1 : 1;
      const isWhole = view.from === 0 && view.to >= view.size;
      const isBeyondView = !isWhole && matchBeyond(matchLines, at, direction) === undefined;
      if (isBeyondView && source.search !== null) searchMachine();
      else step(direction);
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      find('');
      rows.current?.focus();
    } else return;
    event.preventDefault();
  };
  // On the whole page: who has just come to it has clicked nothing yet.
  const toFind = (): void => {
    input.current?.focus();
    input.current?.select();
  };
  useHotkeys([['mod+F', toFind]], []);
  const paneKeys = (event: KeyboardEvent<HTMLElement>): void => {
    const typing = event.target instanceof HTMLInputElement;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'g') {
      event.currentTarget.querySelector<HTMLElement>('[data-go-to]')?.click();
    } else if (!typing && !plain && event.key === 'Home') reader?.toStart();
    else if (!typing && !plain && event.key === 'End') reader?.toEnd();
    else return;
    event.preventDefault();
  };

  const text = (): string =>
    view.items
      .map((item) =>
        item.kind === 'line'
          ? item.text
          : isLeftOut(item, view.leftOut)
            ? leftOutText(view.leftOut)
            : `[${bytes(item.bytes)} skipped]`,
      )
      .join('\n')
      .slice(-PLAIN_CHARS);
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
        <span className={classes.count} role="status">
          {term === '' ? '' : matchText(matchLines, at)}
        </span>
        <TextInput
          ref={input}
          size="xs"
          w={170}
          placeholder="Find (Ctrl+F)"
          aria-label="Find in log"
          autoComplete="off"
          spellCheck={false}
          value={term}
          onChange={(event) => find(event.currentTarget.value)}
          onKeyDown={findKeys}
        />
        <LogTool icon={IconChevronUp} label="Previous match" onPress={() => step(-1)} />
        <LogTool icon={IconChevronDown} label="Next match" onPress={() => step(1)} />
        <LogTool
          icon={IconFilter}
          label="Show only lines that match"
          on={filters}
          onPress={() => setFilters(!filters)}
        />
        {source.search !== null && (
          <Button
            size="compact-xs"
            variant="default"
            disabled={term === ''}
            title="Search the whole file on the machine (Ctrl+Enter, or Enter behind the last match in view)"
            onClick={searchMachine}
          >
            Search whole log
          </Button>
        )}
        <i className={classes.rule} />
        <LogTool icon={IconTextWrap} label="Wrap long lines" on={wraps} onPress={() => setWraps(!wraps)} />
        <LogTool icon={IconClock} label="Show times" on={times} onPress={() => setTimes(!times)} />
        <LogTool icon={IconFileText} label="Show as plain text" on={plain} onPress={() => setPlain(!plain)} />
        <CopyTextButton
          label="Copy selection or loaded text"
          read={() => window.getSelection()?.toString() || text()}
        />
        {source.save !== null && (
          <LogTool icon={IconDownload} label="Save the whole log" onPress={() => void source.save?.()} />
        )}
      </div>
      <Saving />
      {view.copy !== null && <CopyNote copy={view.copy} missing={view.leftOut} />}
      {view.leftOut !== null && view.copy === null && (
        <LeftOut part={view.leftOut} onGoTo={(offset) => reader?.goTo(offset)} />
      )}
      {view.failure !== null && (
        <div className={classes.failure} role="alert">
          <span>{view.failure}</span>
          <Button size="compact-xs" variant="subtle" onClick={() => reader?.retry()}>
            Try again
          </Button>
        </div>
      )}
      <div className={classes.body}>
        {plain ? (
          <PlainText label={label} text={text()} follows={view.follows} />
        ) : (
          <LogRows
            ref={rows}
            label={label}
            items={items}
            leftOut={view.leftOut}
            follows={view.follows}
            target={view.target}
            wraps={wraps}
            times={times}
            marked={marked}
            current={at}
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
              setPlain(false);
              setFilters(false);
              setTerm(search.text);
              setCurrent(offset);
              reader?.goTo(offset);
            }}
            onMore={machine.more}
            onCancel={source.cancelSearch}
            onClose={machine.close}
          />
        )}
        {view.size === 0 && view.items.length === 0 && view.failure === null && view.loading === null && (
          <p className={classes.empty}>{live ? 'No output yet.' : 'No output.'}</p>
        )}
        {filters && term !== '' && items.length === 0 && view.items.length > 0 && (
          <p className={classes.empty}>
            None of the {plural(view.items.length, 'line')} loaded here
            {source.search === null ? '.' : '; search the whole log.'}
          </p>
        )}
      </div>
    </section>
  );
}

function matches(item: LogItem, marked: string): boolean {
  return item.kind === 'skipped' || item.text.toLowerCase().includes(marked);
}

function LeftOut(props: { readonly part: LeftOutPart; readonly onGoTo: (offset: number) => void }) {
  const { part, onGoTo } = props;
  return (
    <div className={classes.leftOut} role="note">
      <span>{leftOutNotice(part)}</span>
      <Button size="compact-xs" variant="subtle" onClick={() => onGoTo(part.from)}>
        Go there
      </Button>
    </div>
  );
}

/** That this is a copy, why, how old it is and what it lacks. */
function CopyNote(props: {
  readonly copy: NonNullable<LogView['copy']>;
  readonly missing: LeftOutPart | null;
}) {
  const { copy, missing } = props;
  return (
    <div className={classes.leftOut} role="note">
      <span>
        {logCopyText(copy)} Copied <TimeAgo at={copy.at} />.
        {missing?.isCopy === true && ` ${leftOutNotice(missing)}`}
      </span>
    </div>
  );
}

function Saving() {
  const task = useTask('log-download');
  const { tasks } = useWorkbench();
  if (task === null) return null;
  return (
    <div className={classes.saving}>
      <TaskLine
        label={taskLabel(task)}
        share={taskShare(task)}
        onCancel={() => void tasks.cancel('log-download')}
      />
    </div>
  );
}

/** The loaded lines as plain text, for screen readers, selecting and copying. */
function PlainText(props: { readonly label: string; readonly text: string; readonly follows: boolean }) {
  const { label, text, follows } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (follows && area.current !== null) area.current.scrollTop = area.current.scrollHeight;
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
