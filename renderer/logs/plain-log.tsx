import { useEffect, useRef } from 'react';
import { leftOutText } from '../../preload/contract/folds/left-out-text';
import { bytes } from '../widgets/index';
import { isLeftOut } from './log-lines';
import classes from './log-pane.module.css';
import type { LogView } from './log-view';

/** Characters of the view as plain text. */
const PLAIN_CHARS = 512 * 1024;

/** The newest of the loaded lines. */
export function plainText({ items, leftOut }: LogView): string {
  return items
    .map((item) =>
      item.kind === 'line'
        ? item.text
        : isLeftOut(item, leftOut)
          ? leftOutText(leftOut)
          : `[${bytes(item.bytes)} skipped]`,
    )
    .join('\n')
    .slice(-PLAIN_CHARS);
}

/** The loaded lines as plain text, for screen readers, selecting and copying. */
export function PlainLog(props: {
  readonly label: string;
  readonly text: string;
  readonly follows: boolean;
}) {
  const { label, text, follows } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (follows && area.current !== null) area.current.scrollTop = area.current.scrollHeight;
  });
  return (
    <textarea
      ref={area}
      className={classes.plain}
      readOnly
      value={text}
      aria-label={`${label}, plain text`}
    />
  );
}
