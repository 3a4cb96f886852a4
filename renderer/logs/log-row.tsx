import { memo, type ReactNode } from 'react';
import { leftOutText } from '../../preload/contract/folds/left-out-text';
import type { LeftOutPart } from '../../preload/contract/job';
import { bytes, plural } from '../widgets/index';
import { type Span, spansOf, withoutTabs } from './control-sequences';
import { isLeftOut, type LogLine, type SkippedPart } from './log-lines';
import classes from './log-rows.module.css';
import { timeOf } from './log-times';

/** Bytes of the file that are not among the lines. */
export function SkippedRow(props: {
  readonly part: SkippedPart;
  readonly leftOut: LeftOutPart | null;
  readonly onGoTo: (offset: number) => void;
}) {
  const { part, leftOut } = props;
  const { offset, bytes: size } = part;
  if (isLeftOut(part, leftOut)) {
    return <span className={classes.skipped}>{leftOutText(leftOut)}</span>;
  }
  return (
    <span className={classes.skipped}>
      {bytes(size)} came too fast to show; they are in the file.
      <button type="button" onClick={() => props.onGoTo(offset)}>
        Read them
      </button>
    </span>
  );
}

export const LineRow = memo(function LineRow(props: {
  readonly line: LogLine;
  readonly times: boolean;
  readonly marked: string;
}) {
  const { line, times, marked } = props;
  const time = times ? timeOf(line) : null;
  return (
    <>
      {times && (
        <time
          className={classes.time}
          data-arrival={time?.isArrival || undefined}
          title={time?.isArrival === true ? 'When it arrived here' : undefined}
        >
          {time?.text ?? ''}
        </time>
      )}
      <span className={classes.text}>
        {line.text === '' ? ' ' : spansOf(line.styled).map((span, at) => drawn(span, marked, at))}
        {line.folds > 0 && (
          <small
            className={classes.folds}
            title={`${plural(line.folds, 'earlier state')} of this line overwritten, as a progress bar does`}
          >
            {` ↻ ${line.folds}`}
          </small>
        )}
      </span>
    </>
  );
});

function drawn(span: Span, marked: string, key: number): ReactNode {
  const text = withoutTabs(span.text);
  return (
    <span
      key={key}
      data-tone={span.tone ?? undefined}
      data-strong={span.strong || undefined}
      data-soft={span.soft || undefined}
    >
      {marked === '' ? text : withMarks(text, marked)}
    </span>
  );
}

function withMarks(text: string, marked: string): ReactNode {
  const lower = text.toLowerCase();
  if (lower.length !== text.length) return text; // a letter whose small form is longer: nothing is marked
  const parts: ReactNode[] = [];
  let from = 0;
  for (;;) {
    const at = lower.indexOf(marked, from);
    if (at === -1) break;
    if (at > from) parts.push(text.slice(from, at));
    parts.push(<mark key={at}>{text.slice(at, at + marked.length)}</mark>);
    from = at + marked.length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}
