import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useRef } from 'react';
import { TaskLine } from '../../widgets/task-line';
import { BundleDialog } from './bundle-dialog';
import styles from './report-menu.module.css';
import type { BundleDialogState } from './use-write-bundle';

type Part = { readonly id: string; readonly title: string; readonly kind: 'table' | 'figure' };
type ExportChoice = {
  readonly part?: string;
  readonly format: 'csv' | 'csv-long' | 'latex' | 'markdown' | 'json' | 'svg' | 'pdf' | 'png' | 'all';
  readonly width?: 'one-column' | 'two-columns';
};
type Offer = { readonly label: string } & Omit<ExportChoice, 'part'>;

const TABLE: readonly Offer[] = [
  { label: 'LaTeX (booktabs)', format: 'latex' },
  { label: 'Markdown', format: 'markdown' },
  { label: 'CSV, one row per configuration', format: 'csv' },
  { label: 'CSV, one row per value', format: 'csv-long' },
  { label: 'JSON', format: 'json' },
];
const FIGURE: readonly Offer[] = [
  ...(['pdf', 'svg', 'png'] as const).flatMap((format): Offer[] => [
    { label: `${format.toUpperCase()}, one column (84 mm)`, format, width: 'one-column' },
    { label: `${format.toUpperCase()}, two columns (178 mm)`, format, width: 'two-columns' },
  ]),
  { label: 'CSV of its points', format: 'csv' },
];

/** The export menu: tables, figures, everything in a folder, a bundle. */
export function ReportMenu(props: {
  /** null: loading. */
  readonly parts: readonly Part[] | null;
  readonly busy: boolean;
  /** The bundle being written; null: none. */
  readonly task: {
    readonly label: string;
    readonly share: number | null;
    readonly onCancel: () => void;
  } | null;
  readonly onOpen: () => void;
  readonly onWrite: (choice: ExportChoice) => void;
  /** null: it cannot be in a bundle. */
  readonly onBundle: (() => void) | null;
  /** What a bundle would hold, once it is asked for; null: closed. */
  readonly bundle: BundleDialogState | null;
  /** Extra items, e.g. files of studies. */
  readonly children?: React.ReactNode;
}) {
  const { parts, busy, task, onOpen, onWrite, onBundle, bundle, children } = props;
  const button = useRef<HTMLButtonElement>(null);
  // The menu item that opened the dialog is gone: the keyboard goes on where the menu is.
  const closeBundle = (): void => {
    bundle?.onClose();
    button.current?.focus();
  };
  const group = (kind: Part['kind'], offers: readonly Offer[]) =>
    (parts ?? [])
      .filter((part) => part.kind === kind)
      .map((part) => (
        <Menu.Sub key={part.id} floatingStrategy="fixed" transitionProps={{ duration: 0 }}>
          <Menu.Sub.Target>
            <Menu.Sub.Item>{part.title}</Menu.Sub.Item>
          </Menu.Sub.Target>
          <Menu.Sub.Dropdown>
            {offers.map(({ label, ...choice }) => (
              <Menu.Item key={label} onClick={() => onWrite({ part: part.id, ...choice })}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Sub.Dropdown>
        </Menu.Sub>
      ));
  const tables = group('table', TABLE);
  const figures = group('figure', FIGURE);
  const menu = (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }} onOpen={onOpen}>
      <Menu.Target>
        <Button ref={button} variant="default" loading={busy} leftSection={<IconDownload size={14} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={styles.parts}>
        {parts !== null && parts.length > 0 && (
          <Menu.Item onClick={() => onWrite({ format: 'all' })}>Everything, in all formats…</Menu.Item>
        )}
        {onBundle !== null && <Menu.Item onClick={onBundle}>Bundle for another lab…</Menu.Item>}
        <Menu.Divider />
        {parts === null && <Menu.Label>Loading…</Menu.Label>}
        {tables.length > 0 && <Menu.Label>Tables</Menu.Label>}
        {tables}
        {figures.length > 0 && <Menu.Label>Figures</Menu.Label>}
        {figures}
        {children !== undefined && <Menu.Divider />}
        {children}
      </Menu.Dropdown>
    </Menu>
  );
  return (
    <>
      {task !== null && <TaskLine {...task} />}
      {menu}
      {bundle !== null && <BundleDialog {...bundle} onClose={closeBundle} />}
    </>
  );
}
