import styles from './middle-ellipsis.module.css';

/** Texts such as "MARTI, Qwen3-8B, batch 512" and "python train.py --config qwen.yaml" differ in their ends. */
const END = 10;

/** Where the end begins: with a whole word, unless that is long. */
function endOf(text: string): number {
  const word = text.lastIndexOf(' ', text.length - END);
  return text.length - word <= 2 * END ? word : text.length - END;
}

/** A text in one line. Where it is too long it is cut before its end, not at it. */
export function MiddleEllipsis({ text }: { readonly text: string }) {
  if (text.length <= 2 * END) return text;
  const end = endOf(text);
  return (
    <span className={styles.text} title={text}>
      <span>{text.slice(0, end)}</span>
      <span>{text.slice(end)}</span>
    </span>
  );
}
