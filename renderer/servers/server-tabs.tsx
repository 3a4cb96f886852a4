import { readyValue, useLaunches, useServers } from '../state/index';
import { NavTabs } from '../widgets/index';
import { upCount } from './server-text';

export function ServerTabs(props: { readonly at: 'servers' | 'launches' }) {
  const states = (readyValue(useServers()) ?? []).map(({ state }) => state.kind);
  const launches = readyValue(useLaunches())?.length ?? 0;
  return (
    <NavTabs
      label="Servers and launches"
      current={props.at}
      tabs={[
        { id: 'servers', label: 'Servers', href: '#/servers', ...upCount(states) },
        { id: 'launches', label: 'Launches', href: '#/launches', number: launches },
      ]}
    />
  );
}
