import { useState } from 'react';
import type { Payload } from '../../preload/contract/commands/index';
import type { OpenedBundle, ReportPart, ReportSource } from '../../preload/contract/report';
import { useTask, useWorkbench } from './hooks';
import { readyValue } from './loadable';
import { type TaskKind, taskShare, taskWords } from './tasks';
import { useAnswerOf } from './use-answer-of';

/** A long command as `TaskLine` shows it. */
export type ShownTask = {
  readonly words: string;
  /** In [0, 1]; null while nobody knows. */
  readonly share: number | null;
  readonly onCancel: () => void;
};

/** The command of this kind that this window gave, once it says how far it is. */
function useShownTask(kind: TaskKind): ShownTask | null {
  const { tasks } = useWorkbench();
  const task = useTask(kind);
  if (task === null) return null;
  return { words: taskWords(task), share: taskShare(task), onCancel: () => void tasks.cancel(kind) };
}

/** What the export menu of a source needs; spread over `ReportMenu`. */
export type ReportMenuState = {
  /** The bundle that is being written, once it takes long; null: none is. */
  readonly task: ShownTask | null;
  /** Tables and figures that can be written; null: not known yet; none where there is nothing to read. */
  readonly parts: readonly ReportPart[] | null;
  readonly busy: boolean;
  /** The menu was opened, so its parts are wanted. */
  readonly onOpen: () => void;
  readonly onWrite: (wish: Omit<Payload<'report.choose'>['order'], 'source'>) => void;
  readonly onBundle: () => void;
};

const files = (count: number): string => (count === 1 ? '1 file' : `${count.toLocaleString('en')} files`);

/** Asks where to, writes, and tells where it lies. A cancelled dialog is told by nobody. */
export function useReportMenu(source: ReportSource): ReportMenuState {
  const { client, notices, tasks } = useWorkbench();
  const task = useShownTask('bundle-writing');
  const [busy, setBusy] = useState(false);
  const [opened, setOpened] = useState(false);
  const answer = useAnswerOf(opened ? { source } : null, (request) => client.call('report.parts', request));
  const during = (work: () => Promise<void>): void => {
    setBusy(true);
    void work().finally(() => setBusy(false));
  };
  return {
    parts: answer?.kind === 'failed' ? [] : answer === null ? null : (readyValue(answer) ?? null),
    busy,
    task: busy ? task : null,
    onOpen: () => setOpened(true),
    onWrite: (wish) =>
      during(async () => {
        const written = await client.call('report.choose', { order: { source, ...wish } });
        if (!written.ok) {
          notices.refused(written.error);
          return;
        }
        const [first] = written.value.files;
        const where = first === undefined ? '' : `, the first of them ${first.path}`;
        notices.tell({
          level: 'info',
          message: `Exported ${files(written.value.files.length)}${where}`,
        });
      }),
    onBundle: () =>
      during(async () => {
        const written = await tasks.runBeside('bundle-writing', () =>
          client.call('bundle.choose', { source }),
        );
        if (!written.ok) {
          notices.refused(written.error);
          return;
        }
        const megabytes = (written.value.bytes / 1e6).toFixed(1);
        notices.tell({
          level: 'info',
          message: `Wrote the bundle: ${megabytes} MB in ${written.value.path}. Another lab opens it under Studies.`,
        });
      }),
  };
}

/** What came out of opening a bundle, in a sentence or two. */
export function bundleWords({ name, studyIds, reproductionIds, tables, differing }: OpenedBundle): string {
  const some = (value: number, one: string, many: string): string => `${value} ${value === 1 ? one : many}`;
  const holds = [
    ...(studyIds.length > 0 ? [some(studyIds.length, 'study', 'studies')] : []),
    ...(reproductionIds.length > 0 ? [some(reproductionIds.length, 'reproduction', 'reproductions')] : []),
  ].join(' and ');
  const checked =
    tables === 0
      ? ''
      : differing.length === 0
        ? ` Its ${some(tables, 'table was', 'tables were')} worked out again from its journals: the same to the byte.`
        : ` Worked out again from its journals, these tables differ from the bundle's own: ${differing.join(', ')}.`;
  return `Opened ${name}: ${holds}, to be looked at.${checked}`;
}

/** Opens a bundle of another lab that a person chooses; `onOpened` goes where it can be seen. */
export function useOpenBundle(onOpened: (bundle: OpenedBundle) => void): {
  readonly busy: boolean;
  readonly task: ShownTask | null;
  readonly open: () => void;
} {
  const { client, notices, tasks } = useWorkbench();
  const task = useShownTask('bundle-opening');
  const [busy, setBusy] = useState(false);
  const work = async (): Promise<void> => {
    const answer = await tasks.runBeside('bundle-opening', () => client.call('bundle.chooseOpen', {}));
    if (!answer.ok) {
      notices.refused(answer.error);
      return;
    }
    notices.tell({
      level: answer.value.differing.length === 0 ? 'info' : 'error',
      message: bundleWords(answer.value),
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
