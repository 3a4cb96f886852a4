import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';

/**
 * A dialog that is mounted only while it is open. Its body is not its description, as with a form: a screen reader
 * would read all of it aloud before its first field.
 */
export function Dialog(props: ModalProps) {
  useReturnedFocus();
  return <Modal {...props} attributes={UNDESCRIBED} />;
}

/** The id by which Mantine has the body describe the dialog. */
export const UNDESCRIBED = { body: { id: undefined } };

/**
 * When the dialog or drawer that uses it goes, the keyboard continues where it was opened: Mantine gives the focus back
 * only of those that stay and close.
 */
export function useReturnedFocus(): void {
  const [opener] = useState(focusedOpener);
  useEffect(
    () => () => {
      // Once it is gone; and only where nothing else has taken the focus.
      setTimeout(() => {
        if (document.activeElement === document.body && opener?.isConnected === true) opener.focus();
      });
    },
    [opener],
  );
}

/** What has the focus; of a menu, which goes with the press, the button that opened it. */
function focusedOpener(): HTMLElement | null {
  const focused = document.activeElement;
  const menu = focused?.closest('[role="menu"]') ?? null;
  const opener =
    menu === null ? focused : document.getElementById(menu.getAttribute('aria-labelledby') ?? '');
  return opener instanceof HTMLElement ? opener : null;
}
