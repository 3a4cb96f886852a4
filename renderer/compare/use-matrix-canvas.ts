import { type RefObject, useEffect, useRef, useState } from 'react';
import { onThemeChange } from '../widgets/css-color';
import { drawMatrix, type MatrixPalette, readMatrixPalette } from './draw-matrix';
import type { MatrixWindow } from './solve-geometry';

/** A canvas that shows the part of the matrix to which its box is scrolled. */
export function useMatrixCanvas(
  box: RefObject<HTMLElement | null>,
  scrolled: () => MatrixWindow,
  shown: Omit<Parameters<typeof drawMatrix>[1], 'window' | 'palette'>,
): RefObject<HTMLCanvasElement | null> {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [palette, setPalette] = useState<MatrixPalette | null>(null);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const read = (): void => setPalette(readMatrixPalette(element));
    read();
    return onThemeChange(read);
  }, []);

  const paint = (): void => {
    const element = canvas.current;
    const context = element?.getContext('2d') ?? null;
    if (element === null || context === null || palette === null) return;
    const window = scrolled();
    const ratio = globalThis.devicePixelRatio;
    const [wide, high] = [Math.round(window.width * ratio), Math.round(window.height * ratio)];
    if (element.width !== wide) element.width = wide;
    if (element.height !== high) element.height = high;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawMatrix(context, { ...shown, window, palette });
  };
  const latest = useRef(paint);
  latest.current = paint;
  useEffect(() => latest.current());
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    let frame = 0;
    const repaint = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => latest.current());
    };
    element.addEventListener('scroll', repaint, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      element.removeEventListener('scroll', repaint);
    };
  }, []);
  return canvas;
}
