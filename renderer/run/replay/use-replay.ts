import { useCallback, useEffect, useRef, useState } from 'react';

/** Speeds, in nodes per second. */
export const SPEEDS = ['1', '4', '20', '100'] as const;
export type Speed = (typeof SPEEDS)[number];

/**
 * The route is updated after the slider has rested this long, milliseconds: browsers limit how often a page may change its
 * URL, and a slider moves at every frame.
 */
const REST_MS = 300;

export type Replay = {
  /** Number of nodes shown; null: the present, with private verdicts. */
  readonly moment: number | null;
  /** Number of nodes at present. */
  readonly total: number;
  readonly playing: boolean;
  readonly speed: Speed;
  readonly setSpeed: (speed: Speed) => void;
  /** `total` or more means the present. */
  readonly goTo: (moment: number) => void;
  readonly stepBy: (nodes: number) => void;
  /** Plays from the current position (from the start if at the present), or stops. */
  readonly togglePlay: () => void;
};

/** The replay of a search. `routeMoment`: from the route; `onMoment` writes it back once the slider rests. */
export function useReplay(options: {
  readonly total: number;
  readonly routeMoment: number | null;
  readonly onMoment: (moment: number | null) => void;
  /** A change stops the replay. */
  readonly treeId: string;
}): Replay {
  const { total, routeMoment, treeId } = options;
  const [moment, setMoment] = useState(routeMoment);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<Speed>('4');
  const latest = useRef({ ...options, moment });
  latest.current = { ...options, moment };

  useEffect(() => setMoment(routeMoment), [routeMoment]);
  useEffect(() => setPlaying(false), [treeId]);

  useEffect(() => {
    if (playing || moment === latest.current.routeMoment) return;
    const timer = setTimeout(() => latest.current.onMoment(moment), REST_MS);
    return () => clearTimeout(timer);
  }, [moment, playing]);

  useEffect(() => {
    if (!playing) return;
    const from = latest.current.moment ?? 0;
    let startedMs: number | null = null;
    const show = (now: number): void => {
      startedMs ??= now;
      const next = from + Math.floor(((now - startedMs) / 1_000) * Number(speed));
      if (next >= total) {
        setMoment(null);
        setPlaying(false);
        return;
      }
      setMoment(next);
      frame = requestAnimationFrame(show);
    };
    let frame = requestAnimationFrame(show);
    return () => cancelAnimationFrame(frame);
  }, [playing, speed, total]);

  const goTo = useCallback((next: number): void => {
    setPlaying(false);
    setMoment(next >= latest.current.total ? null : Math.max(0, next));
  }, []);
  const stepBy = useCallback(
    (nodes: number): void => goTo((latest.current.moment ?? latest.current.total) + nodes),
    [goTo],
  );
  const togglePlay = useCallback((): void => {
    if (latest.current.total === 0) return;
    setMoment((before) => before ?? 0);
    setPlaying((before) => !before);
  }, []);
  // A route may have more nodes than exist.
  const shown = moment !== null && moment >= total ? null : moment;
  return { moment: shown, total, playing, speed, setSpeed, goTo, stepBy, togglePlay };
}

/** Elements where Space and comma have their own meaning. */
const OWN_KEYS =
  'button, a, [role="tab"], [role="combobox"], [role="radio"], input:not([type="range"]), textarea, select, [contenteditable="true"], [role="dialog"]';

/** Space plays and stops; comma and period step. Disabled where no tree is shown. */
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
