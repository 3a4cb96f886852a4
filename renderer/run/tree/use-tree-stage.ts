import { useReducedMotion } from '@mantine/hooks';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { AnswerRule, TreeView } from '../../../preload/contract';
import type { PlacedAgent } from '../../shared/studies';
import { onThemeChange } from '../../widgets/css-color';
import { listenToGestures } from './tree-gestures';
import { TreeStage } from './tree-stage';
import type { Point } from './tree-view';

/** The outline is updated after the view has been still for this long, milliseconds. */
const OUTLINE_DELAY_MS = 90;

/** The drawing of a tree on a canvas, and what the pointer does there. */
export function useTreeStage(
  {
    canvas,
    element,
  }: {
    readonly canvas: RefObject<HTMLCanvasElement | null>;
    /** Takes the gestures. */
    readonly element: RefObject<HTMLElement | null>;
  },
  shown: { readonly tree: TreeView; readonly agents: readonly PlacedAgent[]; readonly rule: AnswerRule },
  options: {
    /** Keeps the newest node in view. */
    readonly follow: boolean;
    readonly onPan: () => void;
    readonly onPress: (index: number) => void;
  },
) {
  const { tree, agents, rule } = shown;
  const [stage, setStage] = useState<TreeStage | null>(null);
  const [pane, setPane] = useState({ width: 0, height: 0 });
  /** Changes when the stage's view does. */
  const [viewVersion, setViewVersion] = useState(0);
  const [hover, setHover] = useState<{ readonly index: number; readonly at: Point } | null>(null);
  const reducedMotion = useReducedMotion();
  const latest = useRef({ ...shown, ...options });
  latest.current = { ...shown, ...options };

  const openStage = useCallback((): (() => void) | undefined => {
    const host = element.current;
    if (canvas.current === null || host === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const { tree: firstTree, agents: firstAgents } = latest.current;
    const created = new TreeStage(canvas.current, firstTree, firstAgents, () => {
      clearTimeout(timer);
      timer = setTimeout(() => setViewVersion((before) => before + 1), OUTLINE_DELAY_MS);
    });
    const size = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = host;
      created.resize({ width, height }, window.devicePixelRatio);
      setPane({ width, height });
    });
    size.observe(host);
    const refresh = (): void => created.refreshPalette();
    const endTheme = onThemeChange(refresh);
    // The first text of a canvas may come before its font.
    document.fonts.addEventListener('loadingdone', refresh);
    const endGestures = listenToGestures(host, {
      pan: (dx, dy) => {
        latest.current.onPan();
        created.pan(dx, dy);
      },
      zoomBy: (factor, point) => created.zoomBy(factor, point),
      press: (point) => {
        // A click outside of nodes keeps the selection: it sets the focus or starts a double click.
        const index = created.nodeAt(point);
        if (index !== null) latest.current.onPress(index);
      },
      doublePress: () => created.fit(),
      hover: (point) => {
        const index = point === null ? null : created.nodeAt(point);
        setHover((before) => {
          if (index === null || point === null) return null;
          return before?.index === index ? before : { index, at: point };
        });
      },
    });
    setStage(created);
    return () => {
      clearTimeout(timer);
      size.disconnect();
      endTheme();
      document.fonts.removeEventListener('loadingdone', refresh);
      endGestures();
      created.dispose();
    };
  }, [canvas, element]);
  useEffect(() => {
    let close: (() => void) | undefined;
    // In its own task: a large tree takes as long as the rest of the screen.
    const timer = setTimeout(() => {
      close = openStage();
    });
    return () => {
      clearTimeout(timer);
      close?.();
    };
  }, [openStage]);

  useEffect(() => stage?.setReducedMotion(reducedMotion), [stage, reducedMotion]);
  useEffect(() => stage?.setTree(tree, agents, rule), [stage, tree, agents, rule]);
  useEffect(() => stage?.setFollow(options.follow), [stage, options.follow]);

  return { stage, pane, viewVersion, hover };
}
