import styles from './conclusion-list.module.css';
import { SentenceList } from './sentence-list';

/** A conclusion in one line; what it says about what was compared gives its colour. */
export type Chip = { readonly kind: keyof typeof MARKS; readonly text: string };

const MARKS = {
  difference: ['≠', 'Significant'],
  'no-difference': ['n.s.', 'Not significant'],
  interim: ['…', 'So far'],
  limit: ['!', 'Limit'],
} as const satisfies Record<string, readonly [mark: string, name: string]>;

/** Conclusions in a line each; a press shows the sentence behind one. Without chips the sentences themselves. */
export function ConclusionList(props: {
  readonly label: string;
  readonly sentences: readonly string[];
  readonly chips: readonly Chip[] | undefined;
  /** What is said where there is nothing to say yet; nothing without it. */
  readonly empty?: string;
}) {
  const { label, sentences, chips = [], empty } = props;
  if (chips.length !== sentences.length || chips.length === 0) {
    return <SentenceList label={label} sentences={sentences} {...(empty === undefined ? {} : { empty })} />;
  }
  return (
    <ul className={styles.conclusions} aria-label={label}>
      {chips.map(({ kind, text }, at) => {
        const [mark, name] = MARKS[kind];
        return (
          <li key={sentences[at]}>
            <details>
              <summary data-kind={kind}>
                <i role="img" aria-label={name} title={name}>
                  {mark}
                </i>
                {text}
              </summary>
              <p>{sentences[at]}</p>
            </details>
          </li>
        );
      })}
    </ul>
  );
}
