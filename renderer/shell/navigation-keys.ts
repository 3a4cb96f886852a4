import { useHotkeys } from '@mantine/hooks';
import { useEffect } from 'react';
import type { WorkbenchState } from '../state/index';

/** Mouse buttons at the side. */
const BACK_BUTTON = 3;
const FORWARD_BUTTON = 4;

/** Back and forward by Alt+arrows and the side buttons of a mouse; "?" shows the keys. */
export function useNavigationKeys(location: WorkbenchState['location'], onKeys: () => void): void {
  useHotkeys(
    [
      ['alt+ArrowLeft', () => location.back()],
      ['alt+ArrowRight', () => location.forward()],
      ['shift+?', onKeys, { usePhysicalKeys: false }],
      ['?', onKeys],
    ],
    ['INPUT', 'TEXTAREA', 'SELECT'],
  );
  useEffect(() => {
    const released = (event: MouseEvent): void => {
      if (event.button !== BACK_BUTTON && event.button !== FORWARD_BUTTON) return;
      event.preventDefault(); // a browser would go back once more by itself
      if (event.button === BACK_BUTTON) location.back();
      else location.forward();
    };
    window.addEventListener('mouseup', released);
    return () => window.removeEventListener('mouseup', released);
  }, [location]);
}
