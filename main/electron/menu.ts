import { app, type BrowserWindow, Menu, type MenuItemConstructorOptions } from 'electron';
import { openPaper } from './window';

/** The native menu. `goTo` asks the page to show an address; pages own what stands there. */
export function installMenu(window: BrowserWindow, goTo: (address: string) => void): void {
  const place = (label: string, address: string, accelerator?: string): MenuItemConstructorOptions => ({
    label,
    ...(accelerator === undefined ? {} : { accelerator }),
    click: () => goTo(address),
  });
  const template: MenuItemConstructorOptions[] = [
    ...(process.platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        place('New study', '/studies/new', 'CmdOrCtrl+N'),
        { type: 'separator' },
        place('Home', '/', 'CmdOrCtrl+1'),
        place('Settings', '/settings', 'CmdOrCtrl+,'),
        { type: 'separator' },
        { role: process.platform === 'darwin' ? 'close' : 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        place('Studies', '/studies', 'CmdOrCtrl+2'),
        place('Compare', '/compare', 'CmdOrCtrl+3'),
        place('Exhibits', '/exhibits', 'CmdOrCtrl+E'),
        place('Training', '/training', 'CmdOrCtrl+4'),
        place('Library', '/library', 'CmdOrCtrl+5'),
        place('Servers', '/servers', 'CmdOrCtrl+6'),
        place('Jobs', '/jobs', 'CmdOrCtrl+7'),
        place('Machines', '/machines', 'CmdOrCtrl+8'),
        place('Terminals', '/terminals', 'CmdOrCtrl+9'),
        place('Activity', '/activity'),
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
        { type: 'separator' },
        { role: 'reload' },
        { role: 'toggleDevTools' },
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        { label: 'MARS² (arXiv 2604.14564)', click: () => openPaper('2604.14564') },
        { label: 'MARTI-MARS² (arXiv 2602.07848)', click: () => openPaper('2602.07848') },
        { type: 'separator' },
        { label: `Version ${app.getVersion()}`, enabled: false },
      ],
    },
  ];
  const menu = Menu.buildFromTemplate(template);
  Menu.setApplicationMenu(menu);
  if (process.platform !== 'darwin') window.setMenu(menu);
}
