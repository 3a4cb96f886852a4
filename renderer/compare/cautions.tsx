import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import styles from './compare.module.css';

/** In sight before the rest is asked for. */
const MOST = 3;

/** Why some of what is chosen should not be compared. */
export function Cautions(props: { readonly sentences: readonly string[] }) {
  const { sentences } = props;
  const [all, setAll] = useState(false);
  if (sentences.length === 0) return null;
  const shown = all ? sentences : sentences.slice(0, MOST);
  return (
    <div className={styles.cautions} role="note" aria-label="Why these may not be compared">
      <IconAlertTriangle size={14} aria-hidden="true" />
      <ul>
        {shown.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {shown.length < sentences.length && (
        <button type="button" onClick={() => setAll(true)}>
          {sentences.length - shown.length} more
        </button>
      )}
    </div>
  );
}
