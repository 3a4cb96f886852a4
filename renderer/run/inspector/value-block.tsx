import { Button } from '@mantine/core';
import { useState } from 'react';
import { CopyTextButton } from '../../widgets/copy-text';
import classes from './node-inspector.module.css';
import { visiblePieces } from './visible-text';

/** Characters shown of a long value before "Show all". */
const FIRST_CHARS = 4_000;

/** A test's value; `marks` makes whitespace visible that can change a verdict. */
export function ValueBlock(props: { name: string; value: string; marks: boolean; tone?: 'bad' }) {
  const { name, value, marks, tone } = props;
  const [whole, setWhole] = useState(false);
  const shown = whole ? value : value.slice(0, FIRST_CHARS);
  return (
    <div className={classes.value}>
      <div className={classes.valueHead}>
        <span>{name}</span>
        <CopyTextButton label={`Copy ${name.toLowerCase()}`} read={() => value} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section className={classes.valueText} data-tone={tone} tabIndex={0} aria-label={name}>
        <pre>
          {value === '' ? (
            <span className={classes.nothing}>empty</span>
          ) : marks ? (
            <Pieces text={shown} />
          ) : (
            shown
          )}
        </pre>
      </section>
      {shown.length < value.length && (
        <Button variant="subtle" size="compact-xs" onClick={() => setWhole(true)}>
          Show all {value.length.toLocaleString('en')} characters
        </Button>
      )}
    </div>
  );
}

function Pieces({ text }: { text: string }) {
  return visiblePieces(text).map((piece, i) =>
    piece.kind === 'plain' ? (
      piece.text
    ) : (
      // The style sheet draws the mark over the real characters, which can still be selected and copied.
      <span key={i} className={classes.mark} data-mark={piece.mark} title={piece.name}>
        {piece.text}
      </span>
    ),
  );
}
