import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openWindow } from '../../../main/electron/window';

/** What the real window was told, in order. */
let told: string[];
let options: { readonly show?: boolean; readonly paintWhenInitiallyHidden?: boolean };
let draw: () => void;
let contents: EventEmitter;

vi.mock('electron', () => ({
  nativeTheme: { shouldUseDarkColors: false },
  screen: { getAllDisplays: () => [] },
  session: {},
  shell: {},
  BrowserWindow: class extends EventEmitter {
    readonly webContents = Object.assign(contents, {
      setWindowOpenHandler: () => undefined,
      mainFrame: {
        executeJavaScript: () => {
          told.push('ask for frames');
          return new Promise<void>((resolve) => {
            draw = resolve;
          });
        },
      },
    });
    constructor(own: typeof options) {
      super();
      options = own;
    }
    readonly show = () => told.push('show');
    readonly setIcon = () => told.push('icon');
    readonly isDestroyed = () => false;
    readonly loadURL = async () => told.push('load');
  },
}));

beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  contents = new EventEmitter();
});
afterEach(() => {
  vi.useRealTimers();
});

function open(): void {
  const { firstFrame } = openWindow({
    preload: 'preload.cjs',
    icon: 'icon.png',
    bounds: null,
    onBounds: () => undefined,
    onFailure: () => undefined,
  });
  void firstFrame.then(() => told.push('first frame'));
}

test('a page does not wait, before its scripts, for the process that draws; it is shown when they have run', async () => {
  open();
  expect(options).toMatchObject({ show: false, paintWhenInitiallyHidden: false });
  expect(told).toEqual(['load']);
  contents.emit('dom-ready');
  expect(told).toEqual(['load', 'show', 'ask for frames']);
  draw();
  await vi.advanceTimersByTimeAsync(0);
  expect(told.at(-1)).toBe('first frame');
});

test('a page that never draws holds back what waits for its first frame for seconds only', async () => {
  open();
  contents.emit('dom-ready');
  await vi.advanceTimersByTimeAsync(2_900);
  expect(told).not.toContain('first frame');
  await vi.advanceTimersByTimeAsync(200);
  expect(told).toContain('first frame');
});
