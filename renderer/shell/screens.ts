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

/** The sidebar's parts, from the top; one without a name has no heading. */
export type ScreenGroup = { readonly name: string | null; readonly screens: readonly ScreenEntry[] };

/** A new screen is one entry here; its number key is its place (main/electron/menu.ts), the tenth has another key. */
export const SCREEN_GROUPS: readonly ScreenGroup[] = [
  {
    name: null,
    screens: [{ label: 'Home', keys: 'Ctrl 1', icon: IconHome2, route: { kind: 'home' }, covers: ['home'] }],
  },
  {
    name: 'Results',
    screens: [
      {
        label: 'Exhibits',
        keys: 'Ctrl 2',
        icon: IconTable,
        route: { kind: 'exhibits' },
        covers: ['exhibits', 'exhibit', 'reproduction', 'edit-exhibit', 'new-exhibit'],
      },
      {
        label: 'Studies',
        keys: 'Ctrl 3',
        icon: IconSchema,
        route: { kind: 'studies' },
        covers: ['studies', 'new-study', 'study', 'run'],
      },
      {
        label: 'Compare',
        keys: 'Ctrl 4',
        icon: IconChartDots,
        route: { kind: 'compare', studyId: null },
        covers: ['compare'],
      },
      {
        label: 'Library',
        keys: 'Ctrl 5',
        icon: IconBooks,
        route: { kind: 'library' },
        covers: ['library', 'benchmark'],
      },
    ],
  },
  {
    name: null,
    screens: [
      {
        label: 'Training',
        keys: 'Ctrl 6',
        icon: IconTrendingUp,
        route: { kind: 'trainings' },
        covers: ['trainings', 'training', 'new-training', 'experiments', 'experiment', 'new-experiment'],
      },
    ],
  },
  {
    name: 'Machines',
    screens: [
      {
        label: 'Servers',
        keys: 'Ctrl 7',
        icon: IconServer2,
        route: { kind: 'servers', serverId: null },
        covers: ['servers', 'launches', 'new-launch'],
      },
      {
        label: 'Jobs',
        keys: 'Ctrl 8',
        icon: IconStack2,
        route: { kind: 'jobs', jobId: null },
        covers: ['jobs', 'new-job'],
      },
      {
        label: 'Machines',
        keys: 'Ctrl 9',
        icon: IconDevicesPc,
        route: { kind: 'machines' },
        covers: ['machines', 'usage', 'machine', 'new-machine', 'edit-machine'],
      },
      {
        label: 'Terminals',
        keys: 'Ctrl `',
        icon: IconTerminal2,
        route: { kind: 'terminals', terminalId: null },
        covers: ['terminals'],
      },
    ],
  },
];

/** All of them, in the order of the sidebar. */
export const SCREENS: readonly ScreenEntry[] = SCREEN_GROUPS.flatMap(({ screens }) => screens);

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
