import { ActionIcon, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { type RefObject, useState } from 'react';
import classes from './log-pane.module.css';

export type Matches = { readonly index: number; readonly count: number };

/** Searches as one types; Enter goes on, Shift + Enter back, Escape leaves. */
export function FindBox(props: {
  input: RefObject<HTMLInputElement | null>;
  matches: Matches | null;
  onFind: (term: string, direction: 'next' | 'previous', incremental: boolean) => void;
  onLeave: () => void;
}) {
  const { matches, onFind } = props;
  const [term, setTerm] = useState('');
  const change = (next: string): void => {
    setTerm(next);
    onFind(next, 'next', true);
  };
  return (
    <>
      <span className={classes.matches} role="status">
        {term === '' || matches === null ? '' : matchWords(matches)}
      </span>
      <TextInput
        ref={props.input}
        size="xs"
        w={150}
        placeholder="Find (Ctrl+F)"
        aria-label="Find in log"
        value={term}
        onChange={(event) => change(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onFind(term, event.shiftKey ? 'previous' : 'next', false);
          else if (event.key === 'Escape') {
            event.stopPropagation();
            change('');
            props.onLeave();
          }
        }}
      />
      <ActionIcon size={24} aria-label="Previous match" onClick={() => onFind(term, 'previous', false)}>
        <IconChevronUp size={15} stroke={1.6} />
      </ActionIcon>
      <ActionIcon size={24} aria-label="Next match" onClick={() => onFind(term, 'next', false)}>
        <IconChevronDown size={15} stroke={1.6} />
      </ActionIcon>
    </>
  );
}

function matchWords({ index, count }: Matches): string {
  if (count === 0) return 'none';
  return index < 0 ? `${count}` : `${index + 1} of ${count}`;
}
