import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { TaskLine } from '../../widgets/task-line';
import { BundleDialog } from './bundle-dialog';
import { ExportDialog, type OtherExport } from './export-dialog';
import type { ExportState } from './use-export';

/** Opens the export dialog; E does too, and so does `opensNow`, which `onOpened` takes back. */
export function ExportButton(props: {
  readonly exporting: ExportState;
  /** False: it cannot be in a bundle. */
  readonly hasBundle?: boolean;
  /** Exports besides tables and figures, e.g. every node of a study. */
  readonly others?: readonly OtherExport[];
  readonly busy?: boolean;
  /** The page was opened to export. */
  readonly opensNow?: boolean;
  readonly onOpened?: () => void;
}) {
  const { exporting, hasBundle = true, others = [], busy = false, opensNow = false } = props;
  const { parts, task, bundle, onOpen, onClose, onWrite, onBundle } = exporting;
  const button = useRef<HTMLButtonElement>(null);
  useHotkeys([['e', onOpen]]);
  const open = useEffectEvent((): void => {
    onOpen();
    props.onOpened?.();
  });
  useEffect(() => {
    if (opensNow) open();
  }, [opensNow]);
  // The dialog that opened this one is gone: the keyboard continues where the button is.
  const closeBundle = (): void => {
    bundle?.onClose();
    button.current?.focus();
  };
  return (
    <>
      {task !== null && <TaskLine {...task} />}
      <Button
        ref={button}
        variant="default"
        title="Tables and figures as files (E)"
        loading={busy || exporting.busy}
        leftSection={<IconDownload size={14} />}
        onClick={onOpen}
      >
        Export
      </Button>
      {parts !== null && (
        <ExportDialog
          parts={parts}
          others={[...others, ...(hasBundle ? [{ label: 'Bundle for another lab…', run: onBundle }] : [])]}
          busy={exporting.busy}
          onWrite={onWrite}
          onClose={onClose}
        />
      )}
      {bundle !== null && <BundleDialog {...bundle} onClose={closeBundle} />}
    </>
  );
}
