import styles from './unbroken.module.css';

/**
 * A text of commands, files or models, which breaks at spaces and before a slash, but not at a hyphen: "--threads" and
 * "Qwen3-32B" stay whole where a line can hold them.
 */
export function Unbroken({ text }: { readonly text: string }) {
  return unbrokenParts(text).map(({ start, text: part, isWhole }) =>
    isWhole ? (
      <span key={start} className={styles.whole}>
        {part}
      </span>
    ) : (
      part
    ),
  );
}

/** The text cut into parts; only those with a hyphen or a slash would break elsewhere than at a space. */
export function unbrokenParts(
  text: string,
): readonly { readonly start: number; readonly text: string; readonly isWhole: boolean }[] {
  return [...text.matchAll(/\/?[^\s/]+|\s+|\//g)].map(({ 0: part, index }) => ({
    start: index,
    text: part,
    isWhole: /[^\s]/.test(part) && /[-/]/.test(part),
  }));
}
