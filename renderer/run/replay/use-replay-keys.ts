import { useEffect, useRef } from 'react';
import type { Replay } from './use-replay';

/** Where Space and the comma mean something of their own. */
const OWN_KEYS =
  'button, a, [role="tab"], [role="combobox"], [role="radio"], input:not([type="range"]), textarea, select, [contenteditable="true"], [role="dialog"]';

/** Space plays and stops, comma and point go one node back and on; switched off where no tree is shown. */
export function useReplayKeys(replay: Replay, on: boolean): void {
  const latest = useRef(replay);
  latest.current = replay;
  useEffect(() => {
    if (!on) return;
    const pressed = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(OWN_KEYS) !== null) return;
      if (event.key === ' ') latest.current.togglePlay();
      else if (event.key === ',') latest.current.stepBy(-1);
      else if (event.key === '.') latest.current.stepBy(1);
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, [on]);
}
