import { useRef, useState } from 'react';
import type { BundleContents, ReportSource } from '../../../preload/contract/report';
import { useWorkbench } from '../../state/hooks';
import { LOADING, type Loadable, loaded } from '../../state/loadable';

/** What a bundle would hold, before a person chooses where to write it. */
export type BundleDialogState = {
  readonly contents: Loadable<BundleContents>;
  readonly onWrite: () => void;
  readonly onClose: () => void;
};

/** Shows what a bundle of the source would hold, then asks where to write it; `during` shows that it works. */
export function useWriteBundle(
  source: ReportSource,
  during: (work: () => Promise<void>) => void,
): { readonly show: () => void; readonly dialog: BundleDialogState | null } {
  const { client, notices, tasks } = useWorkbench();
  const [contents, setContents] = useState<Loadable<BundleContents> | null>(null);
  /** An answer to a dialog that was closed since is out of date. */
  const requestNumber = useRef(0);
  const close = (): void => {
    requestNumber.current += 1;
    setContents(null);
  };
  const read = async (): Promise<void> => {
    requestNumber.current += 1;
    const now = requestNumber.current;
    setContents(LOADING);
    const answer = await client.call('bundle.contents', { source });
    if (now === requestNumber.current) setContents(loaded(answer));
  };
  const write = async (): Promise<void> => {
    close();
    const written = await tasks.runConcurrent('bundle-writing', () =>
      client.call('bundle.choose', { source }),
    );
    if (!written.ok) return notices.showRefusal(written.error);
    const megabytes = (written.value.bytes / 1e6).toFixed(1);
    notices.showWritten(
      `Wrote the bundle: ${megabytes} MB in ${written.value.path}. Another lab opens it under Studies.`,
      written.value.path,
    );
  };
  return {
    show: () => void read(),
    dialog: contents === null ? null : { contents, onWrite: () => during(write), onClose: close },
  };
}
