import { drawZoomedOut, drawZoomedOutHighlights } from './draw-tree';
import type { TreeScene } from './tree-scene';

/**
 * Caches the zoomed-out tree without highlights. While only highlights change, painting is one copy instead of ten
 * thousand nodes.
 */
export class TreeBackdrop {
  #canvas: HTMLCanvasElement | null = null;
  #isFresh = false;

  /** Call when anything but the highlights has changed. */
  invalidate(): void {
    this.#isFresh = false;
  }

  /** Paints the scene on `context`, whose canvas is scaled by `ratio`. */
  paint(context: CanvasRenderingContext2D, scene: TreeScene, ratio: number): void {
    const backdrop = this.#drawn(context.canvas, scene, ratio);
    if (backdrop === null) return;
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalCompositeOperation = 'copy';
    context.drawImage(backdrop, 0, 0);
    context.restore();
    drawZoomedOutHighlights(context, scene);
  }

  #drawn({ width, height }: HTMLCanvasElement, scene: TreeScene, ratio: number): HTMLCanvasElement | null {
    this.#canvas ??= document.createElement('canvas');
    const canvas = this.#canvas;
    if (this.#isFresh && canvas.width === width && canvas.height === height) return canvas;
    const context = canvas.getContext('2d');
    if (context === null) return null;
    canvas.width = width;
    canvas.height = height;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawZoomedOut(context, scene);
    this.#isFresh = true;
    return canvas;
  }
}
