import { describe, expect, test } from 'vitest';
import { Emitter } from '../../../main/base';
import { connectWindow, type IpcReceiver, type OpenedWorkbench } from '../../../main/electron/ipc';
import type { WorkbenchEvent } from '../../../preload/contract';
import { CALL_CHANNEL, SUBSCRIBE_CHANNEL } from '../../../preload/contract/channel-names';
import { eventually } from '../../support/eventually';

const OURS = { url: 'workbench://app/index.html' };
const NOTICE: WorkbenchEvent = { kind: 'notice', level: 'info', message: 'A study ended' };

/** A window whose workbench is opened, or cannot be, when the test says so. */
function startingWindow() {
  const events = new Emitter<WorkbenchEvent>();
  const calls: string[] = [];
  const opened: OpenedWorkbench = {
    workbench: {
      call: async (name) => {
        calls.push(name);
        return { ok: true, value: name };
      },
      answerOfBug: () => ({ ok: false, error: { code: 'internal', message: 'a bug' } }),
      events,
      damage: 'The registry was damaged.',
      privacy: null,
    },
    windowCommands: () => null,
  };
  let open = (): void => undefined;
  let fail = (_error: Error): void => undefined;
  const opening = new Promise<OpenedWorkbench>((resolve, reject) => {
    open = () => resolve(opened);
    fail = reject;
  });
  type Answer = Parameters<IpcReceiver['handle']>[1];
  type Listener = Parameters<IpcReceiver['on']>[1];
  const answers = new Map<string, Answer>();
  const listeners = new Map<string, Listener>();
  const sent: WorkbenchEvent[] = [];
  const connection = connectWindow(
    {
      handle: (channel, answer) => answers.set(channel, answer),
      removeHandler: (channel) => answers.delete(channel),
      on: (channel, listener) => listeners.set(channel, listener),
      removeListener: (channel) => listeners.delete(channel),
    },
    {
      isDestroyed: () => false,
      webContents: { mainFrame: OURS, send: (_channel, batch) => void sent.push(...batch) },
    },
    opening,
  );
  return {
    events,
    calls,
    sent,
    connection,
    open: () => open(),
    fail: (error: Error) => fail(error),
    call: async (name: unknown, senderFrame: { url: string } | null = OURS) =>
      answers.get(CALL_CHANNEL)?.({ senderFrame }, name, {}),
    subscribe: () => listeners.get(SUBSCRIBE_CHANNEL)?.({ senderFrame: OURS }),
    channels: () => answers.size + listeners.size,
  };
}

describe('a window that is there before its workbench is open', () => {
  test('gets the answers of its early calls once it is open', async () => {
    const window = startingWindow();
    const early = window.call('settings.read');
    await Promise.resolve();
    expect(window.calls).toEqual([]);
    window.open();
    expect(await early).toEqual({ ok: true, value: 'settings.read' });
    expect(await window.call('info.read')).toEqual({ ok: true, value: 'info.read' });
  });

  test('hears what is wrong with the data folder, and every event after its first call', async () => {
    const window = startingWindow();
    window.subscribe();
    const early = window.call('settings.read');
    window.open();
    await early;
    window.events.emit(NOTICE);
    await eventually('both events', () => window.sent.length === 2);
    expect(window.sent).toEqual([
      { kind: 'notice', level: 'error', message: 'The registry was damaged.' },
      NOTICE,
    ]);
  });

  test('gets a rejection, not silence, where the workbench cannot be opened', async () => {
    const window = startingWindow();
    window.subscribe();
    const early = window.call('settings.read');
    window.fail(new Error('The data folder is in use.'));
    await expect(early).rejects.toThrow('The data folder is in use.');
  });

  test('refuses another page at once', async () => {
    const window = startingWindow();
    for (const frame of [{ url: 'https://example.com/' }, { url: OURS.url }, null])
      expect(await window.call('settings.read', frame)).toMatchObject({ error: { code: 'not-allowed' } });
    expect(await window.call(7)).toMatchObject({ error: { code: 'unknown-command' } });
  });

  test('leaves nothing behind that listens when it is closed before the workbench is open', async () => {
    const window = startingWindow();
    window.subscribe();
    window.connection.dispose();
    window.open();
    await Promise.resolve();
    expect([window.channels(), window.events.listenerCount]).toEqual([0, 0]);
  });
});
