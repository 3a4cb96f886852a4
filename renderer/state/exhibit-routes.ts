import { assertNever } from '../../preload/contract/assert-never';
import { withQuery } from './route-query';

/** The scale at which an exhibit is shown and reproduced. */
export type ExhibitScale = 'pocket' | 'paper';

export const EXHIBIT_PANELS = ['steps', 'plan', 'decisions'] as const;
/** The content of the drawer next to an exhibit. */
export type ExhibitPanel = (typeof EXHIBIT_PANELS)[number];

export type ExhibitRoute =
  | { readonly kind: 'exhibits' }
  | {
      readonly kind: 'exhibit';
      readonly exhibitId: string;
      readonly scale: ExhibitScale;
      /** Left out: the newest at this scale. */
      readonly reproductionId?: string;
      /** Left out: the drawer is closed. */
      readonly panel?: ExhibitPanel;
      /** "row.column" of a cell, or the id of a series. */
      readonly cell?: string;
      /** The one that is opened with it. */
      readonly dialog?: 'export';
    }
  /** Shows the exhibit that the reproduction fills. */
  | { readonly kind: 'reproduction'; readonly reproductionId: string }
  /** The editor of an own exhibit. */
  | { readonly kind: 'edit-exhibit'; readonly exhibitId: string }
  /** The editor, with a copy of this exhibit; null: with the template. */
  | { readonly kind: 'new-exhibit'; readonly from: string | null };

/** The route of the path segments of an exhibit or a reproduction, or null. */
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
  const panel = EXHIBIT_PANELS.find((panel) => panel === query.get('panel'));
  const cell = query.get('cell');
  return {
    kind: 'exhibit',
    exhibitId: second,
    scale: query.get('scale') === 'paper' ? 'paper' : 'pocket',
    ...(reproductionId === null ? {} : { reproductionId }),
    ...(panel === undefined ? {} : { panel }),
    ...(cell === null ? {} : { cell }),
    ...(query.get('dialog') === 'export' ? { dialog: 'export' } : {}),
  };
}

/** Inverse of `parseExhibitPath`. */
export function pathOfExhibit(route: ExhibitRoute): string {
  const part = encodeURIComponent;
  switch (route.kind) {
    case 'exhibits':
      return '/exhibits';
    case 'exhibit':
      return withQuery(`/exhibits/${part(route.exhibitId)}`, {
        scale: route.scale === 'pocket' ? null : route.scale,
        reproduction: route.reproductionId ?? null,
        panel: route.panel ?? null,
        cell: route.cell ?? null,
        dialog: route.dialog ?? null,
      });
    case 'reproduction':
      return `/reproductions/${part(route.reproductionId)}`;
    case 'edit-exhibit':
      return `/edit-exhibit/${part(route.exhibitId)}`;
    case 'new-exhibit':
      return withQuery('/new-exhibit', { from: route.from });
    default:
      return assertNever(route);
  }
}
