import type { Exhibit } from '../../../preload/contract/index';
import { exhibitTitle } from './exhibit-tables';
import { paperBasis } from './reading';
import { secondHandNote } from './source-notes';

/** The paper, the place in it, where its values were read, and on what it measured, as far as that is known; "": no exhibit. */
export function paperText(exhibit: Exhibit | null): string {
  if (exhibit === null) return '';
  const basis = paperBasis(exhibit);
  const { cells, series } = exhibit;
  const read = [...cells, ...series].flatMap(({ reference }) => reference.map(({ source }) => source));
  const sources = [...new Set(read)];
  return [
    `${exhibitTitle(exhibit)}.`,
    ...(sources.length === 0
      ? []
      : [`Its values were read in: ${sources.join('; ')}.${secondHandNote(sources)}`]),
    ...(basis === '' ? [] : [`Measured there on ${basis}.`]),
  ].join(' ');
}
