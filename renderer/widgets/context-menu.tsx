import { Menu, Portal } from '@mantine/core';
import { type MouseEvent, type ReactNode, useCallback, useRef, useState } from 'react';

export type ContextAction = {
  readonly label: string;
  readonly run: () => void;
};

/** By a key it comes from what has the focus as a whole, with its middle as the place, where something else may lie. */
export function isByPointer({ button, ctrlKey }: MouseEvent): boolean {
  return button === 2 || ctrlKey;
}

type Opened = { readonly x: number; readonly y: number; readonly actions: readonly ContextAction[] };

/**
 * A menu under the pointer; Shift+F10 and the menu key open it too, at the element it is about. `label` names it for
 * screen readers. Give `menu` a place in the page, and call `openMenu` in onContextMenu.
 */
export function useContextMenu(label: string): {
  readonly openMenu: (event: MouseEvent, actions: readonly ContextAction[], about?: Element | null) => void;
  readonly menu: ReactNode;
} {
  const [opened, setOpened] = useState<Opened | null>(null);
  const before = useRef<Element | null>(null);
  const close = (): void => {
    setOpened(null);
    // What opened the menu from the page is gone with it: the keyboard continues where it was.
    if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
  };
  const openMenu = useCallback(
    (event: MouseEvent, actions: readonly ContextAction[], about?: Element | null): void => {
      // From a menu or dialog of the page's own the event comes up here, too: those lie elsewhere.
      const isHere = event.target instanceof Node && event.currentTarget.contains(event.target);
      if (actions.length === 0 || !isHere) return;
      event.preventDefault();
      before.current = document.activeElement;
      const box = (about ?? event.currentTarget).getBoundingClientRect();
      const inside =
        event.clientX >= box.left &&
        event.clientX <= box.right &&
        event.clientY >= box.top &&
        event.clientY <= box.bottom;
      // A key gives no place of its own.
      setOpened(
        inside
          ? { x: event.clientX, y: event.clientY, actions }
          : { x: box.left + 24, y: Math.min(box.bottom, window.innerHeight - 8), actions },
      );
    },
    [],
  );
  return { openMenu, menu: opened && <OpenMenu label={label} {...opened} onClose={close} /> };
}

function OpenMenu(props: Opened & { readonly label: string; readonly onClose: () => void }) {
  const { label, x, y, actions, onClose } = props;
  return (
    <Portal>
      <Menu
        opened
        position="bottom-start"
        offset={2}
        transitionProps={{ duration: 0 }}
        // The first entry has the focus: a placeholder before it would be no entry of a menu.
        withInitialFocusPlaceholder={false}
        onClose={onClose}
      >
        <Menu.Target>
          <button
            type="button"
            tabIndex={-1}
            aria-label={label}
            style={{ position: 'fixed', left: x, top: y, width: 0, height: 0, padding: 0, border: 0 }}
          />
        </Menu.Target>
        <Menu.Dropdown aria-label={label}>
          {actions.map(({ label: name, run }) => (
            <Menu.Item key={name} onClick={run}>
              {name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Portal>
  );
}
