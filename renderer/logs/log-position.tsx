import { Button, Popover, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { LogSource } from '../state/index';
import { bytes, percent } from '../widgets/index';
import { findTime } from './find-time';
import classes from './log-pane.module.css';
import { parseTarget } from './log-target';
import type { LogView } from './log-view';

/** Size of the file and position in it; a click asks where to go: line, time, percentage or byte. */
export function LogPosition(props: {
  readonly source: LogSource;
  readonly view: LogView;
  /** The byte at the top of the view. */
  readonly top: number;
  readonly onGoTo: (offset: number) => void;
}) {
  const { source, view, top, onGoTo } = props;
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const isComplete = view.from === 0 && view.to >= view.size;
  const share = view.size === 0 ? 0 : top / view.size;
  const positionText = isComplete || view.follows ? '' : ` · at ${percent(share, 0)} %`;
  const target = parseTarget(typed, view.size);
  const usable = target !== null && (target.kind !== 'line' || source.findLine !== null);
  const go = async (): Promise<void> => {
    if (target === null || !usable) return;
    setFailure(null);
    if (target.kind === 'byte') {
      onGoTo(target.offset);
      setOpen(false);
      return;
    }
    setBusy(true);
    const position =
      target.kind === 'time' ? await findTime(source.read, view.size, target.moment) : await byLine();
    setBusy(false);
    if (!position.ok) return setFailure(position.message);
    onGoTo(position.offset);
    setOpen(false);

    async function byLine() {
      const line = target?.kind === 'line' ? target.line : 1;
      const answer = await source.findLine?.(line);
      if (answer === undefined)
        return { ok: false as const, message: 'This log cannot be searched by line.' };
      if (!answer.ok) return { ok: false as const, message: answer.error.message };
      return answer.value.isThere
        ? { ok: true as const, offset: answer.value.offset }
        : { ok: false as const, message: 'The log has fewer lines.' };
    }
  };
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-start" shadow="none" trapFocus returnFocus>
      <Popover.Target>
        <button
          type="button"
          className={classes.position}
          title="Go to a line, time or position (Ctrl+G)"
          aria-label={`Size ${bytes(view.size)}${positionText}. Go to a position in the log`}
          data-go-to
          onClick={() => setOpen(!open)}
        >
          {bytes(view.size)}
          {positionText}
        </button>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <form
          className={classes.goTo}
          onSubmit={(event) => {
            event.preventDefault();
            if (!busy) void go();
          }}
        >
          <TextInput
            data-autofocus
            label="Go to"
            placeholder="line 1200, 09:31, 50 % or 1.2 GB"
            autoComplete="off"
            value={typed}
            error={
              failure ??
              (typed.trim() !== '' && !usable ? 'Enter a line, time, percentage or byte position' : undefined)
            }
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setFailure(null);
            }}
          />
          <input
            type="range"
            min={0}
            max={1000}
            aria-label="Position in the log"
            aria-valuetext={`${percent(share, 0)} %`}
            value={Math.round(share * 1000)}
            onChange={(event) => onGoTo(Math.floor((Number(event.currentTarget.value) / 1000) * view.size))}
          />
          <Button type="submit" loading={busy} disabled={!usable}>
            Go
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
