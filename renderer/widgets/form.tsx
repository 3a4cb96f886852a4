import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconPlus, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './form.module.css';
import { Hint } from './states';
import type { VariableRow } from './variables';

/** A scrolling form with a fixed summary next to it. */
export function FormColumns(props: { readonly summary: ReactNode; readonly children: ReactNode }) {
  return (
    <div className={styles.columns}>
      <div className={styles.form}>{props.children}</div>
      <aside className={styles.summary}>{props.summary}</aside>
    </div>
  );
}

/** Submits a form with Ctrl+Enter. */
export function SubmitByKey(props: {
  readonly busy: boolean;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key does what the button does
    <div
      className={styles.whole}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !props.busy) props.onSubmit();
      }}
    >
      {props.children}
    </div>
  );
}

/** Goes to the first marked error, after a try to submit: a screen reader then reads the field and what is wrong. */
export function scrollToFirstError(): void {
  requestAnimationFrame(() => {
    const field = document.querySelector<HTMLElement>('main [aria-invalid="true"]');
    const error = field ?? document.querySelector('main [data-error], main [role="alert"]');
    error?.scrollIntoView({ block: 'center' });
    field?.focus({ preventScroll: true });
  });
}

/** Inputs in a row that wraps. */
export function Fields(props: { readonly children: ReactNode }) {
  return <div className={styles.fields}>{props.children}</div>;
}

/** A full-width part of `Fields`; `mono`: monospaced input. */
export function WideField(props: { readonly mono?: boolean; readonly children: ReactNode }) {
  return (
    <div className={props.mono === true ? `${styles.wide} ${styles.mono}` : styles.wide}>
      {props.children}
    </div>
  );
}

/** Valid, but perhaps not as intended. */
export function FormWarning(props: { readonly text: string }) {
  return (
    <p className={styles.warning}>
      <IconAlertTriangle size={13} aria-hidden="true" />
      <span>{props.text}</span>
    </p>
  );
}

export function FormError(props: { readonly text: string | undefined }) {
  return props.text === undefined ? null : (
    <p className={styles.error} role="alert">
      {props.text}
    </p>
  );
}

/** A note below a field or group. */
export function FormNote(props: { readonly children: ReactNode }) {
  return <p className={styles.soft}>{props.children}</p>;
}

/** Main refused the form. */
export function FormRefusal(props: {
  readonly title: string;
  readonly message: string;
  readonly hint?: string | undefined;
}) {
  return (
    <div className={styles.refused} role="alert">
      <b>{props.title}</b>
      <span data-selectable>{props.message}</span>
      {props.hint !== undefined && <Hint text={props.hint} />}
    </div>
  );
}

/** Editable environment variables. */
export function VariableRows(props: {
  readonly rows: readonly VariableRow[];
  readonly error: string | undefined;
  readonly onChange: (rows: readonly VariableRow[]) => void;
}) {
  const { rows, onChange } = props;
  const changed = (key: number, part: Partial<VariableRow>): void =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  return (
    <div className={styles.variables}>
      {rows.map(({ key, name, value }, at) => (
        <VariableLine
          key={key}
          number={at + 1}
          name={name}
          value={value}
          onChange={(part) => changed(key, part)}
          onRemove={() => onChange(rows.filter((row) => row.key !== key))}
        />
      ))}
      <Button
        className={styles.add}
        variant="subtle"
        size="compact-xs"
        leftSection={<IconPlus size={13} aria-hidden="true" />}
        onClick={() =>
          onChange([...rows, { key: Math.max(-1, ...rows.map((row) => row.key)) + 1, name: '', value: '' }])
        }
      >
        Add a variable
      </Button>
      <div className={styles.hint}>
        <FormError text={props.error} />
      </div>
    </div>
  );
}

function VariableLine(props: {
  readonly number: number;
  readonly name: string;
  readonly value: string;
  readonly onChange: (part: Partial<VariableRow>) => void;
  readonly onRemove: () => void;
}) {
  const { number, name, value, onChange, onRemove } = props;
  return (
    <>
      <TextInput
        className={styles.mono}
        aria-label={`Name of variable ${number}`}
        placeholder="NAME"
        autoComplete="off"
        spellCheck={false}
        value={name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <TextInput
        className={styles.mono}
        aria-label={`Value of variable ${number}`}
        placeholder="value"
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange({ value: event.currentTarget.value })}
      />
      <ActionIcon aria-label={`Remove variable ${number}`} onClick={onRemove}>
        <IconX size={13} />
      </ActionIcon>
    </>
  );
}
