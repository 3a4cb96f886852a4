import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { Usage, UsageBy, UsageRow } from '../../preload/contract/usage';
import { ExportButton, useExport } from '../shared/reports/index';
import { type Route, useUsage, useWorkbench } from '../state/index';
import { hoursText, monthName, tokensText, totalText } from '../text/usage';
import {
  type Column,
  DataTable,
  Disclosure,
  EmptyState,
  FailedState,
  LoadingState,
  plural,
  Screen,
  Select,
} from '../widgets/index';
import { MachineTabs } from './machine-tabs';
import styles from './usage-screen.module.css';

const LABELS = { project: 'Project', job: 'Job', month: 'Month' } as const satisfies Record<UsageBy, string>;
const ALL = 'all';
/** Pixels: the list is as high as its rows, and its notes follow it. */
const ROW = 26;

/** GPU-hours and tokens of all machines by project, job or month. */
export function UsageScreen(props: { readonly month: string | null; readonly by: UsageBy }) {
  const { month, by } = props;
  const { location } = useWorkbench();
  const usage = useUsage({ month, by });
  const exporting = useExport({ kind: 'usage', month });
  const months = usage.kind === 'ready' ? usage.value.months : [];
  const options = month === null || months.includes(month) ? months : [month, ...months];
  const show = (next: { readonly month?: string | null; readonly by?: UsageBy }): void =>
    location.go({ kind: 'usage', month, by, ...next }, { replace: true });
  const isUsed = usage.kind === 'ready' && months.length > 0;
  return (
    <Screen
      title="Machines"
      fill={isUsed}
      aside={<MachineTabs at="usage" />}
      actions={isUsed ? <ExportButton exporting={exporting} hasBundle={false} /> : undefined}
      below={
        isUsed ? (
          <div className={styles.controls}>
            <SegmentedControl
              aria-label="Rows"
              value={by}
              onChange={(value) => show({ by: value, ...(value === 'month' ? { month: null } : {}) })}
              data={(['project', 'job', 'month'] as const).map((value) => ({
                value,
                label: `By ${LABELS[value].toLowerCase()}`,
              }))}
            />
            {by !== 'month' && (
              <Select
                aria-label="Month"
                w={180}
                allowDeselect={false}
                value={month ?? ALL}
                onChange={(value) => show({ month: value === ALL || value === null ? null : value })}
                data={[
                  { value: ALL, label: 'All months' },
                  ...options.map((value) => ({ value, label: monthName(value) })),
                ]}
              />
            )}
            <span className={styles.soft}>{totalText(usage.value.total)}</span>
          </div>
        ) : undefined
      }
    >
      {usage.kind === 'loading' && <LoadingState text="Adding up GPU-hours and tokens" />}
      {usage.kind === 'failed' && (
        <FailedState title="Usage cannot be shown" message={usage.error.message} hint={usage.error.hint} />
      )}
      {usage.kind === 'ready' &&
        (isUsed ? (
          <UsageTable usage={usage.value} by={by} />
        ) : (
          <EmptyState title="Nothing was used yet">
            GPU-hours of every job, server and training are added up here, by project and month, with the
            tokens of studies. Jobs that are removed later still count.
          </EmptyState>
        ))}
    </Screen>
  );
}

const number = (
  id: string,
  label: string,
  of: (row: UsageRow) => number,
  text: (value: number) => string,
  from = 0,
) =>
  ({
    id,
    label,
    track: '116px',
    right: true,
    from,
    cell: (row) => text(of(row)),
    sortValue: of,
  }) satisfies Column<UsageRow>;

const AMOUNTS = [
  number('gpu-hours', 'GPU-hours', ({ gpuHours }) => gpuHours, hoursText),
  number('hours', 'Hours', ({ hours }) => hours, hoursText, 640),
  number('jobs', 'Jobs', ({ jobs }) => jobs, tokensText, 760),
  number('prompt', 'Prompt tokens', ({ promptTokens }) => promptTokens, tokensText, 860),
  number('completion', 'Completion tokens', ({ completionTokens }) => completionTokens, tokensText, 560),
];

function columnsOf(by: UsageBy): readonly Column<UsageRow>[] {
  return [
    {
      id: 'label',
      label: LABELS[by],
      track: 'minmax(180px, 2.6fr)',
      isFixed: true,
      cell: ({ label }) => <span className={styles.name}>{by === 'month' ? monthName(label) : label}</span>,
      sortValue: ({ label }) => label,
    },
    {
      id: 'about',
      label: by === 'month' ? 'State' : 'What it is',
      track: 'minmax(120px, 1fr)',
      from: 700,
      isEmpty: ({ about, isOpen }) => about === '' && !isOpen,
      cell: ({ about, isOpen }) => (
        <span className={styles.soft} title={about}>
          {[about, isOpen ? 'still running' : ''].filter(Boolean).join(', ')}
        </span>
      ),
    },
    // Each row is one job.
    ...AMOUNTS.filter(({ id }) => by !== 'job' || id !== 'jobs'),
  ];
}

function UsageTable(props: { readonly usage: Usage; readonly by: UsageBy }) {
  const { usage, by } = props;
  const { location } = useWorkbench();
  const [isShown, setShown] = useState(false);
  const open = (row: UsageRow): void => {
    const route = routeOf(row, by);
    if (route !== null) location.go(route);
  };
  const { rows, notes, leftOut } = usage;
  return (
    <div className={styles.page}>
      <div className={styles.table} style={{ height: rows.length * ROW + 36 }}>
        <DataTable
          label={`Usage by ${by}`}
          columns={columnsOf(by)}
          rows={rows}
          rowHeight={ROW}
          rowKey={({ id }) => id}
          rowLabel={({ label }) => label}
          onChoose={open}
        />
      </div>
      <div className={styles.foot}>
        <Disclosure
          label="What is counted, and what is not"
          open={isShown}
          onToggle={() => setShown(!isShown)}
        >
          <ul className={styles.notes}>
            {leftOut > 0 && <li>Not listed, but in the total: {plural(leftOut, 'smaller row')}.</li>}
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </Disclosure>
      </div>
    </div>
  );
}

/** Where a row leads; a month leads to its projects. */
function routeOf({ id, target }: UsageRow, by: UsageBy): Route | null {
  if (by === 'month') return { kind: 'usage', month: id, by: 'project' };
  switch (target?.kind) {
    case undefined:
      return null;
    case 'job':
      return { kind: 'jobs', jobId: target.id };
    case 'study':
      return { kind: 'study', studyId: target.id };
    case 'training':
      return { kind: 'training', trainingId: target.id, tab: 'curves' };
    case 'experiment':
      return { kind: 'experiment', experimentId: target.id };
    case 'reproduction':
      return { kind: 'reproduction', reproductionId: target.id };
  }
}
