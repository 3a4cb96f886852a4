import { useRef, useState } from 'react';
import type { OpenedBundle, ReportPart, ReportSource } from '../../../preload/contract/report';
import { type ExportedPart, writeExport } from '../../state/exports';
import { useTask, useWorkbench } from '../../state/hooks';
import { LOADING, type Loadable, loaded } from '../../state/loadable';
import { openedBundleText } from '../../text/reports';
import { type TaskKind, taskLabel, taskShare } from '../../text/tasks';
import { type BundleDialogState, useWriteBundle } from './use-write-bundle';

/** A long command as `TaskLine` shows it. */
export type ShownTask = {
  readonly label: string;
  /** In [0, 1]; null: not known. */
  readonly share: number | null;
  readonly onCancel: () => void;
};

/** The running command of this kind, once it reports progress. */
function useShownTask(kind: TaskKind): ShownTask | null {
  const { tasks } = useWorkbench();
  const task = useTask(kind);
  if (task === null) return null;
  return { label: taskLabel(task), share: taskShare(task), onCancel: () => void tasks.cancel(kind) };
}

/** Export of a source: the dialog's state, and what its buttons do. */
export type ExportState = {
  /** The bundle being written, once it takes long; null: none. */
  readonly task: ShownTask | null;
  readonly busy: boolean;
  /** Tables and figures that can be written; null: the dialog is closed. */
  readonly parts: Loadable<readonly ReportPart[]> | null;
  readonly onOpen: () => void;
  readonly onClose: () => void;
  readonly onWrite: (parts: readonly ExportedPart[] | 'all') => void;
  /** Shows what a bundle would hold. */
  readonly onBundle: () => void;
  /** The dialog that shows it; null: closed. */
  readonly bundle: BundleDialogState | null;
};

/** What `ExportButton` needs for a source. */
export function useExport(source: ReportSource): ExportState {
  const workbench = useWorkbench();
  const task = useShownTask('bundle-writing');
  const [busy, setBusy] = useState(false);
  const [parts, setParts] = useState<ExportState['parts']>(null);
  /** An answer to a dialog that was closed since is out of date. */
  const opened = useRef(0);
  const during = (work: () => Promise<void>): void => {
    setBusy(true);
    void work().finally(() => setBusy(false));
  };
  const bundle = useWriteBundle(source, during);
  const close = (): void => {
    opened.current += 1;
    setParts(null);
  };
  const open = async (): Promise<void> => {
    opened.current += 1;
    const now = opened.current;
    setParts(LOADING);
    const answer = await workbench.client.call('report.parts', { source });
    if (now === opened.current) setParts(loaded(answer));
  };
  return {
    task: busy ? task : null,
    busy,
    parts,
    onOpen: () => void open(),
    onClose: close,
    onWrite: (chosen) => {
      const now = opened.current;
      during(async () => {
        // After a failure or a cancelled file dialog the choices are still there, to try again.
        if ((await writeExport(workbench, source, chosen)) && now === opened.current) close();
      });
    },
    onBundle: bundle.show,
    bundle: bundle.dialog,
  };
}

/** Opens a bundle that the user chooses; `onOpened` navigates to it. */
export function useOpenBundle(onOpened: (bundle: OpenedBundle) => void): {
  readonly busy: boolean;
  readonly task: ShownTask | null;
  readonly open: () => void;
} {
  const { client, notices, tasks } = useWorkbench();
  const task = useShownTask('bundle-opening');
  const [busy, setBusy] = useState(false);
  const work = async (): Promise<void> => {
    const answer = await tasks.runConcurrent('bundle-opening', () => client.call('bundle.chooseOpen', {}));
    if (!answer.ok) {
      notices.showRefusal(answer.error);
      return;
    }
    notices.show({
      level: answer.value.differing.length === 0 ? 'info' : 'error',
      message: openedBundleText(answer.value),
    });
    onOpened(answer.value);
  };
  return {
    busy,
    task: busy ? task : null,
    open: () => {
      setBusy(true);
      void work().finally(() => setBusy(false));
    },
  };
}
