import { assertNever } from '../../preload/contract/assert-never';
import { withQuery } from './route-query';

/** At which scale an exhibit is looked at and reproduced. */
export type ExhibitScale = 'pocket' | 'paper';

export const EXHIBIT_PANELS = ['steps', 'plan', 'decisions'] as const;
/** What the drawer beside an exhibit shows. */
export type ExhibitPanel = (typeof EXHIBIT_PANELS)[number];

export type ExhibitRoute =
  | { readonly kind: 'exhibits' }
  | {
      readonly kind: 'exhibit';
      readonly exhibitId: string;
      readonly scale: ExhibitScale;
      /** Left out: the newest at this scale. */
      readonly reproductionId?: string;
      /** Left out: the drawer is shut. */
      readonly panel?: ExhibitPanel;
      /** "row.column" of a cell, or the id of a series. */
      readonly cell?: string;
    }
  /** The exhibit that it fills, as it fills it. */
  | { readonly kind: 'reproduction'; readonly reproductionId: string }
  /** The editor of an exhibit of the lab's own. */
  | { readonly kind: 'edit-exhibit'; readonly exhibitId: string }
  /** The editor, with a copy of this exhibit; null: with the template. */
  | { readonly kind: 'new-exhibit'; readonly from: string | null };

/** The place of the parts of an address of an exhibit or a reproduction, or null. */
export function parseExhibitPath(parts: readonly string[], query: URLSearchParams): ExhibitRoute | null {
  const [first, second, ...rest] = parts;
  if (rest.length > 0) return null;
  if (first === 'new-exhibit' && second === undefined)
    return { kind: 'new-exhibit', from: query.get('from') };
  if (first === 'edit-exhibit' && second !== undefined) return { kind: 'edit-exhibit', exhibitId: second };
  if (first === 'reproductions') {
    return second === undefined ? { kind: 'exhibits' } : { kind: 'reproduction', reproductionId: second };
  }
  if (first !== 'exhibits') return null;
  if (second === undefined) return { kind: 'exhibits' };
  const reproductionId = query.get('reproduction');
  const panel = EXHIBIT_PANELS.find((one) => one === query.get('panel'));
  const cell = query.get('cell');
  return {
    kind: 'exhibit',
    exhibitId: second,
    scale: query.get('scale') === 'paper' ? 'paper' : 'pocket',
    ...(reproductionId === null ? {} : { reproductionId }),
    ...(panel === undefined ? {} : { panel }),
    ...(cell === null ? {} : { cell }),
  };
}

/** `parseExhibitAddress` gives the place back. */
export function pathOfExhibit(place: ExhibitRoute): string {
  const part = encodeURIComponent;
  switch (place.kind) {
    case 'exhibits':
      return '/exhibits';
    case 'exhibit':
      return withQuery(`/exhibits/${part(place.exhibitId)}`, {
        scale: place.scale === 'pocket' ? null : place.scale,
        reproduction: place.reproductionId ?? null,
        panel: place.panel ?? null,
        cell: place.cell ?? null,
      });
    case 'reproduction':
      return `/reproductions/${part(place.reproductionId)}`;
    case 'edit-exhibit':
      return `/edit-exhibit/${part(place.exhibitId)}`;
    case 'new-exhibit':
      return withQuery('/new-exhibit', { from: place.from });
    default:
      return assertNever(place);
  }
}
