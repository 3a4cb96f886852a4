import { type KeyboardEventHandler, type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './wide-table.module.css';

/**
 * A table of many columns. Wider than its place it scrolls by itself: the names of its rows stay in sight, the edge beyond
 * which there is more has a shadow, and the keyboard can reach and scroll it.
 */
export function WideTable(props: {
  readonly label: string;
  readonly className: string | undefined;
  /** Its cells are values, with what is said of each below it in `small`. */
  readonly numbers?: boolean;
  readonly onKeyDown?: KeyboardEventHandler;
  /** Head and bodies of the table. */
  readonly children: ReactNode;
}) {
  const { label, className, numbers, onKeyDown, children } = props;
  const box = useRef<HTMLDivElement>(null);
  const [more, setMore] = useState({ left: false, right: false });
  useEffect(() => {
    const shown = box.current;
    if (shown === null) return;
    const look = (): void => {
      const { scrollLeft, scrollWidth, clientWidth } = shown;
      // Positions may be fractions of a pixel.
      const next = { left: scrollLeft > 1, right: scrollLeft + clientWidth < scrollWidth - 1 };
      setMore((before) => (before.left === next.left && before.right === next.right ? before : next));
    };
    const sizes = new ResizeObserver(look);
    for (const element of [shown, ...shown.children]) sizes.observe(element);
    shown.addEventListener('scroll', look, { passive: true });
    look();
    return () => {
      sizes.disconnect();
      shown.removeEventListener('scroll', look);
    };
  }, []);
  const scrolls = more.left || more.right;
  return (
    <div className={styles.frame} data-left={more.left || undefined} data-right={more.right || undefined}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys walk the buttons inside */}
      <div
        ref={box}
        className={styles.wide}
        onKeyDown={onKeyDown}
        {...(scrolls && { role: 'region', tabIndex: 0, 'aria-label': `${label}, scrolls sideways` })}
      >
        <table className={numbers ? `${styles.numbers} ${className}` : className} aria-label={label}>
          {children}
        </table>
      </div>
    </div>
  );
}
