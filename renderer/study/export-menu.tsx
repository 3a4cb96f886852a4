import { Menu } from '@mantine/core';
import { useState } from 'react';
import { type ExportKind, useReportMenu, useWorkbench } from '../state/index';
import { ReportMenu } from '../widgets/index';

/** Files that a study has beside what a report tells: rows for a program to read, and MARTI's own. */
const FILES: readonly { readonly what: ExportKind; readonly label: string }[] = [
  { what: 'table', label: 'Comparison table (CSV)' },
  { what: 'curves', label: 'Curves (CSV)' },
  { what: 'pairs', label: 'Differences (CSV)' },
  { what: 'breakdowns', label: 'Parts of the problems (CSV)' },
  { what: 'nodes', label: 'Every node (CSV)' },
  { what: 'marti', label: "MARTI's score files" },
];

export function ExportMenu(props: { readonly studyId: string }) {
  const { studyId } = props;
  const { studyCommands } = useWorkbench();
  const report = useReportMenu({ kind: 'study', studyId });
  const [busy, setBusy] = useState(false);
  return (
    <ReportMenu {...report} busy={busy || report.busy}>
      {FILES.map(({ what, label }) => (
        <Menu.Item
          key={what}
          onClick={() => {
            setBusy(true);
            void studyCommands.exportCsv(studyId, what).finally(() => setBusy(false));
          }}
        >
          {label}
        </Menu.Item>
      ))}
    </ReportMenu>
  );
}
