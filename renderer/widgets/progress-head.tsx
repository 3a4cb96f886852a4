import { VisuallyHidden } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { percent } from './format';
import styles from './progress-head.module.css';
import { ProgressLine } from './progress-line';

/** What a thing is, in a line of short facts; `label` says what they tell. */
export function FactLine(props: { readonly label: string; readonly facts: readonly string[] }) {
  return (
    <ul className={styles.facts} aria-label={props.label}>
      {props.facts.map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
    </ul>
  );
}

/** At the end of a study much changes at once, and Orca drops what is said meanwhile. */
const SETTLED_MS = 2_000;

/**
 * Announced at every tenth while it runs: numbers beside a bar change several times a second. `share` in [0, 1]. `end`: the final
 * state, so that the end is announced; null while the work runs.
 */
export function ProgressAnnouncement(props: {
  readonly label: string;
  readonly share: number;
  readonly end: string | null;
}) {
  const { label, share, end } = props;
  const [ended, setEnded] = useState(end);
  useEffect(() => {
    const timer = setTimeout(() => setEnded(end), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [end]);
  const announcement = `${label}: ${ended === null ? Math.floor(share * 10) * 10 : percent(share, 0)} %`;
  return (
    <VisuallyHidden role="status">
      {ended === null ? announcement : `${announcement}. ${ended}`}
    </VisuallyHidden>
  );
}

/** How far a thing is: a line over the window's width and, below it, numbers (a `span` each, the number in `b`). */
export function ProgressHead(props: {
  readonly label: string;
  /** In [0, 1]. */
  readonly share: number;
  /** What that is a share of; left out: said by the other numbers. */
  readonly measure?: string;
  /** The state in words in which nothing moves it; null while something does. */
  readonly end: string | null;
  /** How long it took or will take; null where there is nothing to say. */
  readonly time: string | null;
  readonly children: ReactNode;
}) {
  const { label, share, measure, end, time } = props;
  return (
    <div className={styles.progress}>
      <ProgressLine label={label} share={share} isStill={end !== null} />
      <ProgressAnnouncement label={label} share={share} end={end} />
      <div className={styles.numbers} role="status" aria-live="off" aria-label="Progress in numbers">
        <span>
          <b>{percent(share, 0)}</b> %{measure !== undefined && ` ${measure}`}
        </span>
        {props.children}
        {time !== null && <span className={styles.time}>{time}</span>}
      </div>
    </div>
  );
}
