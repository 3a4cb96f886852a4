import { type BrowserWindow, Notification } from 'electron';
import type { Workbench } from '../app/index';
import type { Disposable } from '../base/index';

/** Shows what ended, failed or stalled on the desktop while the window is not looked at; a press goes there. */
export function showDesktopNotices(window: BrowserWindow, workbench: Workbench): Disposable {
  return workbench.events.on((event) => {
    if (event.kind !== 'notification' || window.isDestroyed() || window.isFocused()) return;
    if (!Notification.isSupported() || !workbench.settings().notify[event.about]) return;
    const notice = new Notification({ title: event.title, body: event.body });
    notice.on('click', () => {
      if (window.isDestroyed()) return;
      if (window.isMinimized()) window.restore();
      window.focus();
      workbench.goTo(event.address);
    });
    notice.show();
  });
}
