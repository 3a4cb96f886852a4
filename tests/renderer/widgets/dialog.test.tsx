import { useState } from 'react';
import { expect, test } from 'vitest';
import { Dialog } from '../../../renderer/widgets';
import { renderScreen } from '../../support/rendered-screen';

function Asking() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Rename
      </button>
      {isOpen && (
        <Dialog opened onClose={() => setOpen(false)} title="New name">
          <button type="button" onClick={() => setOpen(false)}>
            Keep it
          </button>
        </Dialog>
      )}
    </>
  );
}

test('when a dialog goes, the keyboard goes on where it was opened', async () => {
  const screen = await renderScreen(<Asking />);
  screen.control('Rename').focus();
  await screen.click('Rename');
  screen.control('Keep it').focus();
  await screen.click('Keep it');
  await expect.poll(() => document.activeElement?.textContent).toBe('Rename');
});
