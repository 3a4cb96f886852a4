import { ActionIcon, Tooltip } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type MouseEvent, useRef } from 'react';
import type { TerminalView } from '../../preload/contract/terminal';
import styles from './terminals.module.css';

const STATES: Readonly<Record<TerminalView['state']['kind'], { glyph: string; text: string }>> = {
  open: { glyph: '', text: 'open' },
  detached: { glyph: '?', text: 'not connected' },
  ended: { glyph: '–', text: 'ended' },
};

/** Arrow keys move between tabs, Enter or arrow down focuses the terminal, Delete closes. */
export function TerminalTabs(props: {
  readonly views: readonly TerminalView[];
  readonly chosen: string | null;
  readonly onChoose: (terminalId: string) => void;
  readonly onEnter: () => void;
  readonly onClose: (terminalId: string) => void;
}) {
  const { views, chosen, onChoose, onEnter, onClose } = props;
  const list = useRef<HTMLDivElement>(null);
  const goTo = (at: number): void => {
    const view = views.at(at % views.length);
    if (view === undefined) return;
    onChoose(view.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${view.id}"]`)?.focus();
  };
  const pressed = (event: KeyboardEvent, at: number, id: string): void => {
    if (event.key === 'ArrowRight') goTo(at + 1);
    else if (event.key === 'ArrowLeft') goTo(at - 1);
    else if (event.key === 'Home') goTo(0);
    else if (event.key === 'End') goTo(-1);
    else if (event.key === 'ArrowDown' || event.key === 'Enter') onEnter();
    else if (event.key === 'Delete') onClose(id);
    else return;
    event.preventDefault();
  };
  return (
    <div ref={list} className={styles.tabs} role="tablist" aria-label="Terminals">
      {views.map((view, at) => {
        const { id, title, state } = view;
        const appearance = STATES[state.kind];
        const isChosen = id === chosen;
        return (
          <div key={id} className={styles.tab} data-chosen={isChosen || undefined} role="presentation">
            <button
              type="button"
              role="tab"
              data-tab={id}
              aria-selected={isChosen}
              aria-label={state.kind === 'open' ? title : `${title}, ${appearance.text}`}
              tabIndex={isChosen ? 0 : -1}
              onClick={() => onChoose(id)}
              onAuxClick={(event: MouseEvent) => {
                if (event.button === 1) onClose(id);
              }}
              onKeyDown={(event) => pressed(event, at, id)}
            >
              {appearance.glyph !== '' && <i aria-hidden="true">{appearance.glyph}</i>}
              <span>{title}</span>
            </button>
            {/* For the mouse alone: by the keyboard Delete closes a tab, and a list of tabs holds nothing else. */}
            <Tooltip label="Close (Ctrl Shift W)">
              <ActionIcon size={18} tabIndex={-1} aria-hidden="true" onClick={() => onClose(id)}>
                <IconX size={12} stroke={1.8} />
              </ActionIcon>
            </Tooltip>
          </div>
        );
      })}
    </div>
  );
}
