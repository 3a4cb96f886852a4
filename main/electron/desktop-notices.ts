import { type BrowserWindow, Notification } from 'electron';
import type { Workbench } from '../app/index';
import type { Disposable } from '../base/index';

/** Desktop notifications of what ended, failed or stalled while the window has no focus; a click shows its screen. */
export function showDesktopNotices(window: BrowserWindow, workbench: Workbench): Disposable {
  return workbench.events.on((event) => {
    if (event.kind !== 'notification' || window.isDestroyed() || window.isFocused()) return;
    if (!Notification.isSupported() || !workbench.settings().notify[event.about]) return;
    const notice = new Notification({ title: event.title, body: event.body });
    notice.on('click', () => {
      if (window.isDestroyed()) return;
      if (window.isMinimized()) window.restore();
      window.focus();
      workbench.goTo(event.path);
    });
    notice.show();
  });
}
