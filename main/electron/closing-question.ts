import { type BrowserWindow, dialog } from 'electron';

/** What becomes of the work when the window is closed. */
export type ClosingChoice = 'service' | 'stop' | 'stay';

const MAX_NAMES = 5;

/**
 * Asks what becomes of `unfinished` work, by name. `keys`: how many API keys a service would be given, and where it keeps
 * them. `always`: the user wants the same next time.
 */
export async function askBeforeClosing(
  window: BrowserWindow,
  unfinished: readonly string[],
  keys: { readonly count: number; readonly keptIn: string | null },
): Promise<{ readonly choice: ClosingChoice; readonly always: boolean }> {
  const names = unfinished.slice(0, MAX_NAMES).map((name) => `• ${name}`);
  const more = unfinished.length - names.length;
  const { response, checkboxChecked } = await dialog.showMessageBox(window, {
    type: 'question',
    message: 'Keep working in the background?',
    detail: [
      ...names,
      ...(more > 0 ? [`and ${more} more`] : []),
      '',
      'In the background it goes on without the window, until this computer restarts; the next window shows it. Otherwise it pauses and can be resumed. Running jobs continue either way.',
      ...(keys.count > 0 && keys.keptIn !== null
        ? [
            '',
            `For that, ${keys.count === 1 ? 'your API key is' : `your ${keys.count} API keys are`} copied to ${keys.keptIn}.`,
          ]
        : []),
    ].join('\n'),
    buttons: ['Keep working', 'Pause and close', 'Cancel'],
    defaultId: 0,
    cancelId: 2,
    noLink: true,
    checkboxLabel: 'Do the same next time',
  });
  const choice = (['service', 'stop', 'stay'] as const)[response] ?? 'stay';
  return { choice, always: checkboxChecked && choice !== 'stay' };
}
