import type { SpotlightActionData } from '@mantine/spotlight';
import { useMemo } from 'react';
import { readyValue, useMachines, useTerminals, type WorkbenchState } from '../state/index';
import { accessText } from '../text/machines';

/** Machines and terminals as the palette names them. */
export type MachineEntries = {
  readonly machines: readonly { readonly id: string; readonly name: string; readonly access: string }[];
  readonly terminals: readonly { readonly id: string; readonly title: string }[];
};

/** The same object while the names are: looks at GPUs come every few seconds, and the palette shows none. */
export function useMachineEntries(): MachineEntries {
  const machines = (readyValue(useMachines()) ?? []).map(({ spec }) => ({
    id: spec.id,
    name: spec.name,
    access: accessText(spec),
  }));
  const terminals = (readyValue(useTerminals()) ?? []).flatMap(({ id, title, purpose }) =>
    purpose === 'shell' ? [{ id, title }] : [],
  );
  const key = JSON.stringify({ machines, terminals });
  return useMemo(() => ({ machines, terminals }), [key]);
}

export function machineActions(
  state: WorkbenchState,
  { machines, terminals }: MachineEntries,
): readonly SpotlightActionData[] {
  const { location } = state;
  return [
    {
      id: 'do-add-machine',
      group: 'Actions',
      label: 'Add a machine',
      onClick: () => location.go({ kind: 'new-machine' }),
    },
    {
      id: 'do-show-usage',
      group: 'Actions',
      label: 'Show usage: GPU-hours and tokens',
      keywords: ['ledger', 'month', 'project'],
      onClick: () => location.go({ kind: 'usage', month: null, by: 'project' }),
    },
    ...machines.flatMap(({ id, name, access }) => [
      {
        id: `machine-${id}`,
        group: 'Machines',
        label: name,
        description: access,
        keywords: [id, 'machine', 'gpu'],
        onClick: () => location.go({ kind: 'machine', machineId: id }),
      },
      {
        id: `do-terminal-${id}`,
        group: 'Actions',
        label: `Open a terminal on ${name}`,
        keywords: [id, 'shell', 'ssh'],
        onClick: () => void state.terminals.open(id),
      },
    ]),
    ...terminals.map(({ id, title }) => ({
      id: `terminal-${id}`,
      group: 'Terminals',
      label: `Terminal: ${title}`,
      onClick: () => location.go({ kind: 'terminals', terminalId: id }),
    })),
  ];
}
