import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import styles from './settings.module.css';

/** A text that is kept on Enter, on leaving the field, or by its button; Escape takes it back. */
export function KeptText(props: {
  readonly label: string;
  readonly value: string;
  readonly width: number;
  readonly unit?: string;
  readonly placeholder?: string;
  /** Why it cannot be kept; null: it can. */
  readonly read: (text: string) => string | null;
  readonly onKeep: (text: string) => void;
}) {
  const { label, value, width, unit, placeholder, read, onKeep } = props;
  const [text, setText] = useState(value);
  const typed = text.trim();
  const fault = read(typed);
  const keep = (): void => {
    if (fault === null && typed !== value) onKeep(typed);
  };
  return (
    <div className={styles.line}>
      <TextInput
        aria-label={label}
        w={width}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        error={fault}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={keep}
        onKeyDown={(event) => {
          if (event.key === 'Enter') keep();
          if (event.key === 'Escape') setText(value);
        }}
      />
      {unit !== undefined && <span className={styles.quiet}>{unit}</span>}
      {typed !== value && fault === null && (
        <Button variant="default" onClick={keep}>
          Keep
        </Button>
      )}
    </div>
  );
}
