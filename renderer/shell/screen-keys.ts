import type { Place } from '../state/index';

export type KeyLine = { readonly keys: readonly string[]; readonly does: string };

export const EVERYWHERE: readonly KeyLine[] = [
  { keys: ['Ctrl K'], does: 'Open the palette: go anywhere, do anything' },
  { keys: ['Ctrl N'], does: 'Compose a new study' },
  { keys: ['?'], does: 'Show these keys' },
  { keys: ['Alt ←', 'Alt →'], does: 'Back, forward' },
  { keys: ['Ctrl 1', 'Ctrl 5'], does: 'The places of the rail, from the first to the fifth' },
  { keys: ['Ctrl ,'], does: 'Settings' },
];

const LISTS: readonly KeyLine[] = [{ keys: ['↑', '↓'], does: 'Walk the rows' }];

const BY_PLACE: Readonly<Partial<Record<Place['kind'], readonly KeyLine[]>>> = {
  study: [
    { keys: ['J', 'K'], does: 'Next, previous problem of the grid' },
    { keys: ['↑', '↓', '←', '→'], does: 'Walk the grid' },
    { keys: ['Enter'], does: 'Open the problem in its run' },
    { keys: ['P'], does: 'Pause or resume' },
  ],
  run: [
    { keys: ['J', 'K'], does: 'Next, previous problem' },
    { keys: ['[', ']'], does: 'The same problem in the previous, next configuration' },
    { keys: ['1', '2', '3', '4'], does: 'Tree, nodes, curves, problem' },
    { keys: ['↑', '↓', '←', '→'], does: 'Walk the tree when it has the focus' },
    { keys: ['Esc'], does: 'Choose no node' },
  ],
  'new-study': [{ keys: ['Ctrl Enter'], does: 'Create the study and run it' }],
  servers: LISTS,
  studies: LISTS,
};

export function keysOf(kind: Place['kind']): readonly KeyLine[] {
  return BY_PLACE[kind] ?? [];
}
