import type { ExhibitReference } from '../../../preload/contract/index';

/** A paper's percent or points as rates, so that a file has one unit. */
export function inUnitOfFile(value: number, unit: ExhibitReference['unit']): number {
  return unit === 'number' ? value : Number((value / 100).toPrecision(12));
}
