import { existsSync } from 'node:fs';
import { app, Menu, type MenuItemConstructorOptions, shell } from 'electron';
import { openPaper } from './window';

type MenuActions = {
  /** Shows a path of the window. */
  readonly goTo: (path: string) => void;
  readonly reportProblem: () => void;
  /** Shows a sentence in the window. */
  readonly notify: (message: string) => void;
  /** The path of the app's own log. */
  readonly log: string;
  /** The path of the licences of others' parts; in a checkout there is no such file. */
  readonly licences: string;
};

/** The native menu. */
export function installMenu({ goTo, reportProblem, notify, log, licences }: MenuActions): void {
  const screen = (label: string, path: string, accelerator?: string): MenuItemConstructorOptions => ({
    label,
    ...(accelerator === undefined ? {} : { accelerator }),
    click: () => goTo(path),
  });
  const template: MenuItemConstructorOptions[] = [
    ...(process.platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        screen('New study', '/studies/new', 'CmdOrCtrl+N'),
        { type: 'separator' },
        screen('Home', '/', 'CmdOrCtrl+1'),
        screen('Settings', '/settings', 'CmdOrCtrl+,'),
        { type: 'separator' },
        { role: process.platform === 'darwin' ? 'close' : 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        // In the order of the sidebar (renderer/shell/screens.ts).
        screen('Exhibits', '/exhibits', 'CmdOrCtrl+2'),
        screen('Studies', '/studies', 'CmdOrCtrl+3'),
        screen('Compare', '/compare', 'CmdOrCtrl+4'),
        screen('Library', '/library', 'CmdOrCtrl+5'),
        screen('Training', '/training', 'CmdOrCtrl+6'),
        screen('Servers', '/servers', 'CmdOrCtrl+7'),
        screen('Jobs', '/jobs', 'CmdOrCtrl+8'),
        screen('Machines', '/machines', 'CmdOrCtrl+9'),
        // Ctrl+0 is the zoom's.
        screen('Terminals', '/terminals', 'CmdOrCtrl+`'),
        screen('Activity', '/activity'),
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
        { label: '&Report a problem…', click: reportProblem },
        { label: 'Open the &log', click: () => openText('log', log, notify) },
        ...(existsSync(licences)
          ? [{ label: '&Licences', click: () => openText('list of licences', licences, notify) }]
          : []),
        { type: 'separator' },
        { label: `Version ${app.getVersion()}`, enabled: false },
      ],
    },
  ];
  const menu = Menu.buildFromTemplate(template);
  // Of every window that there is, too.
  Menu.setApplicationMenu(menu);
}

/**
 * In the program for text files; where there is none, it is shown in its folder. Some desktops have neither and do not say
 * so: a notice names the file in any case.
 */
function openText(name: string, path: string, notify: (message: string) => void): void {
  notify(`The ${name} is the file ${path}. It opens in this desktop's program for text files.`);
  void shell.openPath(path).then((problem) => {
    if (problem !== '') shell.showItemInFolder(path);
  });
}
