import { Button, SegmentedControl } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { ReportPart } from '../../../preload/contract/report';
import {
  type ExportChoice,
  type ExportedPart,
  exportedPart,
  FIGURE_FORMATS,
  FIGURE_WIDTHS,
  lastExport,
  rememberExport,
  TABLE_FORMATS,
  tickedParts,
} from '../../state/exports';
import { type Loadable, readyValue } from '../../state/loadable';
import { EXPORTING_TEXT, exportFilesText } from '../../text/reports';
import { CheckList } from '../../widgets/check-list';
import { Dialog } from '../../widgets/dialog';
import { ErrorNote } from '../../widgets/error-note';
import { LoadingState } from '../../widgets/states';
import styles from './export-dialog.module.css';

/** An export with a file format of its own, one press each. */
export type OtherExport = { readonly label: string; readonly run: () => void };

const FORMAT_LABELS = {
  latex: 'LaTeX',
  markdown: 'Markdown',
  csv: 'CSV',
  'csv-long': 'CSV, a row per value',
  json: 'JSON',
  pdf: 'PDF',
  svg: 'SVG',
  png: 'PNG',
} as const;
const WIDTH_LABELS = { 'one-column': 'One column, 84 mm', 'two-columns': 'Two columns, 178 mm' } as const;
const KINDS = [
  ['table', 'Tables'],
  ['figure', 'Figures'],
] as const;

/** Which tables and figures are written, in which format; what was chosen last is chosen. Enter exports. */
export function ExportDialog(props: {
  readonly parts: Loadable<readonly ReportPart[]>;
  readonly others: readonly OtherExport[];
  /** Files are being written. */
  readonly busy: boolean;
  readonly onWrite: (parts: readonly ExportedPart[] | 'all') => void;
  readonly onClose: () => void;
}) {
  const { parts, others, busy, onWrite, onClose } = props;
  const listed = readyValue(parts) ?? [];
  const [choice, setChoice] = useState(lastExport);
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  /** Whether the last pressed button was the one for everything, not the one for the ticked parts. */
  const [all, setAll] = useState(false);
  const ticked = chosen ?? tickedParts(listed, choice.parts);
  const write = (event: FormEvent): void => {
    event.preventDefault();
    setAll(false);
    rememberExport({ ...choice, parts: ticked });
    onWrite(listed.filter(({ id }) => ticked.includes(id)).map((part) => exportedPart(part, choice)));
  };
  return (
    <Dialog opened onClose={onClose} title="Export" size={720} yOffset="8vh">
      <form onSubmit={write}>
        {parts.kind === 'loading' && <LoadingState text="Looking for tables and figures" />}
        {parts.kind === 'failed' && <ErrorNote message={parts.error.message} hint={parts.error.hint} />}
        {parts.kind === 'ready' && listed.length === 0 && (
          <p className={styles.none}>Nothing has been measured yet, so there is no table or figure.</p>
        )}
        {listed.length > 0 && (
          <>
            {KINDS.map(([kind, label]) => {
              const items = listed
                .filter((part) => part.kind === kind)
                .map(({ id, title }) => ({ id, label: title }));
              const others = ticked.filter((id) => !items.some((item) => item.id === id));
              return (
                <CheckList
                  key={kind}
                  label={label}
                  items={items}
                  ticked={ticked}
                  onTick={(ids) => setChosen([...others, ...ids])}
                />
              );
            })}
            <Formats choice={choice} onChoice={setChoice} />
          </>
        )}
        <div className={styles.foot} data-actions>
          <p aria-live="polite">
            {busy ? EXPORTING_TEXT : listed.length > 0 && exportFilesText(ticked.length)}
          </p>
          <Button variant="default" onClick={onClose}>
            {busy ? 'Close' : 'Cancel'}
          </Button>
          <Button
            type="submit"
            loading={busy && !all}
            disabled={busy || listed.length === 0 || ticked.length === 0}
          >
            Export…
          </Button>
        </div>
      </form>
      <div className={styles.others}>
        <h3>Or all at once</h3>
        {listed.length > 0 && (
          <Button
            variant="subtle"
            size="compact-xs"
            loading={busy && all}
            disabled={busy}
            onClick={() => {
              setAll(true);
              onWrite('all');
            }}
          >
            Every table and figure in every format…
          </Button>
        )}
        {others.map(({ label, run }) => (
          <Button
            key={label}
            variant="subtle"
            size="compact-xs"
            onClick={() => {
              onClose();
              run();
            }}
          >
            {label}
          </Button>
        ))}
      </div>
    </Dialog>
  );
}

function Formats(props: {
  readonly choice: ExportChoice;
  readonly onChoice: (choice: ExportChoice) => void;
}) {
  const { choice, onChoice } = props;
  return (
    <div className={styles.formats}>
      <span>Tables as</span>
      <SegmentedControl
        aria-label="Tables as"
        value={choice.table}
        onChange={(table) => onChoice({ ...choice, table })}
        data={TABLE_FORMATS.map((value) => ({ value, label: FORMAT_LABELS[value] }))}
      />
      <span>Figures as</span>
      <SegmentedControl
        aria-label="Figures as"
        value={choice.figure}
        onChange={(figure) => onChoice({ ...choice, figure })}
        data={FIGURE_FORMATS.map((value) => ({
          value,
          label: value === 'csv' ? 'CSV of its points' : FORMAT_LABELS[value],
        }))}
      />
      <span>Figures for</span>
      <SegmentedControl
        aria-label="Figures for"
        value={choice.width}
        disabled={choice.figure === 'csv'}
        onChange={(width) => onChoice({ ...choice, width })}
        data={FIGURE_WIDTHS.map((value) => ({ value, label: WIDTH_LABELS[value] }))}
      />
    </div>
  );
}
