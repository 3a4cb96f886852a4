import { ActionIcon, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import styles from './terminal-pane.module.css';
import type { FindResult } from './terminal-stage';

/** Searches a terminal, newest match first. */
export function FindBar(props: {
  readonly result: FindResult;
  readonly onFind: (text: string, where: 'as-typed' | 'next' | 'previous') => void;
  readonly onClose: () => void;
}) {
  const { result: matches, onFind, onClose } = props;
  const [text, setText] = useState('');
  const pressed = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter') onFind(text, event.shiftKey ? 'next' : 'previous');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search className={styles.find}>
      <TextInput
        aria-label="Find in the terminal"
        placeholder="Find"
        autoFocus
        value={text}
        onKeyDown={pressed}
        onChange={(event) => {
          setText(event.currentTarget.value);
          onFind(event.currentTarget.value, 'as-typed');
        }}
      />
      <output>{resultText(text, matches)}</output>
      <ActionIcon size={24} aria-label="Earlier match (Enter)" onClick={() => onFind(text, 'previous')}>
        <IconArrowUp size={15} stroke={1.6} />
      </ActionIcon>
      <ActionIcon size={24} aria-label="Later match (Shift Enter)" onClick={() => onFind(text, 'next')}>
        <IconArrowDown size={15} stroke={1.6} />
      </ActionIcon>
      <ActionIcon size={24} aria-label="Close search (Escape)" onClick={onClose}>
        <IconX size={15} stroke={1.6} />
      </ActionIcon>
    </search>
  );
}

function resultText(text: string, { at, count }: FindResult): string {
  if (text === '') return '';
  if (count === 0) return 'none';
  return at < 0 ? `${count}` : `${at + 1} of ${count}`;
}
