/** In the order in which they are offered. */
export const TABLE_FORMATS = ['csv', 'csv-long', 'latex', 'markdown', 'json'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];
export const FIGURE_FORMATS = ['svg', 'pdf', 'png', 'csv', 'json'] as const;
export type FigureFormat = (typeof FIGURE_FORMATS)[number];

export function jsonBytes(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}
