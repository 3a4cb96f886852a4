import { readyValue, useLaunches, useServers } from '../state/index';
import { NavTabs } from '../widgets/index';
import { isUp } from './server-text';

export function ServerTabs(props: { readonly at: 'servers' | 'launches' }) {
  const up = (readyValue(useServers()) ?? []).filter(({ state }) => isUp(state)).length;
  const launches = readyValue(useLaunches())?.length ?? 0;
  return (
    <NavTabs
      label="Servers and launches"
      current={props.at}
      tabs={[
        { id: 'servers', label: 'Servers', href: '#/servers', number: up, unit: 'up' },
        { id: 'launches', label: 'Launches', href: '#/launches', number: launches },
      ]}
    />
  );
}
