import { useState } from 'react';
import type { Payload } from '../../../preload/contract/commands/index';
import type { OpenedBundle, ReportPart, ReportSource } from '../../../preload/contract/report';
import { useTask, useWorkbench } from '../../state/hooks';
import { readyValue } from '../../state/loadable';
import { useDebouncedQuery } from '../../state/use-debounced-query';
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

/** Props of `ReportMenu` for a source. */
export type ReportMenuState = {
  /** The bundle being written, once it takes long; null: none. */
  readonly task: ShownTask | null;
  /** Tables and figures that can be written; null: loading. */
  readonly parts: readonly ReportPart[] | null;
  readonly busy: boolean;
  /** Loads the parts when the menu opens. */
  readonly onOpen: () => void;
  readonly onWrite: (choice: Omit<Payload<'report.choose'>['request'], 'source'>) => void;
  /** Shows what a bundle would hold. */
  readonly onBundle: () => void;
  /** The dialog that shows it; null: closed. */
  readonly bundle: BundleDialogState | null;
};

const files = (count: number): string => (count === 1 ? '1 file' : `${count.toLocaleString('en')} files`);

/** Asks where to save, writes, and shows a notice with the path. A cancelled dialog shows nothing. */
export function useReportMenu(source: ReportSource): ReportMenuState {
  const { client, notices } = useWorkbench();
  const task = useShownTask('bundle-writing');
  const [busy, setBusy] = useState(false);
  const [opened, setOpened] = useState(false);
  const answer = useDebouncedQuery(opened ? { source } : null, (request) =>
    client.call('report.parts', request),
  );
  const during = (work: () => Promise<void>): void => {
    setBusy(true);
    void work().finally(() => setBusy(false));
  };
  const bundle = useWriteBundle(source, during);
  return {
    parts: answer?.kind === 'failed' ? [] : answer === null ? null : (readyValue(answer) ?? null),
    busy,
    task: busy ? task : null,
    onOpen: () => setOpened(true),
    onWrite: (choice) =>
      during(async () => {
        const written = await client.call('report.choose', { request: { source, ...choice } });
        if (!written.ok) {
          notices.showRefusal(written.error);
          return;
        }
        const [first] = written.value.files;
        if (first === undefined)
          return notices.show({ level: 'info', message: 'There was nothing to export.' });
        notices.showWritten(
          `Exported ${files(written.value.files.length)}, the first of them ${first.path}`,
          first.path,
        );
      }),
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
