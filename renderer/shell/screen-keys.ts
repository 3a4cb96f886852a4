import type { Route } from '../state/index';

export type KeyLine = { readonly keys: readonly string[]; readonly does: string };

export const GLOBAL_KEYS: readonly KeyLine[] = [
  { keys: ['Ctrl K'], does: 'Open the command palette' },
  { keys: ['Ctrl N'], does: 'New study' },
  { keys: ['?'], does: 'Show these shortcuts' },
  { keys: ['Alt ←', 'Alt →'], does: 'Back, forward' },
  { keys: ['Ctrl 1', 'Ctrl 9'], does: 'The entries of the sidebar in their order, from Home to Machines' },
  { keys: ['Ctrl `'], does: 'Terminals' },
  { keys: ['Ctrl ,'], does: 'Settings' },
];

const LOGS: readonly KeyLine[] = [
  { keys: ['Ctrl F'], does: 'Find in the log; Ctrl Enter searches the whole file on the machine' },
  { keys: ['Ctrl G'], does: 'Go to a line, time or position in the log' },
  { keys: ['Home', 'End'], does: 'Go to the start, follow the end' },
];

const ROW_MENU: KeyLine = { keys: ['Shift F10'], does: 'The menu of the row' };
const LISTS: readonly KeyLine[] = [{ keys: ['↑', '↓'], does: 'Move between rows' }, ROW_MENU];

const BY_SCREEN: Readonly<Partial<Record<Route['kind'], readonly KeyLine[]>>> = {
  study: [
    { keys: ['J', 'K'], does: 'Next, previous problem of the grid' },
    { keys: ['↑', '↓', '←', '→'], does: 'Move in the grid' },
    { keys: ['Enter'], does: 'Open the problem in its run' },
    { keys: ['P'], does: 'Pause or resume' },
    { keys: ['E'], does: 'Export tables and figures' },
  ],
  run: [
    { keys: ['J', 'K'], does: 'Next, previous problem' },
    { keys: ['[', ']'], does: 'The same problem in the previous, next configuration' },
    { keys: ['1', '2', '3', '4'], does: 'Tree, nodes, curves, problem' },
    { keys: ['↑', '↓', '←', '→'], does: 'Move in the focused tree' },
    { keys: ['Shift F10'], does: 'The menu of the node that the arrows have reached' },
    { keys: ['F', '+', '-', '0'], does: 'Fit the focused tree to its pane, zoom in, zoom out, full size' },
    { keys: ['Space'], does: 'Replay the search, or stop' },
    { keys: [',', '.'], does: 'Previous, next node in the replay' },
    { keys: ['Esc'], does: 'Deselect the node; in a replay, back to now' },
  ],
  terminals: [
    { keys: ['Shift Esc'], does: 'Leave the terminal for its tab; Enter goes back in' },
    { keys: ['←', '→'], does: 'Move between tabs; Delete closes one' },
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
    { keys: ['1', '6'], does: 'Curves, checkpoints, rollouts, evaluation, log, settings' },
    { keys: ['←', '→'], does: 'Move the cursor of the focused chart' },
    { keys: ['J', 'K'], does: 'Next, previous rollout' },
    { keys: ['Shift F10'], does: 'The menu of the checkpoint, rollout or chart' },
  ],
  exhibit: [
    { keys: ['↑', '↓', '←', '→'], does: 'Move between the cells of the focused table' },
    { keys: ['Enter'], does: 'Show the source of the cell; Esc closes it' },
    { keys: ['P'], does: 'Pause or resume' },
    { keys: ['S'], does: 'Show the steps or the plan' },
    { keys: ['E'], does: 'Export tables and figures' },
  ],
  'new-exhibit': [{ keys: ['Ctrl Enter'], does: 'Save the exhibit' }],
  'edit-exhibit': [{ keys: ['Ctrl Enter'], does: 'Save the exhibit' }],
  experiments: [...LISTS, { keys: ['Enter'], does: 'Open the experiment' }],
  experiment: [
    { keys: ['P'], does: 'Pause or resume' },
    { keys: ['E'], does: 'Export tables and figures' },
  ],
  'new-training': [{ keys: ['Ctrl Enter'], does: 'Start the training' }],
  'new-experiment': [{ keys: ['Ctrl Enter'], does: 'Start the experiment' }],
  compare: [
    { keys: ['↑', '↓', '←', '→'], does: 'Move in the focused matrix of who solves what' },
    { keys: ['Enter'], does: 'Open the trees of both configurations' },
    { keys: ['Shift F10'], does: 'The menu of the focused chart or point' },
    { keys: ['C'], does: 'Choose runs' },
    { keys: ['E'], does: 'Export tables and figures' },
  ],
  benchmark: LISTS,
  library: [ROW_MENU],
  machines: [ROW_MENU],
  studies: [
    ...LISTS,
    { keys: ['Space'], does: 'Select the row, to compare several' },
    { keys: ['Enter'], does: 'Open the study' },
  ],
};

export function keysOf(kind: Route['kind']): readonly KeyLine[] {
  return BY_SCREEN[kind] ?? [];
}
