import type { Exhibit, ExhibitMeasure, ExhibitResult, Scale } from '../../../preload/contract/index';
import { standInSentence } from '../../../preload/contract/plans/index';
import type { ExhibitSource } from './exhibit-tables';
import { measureMeaning, paperBasis } from './reading';
import { secondHandNote } from './source-notes';

export type FigureSource = ExhibitSource & {
  /** With the paper's names. */
  readonly paper: Exhibit;
  /** Colours of its lines (`lineHues`). */
  readonly hues: ReadonlyMap<string, number>;
};

/** "Pass@N: share of the problems ...". */
export function meaningText(label: string, measure: ExhibitMeasure): string {
  return `${label}: ${measureMeaning(measure)}.`;
}

/** For runs at hand, the scale of a run that is not at the paper's scale, if there is one. */
export function scaleOf({ scale, cells, series }: ExhibitSource['result']): Scale {
  if (scale !== 'own') return scale;
  const scales = [...cells, ...series].flatMap(({ atHand }) => atHand?.scale ?? []);
  return [...scales.filter((one) => one !== 'paper'), ...scales, scale][0] ?? scale;
}

/** Where the paper's values in a figure were read, and on what it measured them. */
export function paperLegend(
  exhibit: ExhibitSource['exhibit'],
  scale: ExhibitResult['scale'],
  references: readonly { readonly source: string }[],
): string[] {
  const sources = [...new Set(references.map(({ source }) => source))];
  if (sources.length === 0) return [];
  const basis = paperBasis(exhibit);
  const standIns = standInSentence(exhibit, scale);
  return [
    `Paper: ${sources.join('; ')}.${secondHandNote(sources)}${basis === '' ? '' : ` Measured there on ${basis}.`}`,
    ...(standIns === null
      ? []
      : [
          `Our values do not compare with the paper's, which are of its own models and problems. ${standIns}`,
        ]),
  ];
}
