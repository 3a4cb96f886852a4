import styles from './sentence-list.module.css';

/** Sentences, one per line. */
export function SentenceList(props: {
  readonly label: string;
  readonly sentences: readonly string[];
  /** What is said where there is nothing to say yet; nothing without it. */
  readonly empty?: string;
}) {
  const { label, sentences, empty } = props;
  if (sentences.length === 0) return empty && <p className={styles.empty}>{empty}</p>;
  return (
    <ul className={styles.sentences} aria-label={label}>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
