import { useMediaQuery } from '@mantine/hooks';
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import {
  pathOf,
  readyValue,
  useActivityCount,
  useReproductions,
  useSettings,
  useStoredFlag,
  useStudies,
  useTrainings,
  useWorkbench,
} from '../state/index';
import { reproductionIsActive } from '../text/exhibits';
import { isActive } from '../text/studies';
import { BOTTOM_SCREENS, SCREEN_GROUPS, type ScreenEntry } from './screens';
import styles from './shell.module.css';

export function Rail() {
  const { settings } = useWorkbench();
  // In a small window the names take too much of its width.
  const narrow = useMediaQuery('(max-width: 1040px)', false, { getInitialValueInEffect: false });
  const isCollapsed = useRailCollapsed();
  const collapsed = narrow || isCollapsed;
  const running: Readonly<Record<string, number>> = {
    Studies: (readyValue(useStudies()) ?? []).filter(({ state }) => isActive(state)).length,
    Exhibits: (readyValue(useReproductions()) ?? []).filter(reproductionIsActive).length,
    Training: (readyValue(useTrainings()) ?? []).filter(({ state }) => state.kind === 'running').length,
  };
  const activityCount = useActivityCount();
  const Toggle = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  const toggleLabel = collapsed ? 'Expand' : 'Collapse';
  return (
    <nav className={styles.rail} aria-label="Main" data-collapsed={collapsed || undefined}>
      <div className={styles.brand}>
        <BrandMark />
        {!collapsed && <span>MARS² Workbench</span>}
      </div>
      {SCREEN_GROUPS.map(({ name, screens }) => (
        <div
          key={screens[0]?.label}
          className={styles.group}
          {...(name === null ? {} : { role: 'group', 'aria-label': name })}
        >
          {!collapsed && name !== null && (
            <div className={styles.groupName} aria-hidden="true">
              {name}
            </div>
          )}
          {screens.map((entry) => (
            <RailLink
              key={entry.label}
              entry={entry}
              collapsed={collapsed}
              badge={(running[entry.label] ?? 0) > 0 ? String(running[entry.label]) : null}
            />
          ))}
        </div>
      ))}
      <div className={styles.spring} />
      {BOTTOM_SCREENS.map((entry) => (
        <RailLink
          key={entry.label}
          entry={entry}
          collapsed={collapsed}
          badge={entry.label === 'Activity' && activityCount > 0 ? String(activityCount) : null}
        />
      ))}
      {!narrow && (
        <button
          type="button"
          className={styles.entry}
          title={toggleLabel}
          aria-label={collapsed ? 'Expand the sidebar' : 'Collapse the sidebar'}
          onClick={() => void settings.change({ railCollapsed: !collapsed })}
        >
          <Toggle size={16} stroke={1.6} aria-hidden="true" />
          {!collapsed && <span>{toggleLabel}</span>}
        </button>
      )}
    </nav>
  );
}

/** As it was left, from the first frame on: the settings come a moment later, and the rail must not jump. */
function useRailCollapsed(): boolean {
  const [left, remember] = useStoredFlag('rail-collapsed', false);
  const collapsed = useSettings()?.railCollapsed ?? left;
  useEffect(() => {
    if (collapsed !== left) remember(collapsed);
  }, [collapsed, left, remember]);
  return collapsed;
}

function RailLink(props: {
  readonly entry: ScreenEntry;
  readonly collapsed: boolean;
  readonly badge: string | null;
}) {
  const { entry, collapsed, badge } = props;
  const { location } = useWorkbench();
  const here = useStore(location.store, ({ route }) => route.kind);
  const Icon = entry.icon;
  return (
    <a
      className={styles.entry}
      href={`#${pathOf(entry.route)}`}
      aria-label={entry.label}
      aria-description={badge === null ? undefined : `${badge} running`}
      aria-current={entry.covers.includes(here) ? 'page' : undefined}
      title={collapsed ? entry.label : undefined}
    >
      <Icon size={16} stroke={1.6} aria-hidden="true" />
      {!collapsed && <span>{entry.label}</span>}
      {!collapsed && badge !== null && <b title={`${badge} running`}>{badge}</b>}
    </a>
  );
}

/** A small tree: one root, two agents' shapes. */
function BrandMark() {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M8 3.5 L3.5 12 M8 3.5 L12.5 12" stroke="var(--mark-faint)" strokeWidth="1.4" fill="none" />
      <circle cx="8" cy="3.5" r="2.3" fill="var(--text)" />
      <circle cx="3.5" cy="12" r="2.6" fill="var(--agent-1)" />
      <rect x="10.2" y="9.7" width="4.6" height="4.6" rx="0.6" fill="var(--agent-2)" />
    </svg>
  );
}
