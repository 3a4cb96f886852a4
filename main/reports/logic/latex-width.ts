/** Widths of characters in Computer Modern, LaTeX's own typeface, as shares of the size; any other one is as wide as a figure. */
const WIDTHS: readonly (readonly [characters: string, width: number])[] = [
  ["ijl.,:;'|![]", 0.29],
  ['frst()-I ', 0.39],
  ['bdhnuEFLPS', 0.57],
  ['ABCDGHJKNOQRTUVXYZwm+=<>\u2212\u00d7\u00b1\u2265\u2264', 0.78],
  ['MW%@\u2026\u2192\u221e', 1],
];
const FIGURE = 0.5;

const widths = new Map(
  WIDTHS.flatMap(([characters, width]) => [...characters].map((one) => [one, width] as const)),
);

/** Small sizes of the typeface are wider for their height. */
const WIDER: Readonly<Record<7 | 8 | 10, number>> = { 7: 1.14, 8: 1.065, 10: 1 };

export type LatexSize = keyof typeof WIDER;

/** In points, about. */
export function latexWidth(text: string, size: LatexSize): number {
  const share = [...text].reduce((sum, character) => sum + (widths.get(character) ?? FIGURE), 0);
  return share * size * WIDER[size];
}
