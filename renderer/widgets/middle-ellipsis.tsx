import styles from './middle-ellipsis.module.css';

/** Texts such as "MARTI, Qwen3-8B, batch 512" and "python train.py --config qwen.yaml" differ in their ends. */
const END = 10;

/** A text in one line. Where it is too long it is cut before its end, not at it. */
export function MiddleEllipsis({ text }: { readonly text: string }) {
  if (text.length <= 2 * END) return text;
  return (
    <span className={styles.text} title={text}>
      <span>{text.slice(0, -END)}</span>
      <span>{text.slice(-END)}</span>
    </span>
  );
}
