import type { Place } from '../state/index';

export type RunPlace = Extract<Place, { readonly kind: 'run' }>;
