import { Textarea } from '@mantine/core';
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import styles from './editor.module.css';
import { type AtHandNames, type Completions, completionsAt } from './exhibit-completion';
import { lineOf } from './exhibit-text';

/** A problem at its line, from 1. */
export type LineProblem = { readonly line: number; readonly message: string };

type FieldProps = {
  readonly area: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly problems: readonly LineProblem[];
  readonly names: AtHandNames;
  readonly onChange: (text: string) => void;
};

/** Names are offered while a value is typed, or with Ctrl+Space; the arrows choose, Enter and Tab take, Escape closes. */
function useCompletions({ area, text, names, onChange }: Omit<FieldProps, 'problems'>) {
  const [offered, setOffered] = useState<Completions | null>(null);
  const [chosen, setChosen] = useState(0);
  // Text that is set from outside, or accepted from a list, is not typing.
  const isTyped = useRef(false);
  const close = (): void => setOffered(null);
  const offer = (value: string): void => {
    setOffered(completionsAt(value, area.current?.selectionStart ?? 0, names));
    setChosen(0);
  };
  const take = (at: number): void => {
    const option = offered?.options[at];
    const field = area.current;
    if (offered === null || option === undefined || field === null) return;
    close();
    field.focus();
    field.setSelectionRange(offered.from, offered.to);
    isTyped.current = false;
    // Unlike setRangeText it can be undone.
    if (document.execCommand?.('insertText', false, option.value)) return;
    field.setRangeText(option.value, offered.from, offered.to, 'end');
    onChange(field.value);
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    isTyped.current = true;
    const isRequested = event.key === ' ' && event.ctrlKey;
    if (!isRequested && (offered === null || event.ctrlKey || event.metaKey)) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const count = offered?.options.length ?? 1;
    if (isRequested) offer(text);
    else if (step !== 0) setChosen((chosen + step + count) % count);
    else if (event.key === 'Enter' || event.key === 'Tab') take(chosen);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const change = (value: string): void => {
    onChange(value);
    if (isTyped.current) offer(value);
  };
  return { offered, chosen, close, take, press, change };
}

/** A file's text: what is wrong is said behind its line, and names are completed. */
export function ExhibitField(props: FieldProps) {
  const { area, text, problems } = props;
  const [scroll, setScroll] = useState({ left: 0, top: 0 });
  const { offered, chosen, close, take, press, change } = useCompletions(props);
  const lines = text.split('\n');
  return (
    <div className={styles.field}>
      <Textarea
        ref={area}
        className={styles.area ?? ''}
        aria-label="The exhibit's file"
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        wrap="off"
        value={text}
        onKeyDown={press}
        onBlur={close}
        onClick={close}
        onScroll={({ currentTarget }) => {
          setScroll({ left: currentTarget.scrollLeft, top: currentTarget.scrollTop });
        }}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
      <div className={styles.over} aria-hidden="true">
        <div style={{ transform: `translate(${-scroll.left}px, ${-scroll.top}px)` }}>
          {problems.map(({ line, message }) => (
            <span
              key={line}
              className={styles.wrong}
              style={{ top: `${line - 1}lh`, left: `${(lines[line - 1]?.length ?? 0) + 2}ch` }}
            >
              {message}
            </span>
          ))}
          {offered !== null && <Offered offered={offered} chosen={chosen} text={text} onTake={take} />}
        </div>
      </div>
      <span className={styles.spoken} role="status">
        {offered !== null && `${offered.options[chosen]?.value}, ${chosen + 1} of ${offered.options.length}`}
      </span>
    </div>
  );
}

function Offered(props: {
  readonly offered: Completions;
  readonly chosen: number;
  readonly text: string;
  readonly onTake: (at: number) => void;
}) {
  const { offered, chosen, text, onTake } = props;
  const line = lineOf(text, offered.from);
  const column = offered.from - (text.lastIndexOf('\n', offered.from - 1) + 1);
  return (
    <ul className={styles.offered} style={{ top: `${line}lh`, left: `${column}ch` }}>
      {offered.options.map(({ value, hint }, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the field choose, and the status says what is chosen
        <li
          key={`${value} ${hint}`}
          data-chosen={at === chosen || undefined}
          // Before the field loses the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(at)}
        >
          {value}
          {hint !== '' && <small>{hint}</small>}
        </li>
      ))}
    </ul>
  );
}
