import { readyValue, useMachines } from '../state/index';
import { NavTabs } from '../widgets/index';

/** Tabs between the machines and what was used of them. */
export function MachineTabs(props: { readonly at: 'machines' | 'usage' }) {
  const machines = readyValue(useMachines())?.length ?? 0;
  return (
    <NavTabs
      label="Machines and usage"
      current={props.at}
      tabs={[
        { id: 'machines', label: 'Machines', href: '#/machines', number: machines },
        { id: 'usage', label: 'Usage', href: '#/machines?view=usage', number: 0 },
      ]}
    />
  );
}
