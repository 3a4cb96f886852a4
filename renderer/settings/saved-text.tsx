import { Button, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { FormError } from '../widgets/index';
import styles from './settings.module.css';

/** A text that is saved on Enter, on leaving the field, or by its button; Escape restores the saved one. */
export function SavedText(props: {
  readonly label: string;
  readonly value: string;
  readonly width: number;
  readonly unit?: string;
  readonly placeholder?: string;
  /** Why the text cannot be saved; null: it can. */
  readonly validate: (text: string) => string | null;
  readonly onSave: (text: string) => void;
}) {
  const { label, value, width, unit, placeholder, validate, onSave } = props;
  const [text, setText] = useState(value);
  const typed = text.trim();
  const error = validate(typed);
  const errorId = useId();
  const save = (): void => {
    if (error === null && typed !== value) onSave(typed);
  };
  return (
    <div className={styles.line}>
      <TextInput
        aria-label={label}
        w={width}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        error={error !== null}
        aria-describedby={error === null ? undefined : errorId}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save();
          if (event.key === 'Escape') setText(value);
        }}
      />
      {unit !== undefined && <span className={styles.quiet}>{unit}</span>}
      {typed !== value && error === null && (
        <Button variant="default" onClick={save}>
          Save
        </Button>
      )}
      {/* Below at full width: a field of three letters has no room for it. */}
      {error !== null && (
        <div id={errorId} className={styles.wrong}>
          <FormError text={error} />
        </div>
      )}
    </div>
  );
}
