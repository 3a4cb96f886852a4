import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { LogMatch } from '../../preload/contract/job';
import { count, plural } from '../widgets/index';
import { withoutControl, withoutStyles } from './control-sequences';
import classes from './log-matches.module.css';

export type MachineSearch = {
  readonly text: string;
  readonly matches: readonly LogMatch[];
  /** False: there are more matches. */
  readonly isComplete: boolean;
  readonly busy: boolean;
  readonly failure: string | null;
};

/** Matches in the whole file; a click goes to the line. */
export function LogMatches(props: {
  readonly search: MachineSearch;
  readonly onGoTo: (offset: number) => void;
  readonly onMore: () => void;
  readonly onCancel: () => void;
  readonly onClose: () => void;
}) {
  const { search, onGoTo } = props;
  const { matches } = search;
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: matches.length,
    getScrollElement: () => box.current,
    estimateSize: () => 22,
    overscan: 10,
  });
  return (
    <section className={classes.matches} aria-label="Matches in the whole log">
      <div className={classes.matchesHead}>
        <span role="status">{searchText(search)}</span>
        {search.busy && (
          <Button size="compact-xs" variant="default" onClick={props.onCancel}>
            Cancel
          </Button>
        )}
        {!search.busy && !search.isComplete && search.failure === null && (
          <Button size="compact-xs" variant="default" onClick={props.onMore}>
            Find more
          </Button>
        )}
        <ActionIcon size={22} ml="auto" aria-label="Close the matches" onClick={props.onClose}>
          <IconX size={14} />
        </ActionIcon>
      </div>
      <div ref={box} className={classes.matchRows}>
        <ul style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((row) => {
            const match = matches[row.index];
            if (match === undefined) return null;
            const text = withoutStyles(withoutControl(match.text));
            return (
              <li key={match.offset} style={{ transform: `translateY(${row.start}px)` }}>
                <button type="button" onClick={() => onGoTo(match.offset)} title={text}>
                  <b>{count(match.line)}</b>
                  <span>{text}</span>
                </button>
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
}

function searchText({ text, matches, isComplete, busy, failure }: MachineSearch): string {
  if (failure !== null) return failure;
  if (busy && matches.length === 0) return `Searching the whole log for “${text}”…`;
  if (matches.length === 0) return `No match for “${text}” in the log`;
  const so = isComplete ? '' : ' so far';
  return `${plural(matches.length, 'line')}${so} with “${text}”`;
}
