import { Button } from '@mantine/core';
import { useState } from 'react';
import { CopyTextButton } from '../../widgets/copy-text';
import classes from './value-block.module.css';
import { visiblePieces } from './visible-text';

/** Characters shown of a long value before "Show all". */
const FIRST_CHARS = 4_000;

/** A test's value; `marks` makes whitespace visible that can change a verdict. */
export function ValueBlock(props: { name: string; value: string; marks: boolean; tone?: 'bad' }) {
  const { name, value, marks, tone } = props;
  const [isExpanded, setExpanded] = useState(false);
  const shown = isExpanded ? value : value.slice(0, FIRST_CHARS);
  return (
    <div>
      <div className={classes.valueHead}>
        <span>{name}</span>
        <CopyTextButton label={`Copy ${name.toLowerCase()}`} read={() => value} />
      </div>
      {/* A group: as sections the values of all tests would be landmarks of the same name. */}
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/noNoninteractiveTabindex: no fieldset; a box that scrolls must be reachable by keyboard */}
      <div role="group" className={classes.valueText} data-tone={tone} tabIndex={0} aria-label={name}>
        <pre>
          {value === '' ? (
            <span className={classes.nothing}>empty</span>
          ) : marks ? (
            <Pieces text={shown} />
          ) : (
            shown
          )}
        </pre>
      </div>
      {shown.length < value.length && (
        <Button variant="subtle" size="compact-xs" onClick={() => setExpanded(true)}>
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
