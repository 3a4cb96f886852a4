import {
  IconActivity,
  IconBooks,
  IconChartDots,
  IconDevicesPc,
  IconHome2,
  IconSchema,
  IconServer2,
  IconSettings,
  IconStack2,
  IconTable,
  IconTerminal2,
  IconTrendingUp,
  type TablerIcon,
} from '@tabler/icons-react';
import type { Route } from '../state/index';

/** A screen as the sidebar and the command palette list it. */
export type ScreenEntry = {
  readonly label: string;
  readonly icon: TablerIcon;
  readonly route: Route;
  /** The kinds of route that belong to it. */
  readonly covers: readonly Route['kind'][];
  /** Its shortcut, which main/electron/menu.ts sets; left out where it has none. */
  readonly keys?: string;
};

/** The sidebar, from the top. A new screen is one entry here. */
export const SCREENS: readonly ScreenEntry[] = [
  { label: 'Home', keys: 'Ctrl 1', icon: IconHome2, route: { kind: 'home' }, covers: ['home'] },
  {
    label: 'Exhibits',
    keys: 'Ctrl E',
    icon: IconTable,
    route: { kind: 'exhibits' },
    covers: ['exhibits', 'exhibit', 'reproduction', 'edit-exhibit', 'new-exhibit'],
  },
  {
    label: 'Studies',
    keys: 'Ctrl 2',
    icon: IconSchema,
    route: { kind: 'studies' },
    covers: ['studies', 'new-study', 'study', 'run'],
  },
  {
    label: 'Compare',
    keys: 'Ctrl 3',
    icon: IconChartDots,
    route: { kind: 'compare', studyId: null },
    covers: ['compare'],
  },
  {
    label: 'Training',
    keys: 'Ctrl 4',
    icon: IconTrendingUp,
    route: { kind: 'trainings' },
    covers: ['trainings', 'training', 'new-training', 'experiments', 'experiment', 'new-experiment'],
  },
  { label: 'Library', keys: 'Ctrl 5', icon: IconBooks, route: { kind: 'library' }, covers: ['library'] },
  {
    label: 'Servers',
    keys: 'Ctrl 6',
    icon: IconServer2,
    route: { kind: 'servers', serverId: null },
    covers: ['servers', 'launches', 'new-launch'],
  },
  {
    label: 'Jobs',
    keys: 'Ctrl 7',
    icon: IconStack2,
    route: { kind: 'jobs', jobId: null },
    covers: ['jobs', 'new-job'],
  },
  {
    label: 'Machines',
    keys: 'Ctrl 8',
    icon: IconDevicesPc,
    route: { kind: 'machines' },
    covers: ['machines', 'machine', 'new-machine', 'edit-machine'],
  },
  {
    label: 'Terminals',
    keys: 'Ctrl 9',
    icon: IconTerminal2,
    route: { kind: 'terminals', terminalId: null },
    covers: ['terminals'],
  },
];

/** The sidebar, at the bottom. */
export const BOTTOM_SCREENS: readonly ScreenEntry[] = [
  { label: 'Activity', icon: IconActivity, route: { kind: 'activity' }, covers: ['activity'] },
  {
    label: 'Settings',
    keys: 'Ctrl ,',
    icon: IconSettings,
    route: { kind: 'settings' },
    covers: ['settings'],
  },
];
