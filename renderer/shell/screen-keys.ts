import type { Route } from '../state/index';

export type KeyLine = { readonly keys: readonly string[]; readonly does: string };

export const EVERYWHERE: readonly KeyLine[] = [
  { keys: ['Ctrl K'], does: 'Open the palette: go anywhere, do anything' },
  { keys: ['Ctrl N'], does: 'Compose a new study' },
  { keys: ['?'], does: 'Show these keys' },
  { keys: ['Alt ←', 'Alt →'], does: 'Back, forward' },
  { keys: ['Ctrl 1', 'Ctrl 9'], does: 'Home and the places of the rail from Studies to Terminals' },
  { keys: ['Ctrl E'], does: 'Exhibits' },
  { keys: ['Ctrl ,'], does: 'Settings' },
];

const LOGS: readonly KeyLine[] = [
  { keys: ['Ctrl F'], does: 'Find in the log; Ctrl Enter searches the whole of it where it lies' },
  { keys: ['Ctrl G'], does: 'Go to a line, a time or a place of the log' },
  { keys: ['Home', 'End'], does: 'Go to the start, follow the end' },
];

const LISTS: readonly KeyLine[] = [{ keys: ['↑', '↓'], does: 'Walk the rows' }];

const BY_PLACE: Readonly<Partial<Record<Route['kind'], readonly KeyLine[]>>> = {
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
    { keys: ['Space'], does: 'Play the search again, or stop' },
    { keys: [',', '.'], does: 'One node back, one node on in the replay' },
    { keys: ['Esc'], does: 'Choose no node; in a replay, back to now' },
  ],
  terminals: [
    { keys: ['Shift Esc'], does: 'Leave the terminal for its tab; Enter goes back in' },
    { keys: ['←', '→'], does: 'Walk the tabs; Delete closes one' },
    { keys: ['Ctrl Tab'], does: 'Next terminal; with Shift the previous' },
    { keys: ['Ctrl Shift C', 'Ctrl Shift V'], does: 'Copy, paste' },
    { keys: ['Ctrl Shift F'], does: 'Find' },
    { keys: ['Ctrl Shift T', 'Ctrl Shift W'], does: 'Open another on the same machine, close' },
  ],
  'new-study': [{ keys: ['Ctrl Enter'], does: 'Create the study and run it' }],
  'new-job': [{ keys: ['Ctrl Enter'], does: 'Start the job' }],
  'new-launch': [{ keys: ['Ctrl Enter'], does: 'Save and launch' }],
  jobs: [...LISTS, { keys: ['Enter'], does: 'Open the job' }, ...LOGS],
  servers: [...LISTS, ...LOGS],
  trainings: [...LISTS, { keys: ['Enter'], does: 'Open the training' }],
  training: [
    { keys: ['1', '6'], does: 'Curves, checkpoints, rollouts, evaluation, log, order' },
    { keys: ['←', '→'], does: 'Read the curves at one place when a chart has the focus' },
    { keys: ['J', 'K'], does: 'Next, previous rollout' },
  ],
  exhibit: [
    { keys: ['↑', '↓', '←', '→'], does: 'Walk the cells when one has the focus' },
    { keys: ['Enter'], does: 'Show what the cell rests on; Esc closes it' },
    { keys: ['P'], does: 'Pause or resume' },
    { keys: ['S'], does: 'Show the steps or the plan' },
  ],
  'new-exhibit': [{ keys: ['Ctrl Enter'], does: 'Save the exhibit' }],
  'edit-exhibit': [{ keys: ['Ctrl Enter'], does: 'Save the exhibit' }],
  experiments: [...LISTS, { keys: ['Enter'], does: 'Open the experiment' }],
  experiment: [{ keys: ['P'], does: 'Pause or resume' }],
  'new-training': [{ keys: ['Ctrl Enter'], does: 'Start the training' }],
  'new-experiment': [{ keys: ['Ctrl Enter'], does: 'Start the experiment' }],
  compare: [
    { keys: ['↑', '↓', '←', '→'], does: 'Walk the matrix of who solves what when it has the focus' },
    { keys: ['Enter'], does: 'Open the trees of both configurations' },
    { keys: ['C'], does: 'Choose runs' },
  ],
  studies: [...LISTS, { keys: ['Enter'], does: 'Open the study' }],
};

export function keysOf(kind: Route['kind']): readonly KeyLine[] {
  return BY_PLACE[kind] ?? [];
}
