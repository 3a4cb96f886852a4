import styles from './state-mark.module.css';

export type MarkTone = 'active' | 'good' | 'quiet' | 'bad' | 'unsure';

const GLYPHS: Readonly<Record<MarkTone, string>> = {
  active: '●',
  good: '✓',
  quiet: '–',
  bad: '!',
  unsure: '?',
};

/** A state in words with a glyph of its tone; the tone's colour is never the only sign. */
export function StateMark(props: { readonly tone: MarkTone; readonly text: string }) {
  return (
    <span className={styles.state} data-tone={props.tone}>
      <i aria-hidden="true">{GLYPHS[props.tone]}</i>
      <span title={props.text}>{props.text}</span>
    </span>
  );
}
