import { Button, Loader } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './states.module.css';

/** Nothing is here yet: what would be, and the one thing to do about it. */
export function EmptyState(props: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className={styles.state}>
      <h2>{props.title}</h2>
      {props.children !== undefined && <p>{props.children}</p>}
      {props.action !== undefined && <div className={styles.action}>{props.action}</div>}
    </div>
  );
}

/** On its way. The text says what; it appears after a moment, so quick answers do not flicker. */
export function LoadingState(props: { readonly text: string }) {
  return (
    <div className={`${styles.state} ${styles.late}`} role="status">
      <Loader size={14} />
      <p>{props.text}</p>
    </div>
  );
}

/** What happened, to what, what to do, with the button that does it. */
export function FailedState(props: {
  readonly title: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly action?: { readonly label: string; readonly run: () => void };
  /** A second thing to do, where `action` may not help. */
  readonly further?: { readonly label: string; readonly run: () => void };
}) {
  return (
    <div className={styles.state} role="alert">
      <h2>
        <IconAlertTriangle size={16} aria-hidden="true" className={styles.sign} />
        {props.title}
      </h2>
      <p>{props.message}</p>
      {props.hint !== undefined && <Hint text={props.hint} />}
      {props.action !== undefined && (
        <div className={styles.action}>
          <Button variant="default" onClick={props.action.run}>
            {props.action.label}
          </Button>
          {props.further !== undefined && (
            <Button variant="default" onClick={props.further.run}>
              {props.further.label}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

/** What to do next; a command, or several lines of them, in the letters in which it is typed. */
export function Hint({ text }: { readonly text: string }) {
  const { prose, command } = hintParts(text);
  return (
    <>
      {prose !== '' && <p className={styles.next}>{prose}</p>}
      {command !== '' && <pre className={styles.hint}>{command}</pre>}
    </>
  );
}

/** "Import the complete file: mars2 benchmarks import FILE" is a sentence and, behind the colon, a command. */
export function hintParts(text: string): { readonly prose: string; readonly command: string } {
  if (/[.?)]$/.test(text) && !text.includes('\n')) return { prose: text, command: '' };
  const colon = text.indexOf(': ');
  const isSentence = colon > 0 && /^[A-Z][a-z ]/.test(text) && !text.slice(0, colon).includes('\n');
  return isSentence
    ? { prose: text.slice(0, colon + 1), command: text.slice(colon + 2) }
    : { prose: '', command: text };
}
