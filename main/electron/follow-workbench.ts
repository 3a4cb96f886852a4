import { type BrowserWindow, nativeTheme } from 'electron';
import type { Workbench } from '../app/index';
import { type Disposable, DisposableStore } from '../base/index';
import { showDesktopNotices } from './desktop-notices';

/** What follows a workbench while the window shows it: the theme, and notifications of the desktop. */
export function followWorkbench(window: BrowserWindow, workbench: Workbench): Disposable {
  nativeTheme.themeSource = workbench.settings().theme;
  const store = new DisposableStore();
  store.add(
    workbench.events.on((event) => {
      if (event.kind === 'settings-changed') nativeTheme.themeSource = event.settings.theme;
    }),
  );
  store.add(showDesktopNotices(window, workbench));
  return store;
}
