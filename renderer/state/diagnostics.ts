import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DiagnosticsPart, DiagnosticsPartId } from '../../preload/contract/diagnostics';
import { DIAGNOSTICS_PARTS } from '../../preload/contract/plans/index';
import type { Refusal } from '../../preload/contract/refusal';
import type { WorkbenchClient } from '../workbench-client';
import { LOADING, type Loadable, loaded } from './loadable';
import type { Notices } from './notices';

/** The report of a problem as the dialog shows it. */
export type ProblemReport = {
  readonly isOpen: boolean;
  /** When it was opened, an ISO date. */
  readonly madeAt: string;
  readonly parts: ReadonlyMap<DiagnosticsPartId, Loadable<DiagnosticsPart>>;
  /** What a person wrote; kept until the report is saved. */
  readonly note: string;
  readonly leftOut: ReadonlySet<DiagnosticsPartId>;
};

export type Diagnostics = {
  readonly store: StoreApi<ProblemReport>;
  /** Shows the dialog, and collects every part again. */
  readonly open: () => void;
  readonly close: () => void;
  /** Collects a part again. */
  readonly collect: (part: DiagnosticsPartId) => void;
  readonly setNote: (note: string) => void;
  readonly leaveOut: (part: DiagnosticsPartId, isLeftOut: boolean) => void;
  /** Asks where to save the text as it was shown, and closes the dialog; returns a refusal for it. */
  readonly save: (text: string) => Promise<Refusal | null>;
  /** Puts an error of this page into the app's log. */
  readonly log: (about: string, error: Error) => void;
};

const CLOSED: ProblemReport = {
  isOpen: false,
  madeAt: '',
  parts: new Map(),
  note: '',
  leftOut: new Set(),
};
/** As many as the contract takes. */
const MAX_ABOUT = 200;
const MAX_ERROR = 20_000;

export function createDiagnostics(client: WorkbenchClient, notices: Notices): Diagnostics {
  const store = createStore<ProblemReport>(() => CLOSED);
  /** Answers to an earlier opening are out of date. */
  let opening = 0;
  const collect = async (part: DiagnosticsPartId): Promise<void> => {
    const attempt = opening;
    const set = (value: Loadable<DiagnosticsPart>): void => {
      if (attempt === opening) store.setState(({ parts }) => ({ parts: new Map(parts).set(part, value) }));
    };
    set(LOADING);
    set(loaded(await client.call('diagnostics.part', { part })));
  };
  return {
    store,
    open: () => {
      if (store.getState().isOpen) return;
      opening += 1;
      store.setState({ isOpen: true, madeAt: new Date().toISOString(), parts: new Map() });
      for (const { id } of DIAGNOSTICS_PARTS) void collect(id);
    },
    close: () => {
      opening += 1;
      store.setState({ isOpen: false });
    },
    collect: (part) => void collect(part),
    setNote: (note) => store.setState({ note }),
    leaveOut: (part, isLeftOut) => {
      const leftOut = new Set(store.getState().leftOut);
      if (isLeftOut) leftOut.add(part);
      else leftOut.delete(part);
      store.setState({ leftOut });
    },
    save: async (text) => {
      const answer = await client.call('diagnostics.choose', { text });
      if (!answer.ok) return answer.error.code === 'cancelled' ? null : answer.error;
      opening += 1;
      store.setState(CLOSED);
      notices.showWritten(
        `Saved the report to ${answer.value.path}. Nothing was sent: attach the file where you report the problem.`,
        answer.value.path,
      );
      return null;
    },
    log: (about, error) => {
      const text = (error.stack ?? error.message).slice(0, MAX_ERROR);
      void client.call('diagnostics.log', { about: about.slice(0, MAX_ABOUT), error: text });
    },
  };
}
