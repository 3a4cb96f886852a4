import type { Verdict } from '../../../preload/contract';
import type { PlacedAgent } from '../../shared/studies';
import { type AgentShape, agentStyle, verdictStyle } from '../../theme';
import { cssColor } from '../../widgets/css-color';
import { CHIP_FONT } from './tree-scene';

export type VerdictPaint = { readonly glyph: string; readonly color: string };

/** Theme colours and fonts as plain values, since a canvas does not support CSS variables. */
export type TreePalette = {
  readonly ink: string;
  readonly dim: string;
  readonly line: string;
  readonly surface: string;
  readonly chip: string;
  readonly accent: string;
  readonly agents: ReadonlyMap<string, { readonly shape: AgentShape; readonly color: string }>;
  readonly verdict: (verdict: Verdict | null) => VerdictPaint;
  readonly fontFamily: string;
  /** Width of a digit of the index, in CHIP_FONT at its heaviest, pixels. */
  readonly digitWidth: number;
};

/** Reads the current theme of this element; call again when the theme changes. */
export function readPalette(element: HTMLCanvasElement, agents: readonly PlacedAgent[]): TreePalette {
  const color = (token: string): string => cssColor(element, token);
  const paints = new Map<Verdict | null, VerdictPaint>();
  const verdict = (of: Verdict | null): VerdictPaint => {
    let paint = paints.get(of);
    if (paint === undefined) {
      const { glyph, token } = verdictStyle(of);
      paint = { glyph, color: color(token) };
      paints.set(of, paint);
    }
    return paint;
  };
  const { fontFamily } = getComputedStyle(element);
  return {
    ink: color('--text'),
    dim: color('--text-soft'),
    line: color('--line-strong'),
    surface: color('--surface'),
    chip: color('--sunken'),
    accent: color('--accent'),
    agents: new Map(
      agents.map(({ id, position }) => {
        const style = agentStyle(position);
        return [id, { shape: style.shape, color: color(style.color) }];
      }),
    ),
    verdict,
    fontFamily,
    digitWidth: digitWidth(element, fontFamily),
  };
}

/** Measured, since the window's font may be one of the system's. */
function digitWidth(canvas: HTMLCanvasElement, fontFamily: string): number {
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser has no 2D canvas');
  context.font = `700 ${CHIP_FONT}px ${fontFamily}`;
  return context.measureText('0123456789').width / 10;
}
