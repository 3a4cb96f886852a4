import { Button, Menu } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useState } from 'react';
import {
  addsWork,
  countedRegrade,
  extensionText,
  gradingText,
  methodTitle,
} from '../../preload/contract/plans/index';
import type { Study, StudyView } from '../../preload/contract/study';
import { ExportButton, useExport } from '../shared/reports/index';
import { RenameStudy } from '../shared/studies/index';
import { type ExportKind, pathOf, type Route, type StudyCheck, useWorkbench } from '../state/index';
import { sharedSearchFacts } from '../text/search';
import { actionsOf, isActive, shareDone, studyStatus } from '../text/studies';
import {
  ConfirmDialog,
  clockTime,
  count,
  FactLine,
  MoreMenu,
  ProgressHead,
  plural,
  usePress,
} from '../widgets/index';
import { VerifyDialog } from './checks-dialog';
import { ExtendDialog } from './extend-dialog';
import { ParallelDialog } from './parallel-dialog';
import { RegradeDialog } from './regrade-dialog';
import { timeText } from './study-text';
import { useStudyCheck } from './use-study-check';

/** The actions that the study's state allows. */
export function StudyButtons(props: { readonly view: StudyView; readonly check: StudyCheck | null }) {
  const { study, state } = props.view;
  const { studyCommands } = useWorkbench();
  const start = usePress(() => studyCommands.start(study.id));
  const pause = usePress(() => studyCommands.pause(study.id));
  const cancel = usePress(() => studyCommands.cancel(study.id));
  const copy: Route = { kind: 'new-study', benchmarkId: null, from: study.id };
  const [asking, setAsking] = useState<'cancel' | 'parallel' | null>(null);
  const setChecking = useStudyCheck(study.id);
  // A study from another lab's bundle is read-only: it can only be removed.
  const can = actionsOf(state).filter((action) => action === 'remove' || props.view.fromBundle === undefined);
  const whyNotExtended = reasonNotExtended(props.view);
  return (
    <>
      {can.includes('start') && (
        <Button loading={start.busy} leftSection={<IconPlayerPlay size={14} />} onClick={start.press}>
          Start
        </Button>
      )}
      {can.includes('resume') && (
        <Button loading={start.busy} leftSection={<IconPlayerPlay size={14} />} onClick={start.press}>
          Resume
        </Button>
      )}
      {can.includes('dequeue') && (
        <Button variant="default" loading={pause.busy} onClick={pause.press}>
          Stop waiting
        </Button>
      )}
      {(can.includes('pause') || state.kind === 'pausing') && (
        <Button
          variant="default"
          loading={pause.busy || state.kind === 'pausing'}
          leftSection={<IconPlayerPause size={14} />}
          onClick={pause.press}
        >
          Pause
        </Button>
      )}
      {can.includes('cancel') && (
        <Button
          variant="default"
          loading={cancel.busy}
          leftSection={<IconPlayerStop size={14} />}
          onClick={() => setAsking('cancel')}
        >
          Stop
        </Button>
      )}
      {state.kind !== 'missing' && (
        <StudyExport
          studyId={study.id}
          opensNow={props.check === 'export'}
          onOpened={() => setChecking(null)}
        />
      )}
      <MoreMenu>
        <Menu.Item component="a" href={`#${pathOf(copy)}`}>
          New study like this
        </Menu.Item>
        <Menu.Item
          disabled={whyNotExtended !== null}
          rightSection={whyNotExtended}
          onClick={() => setChecking('extend')}
        >
          Extend…
        </Menu.Item>
        {props.view.fromBundle === undefined && (
          <>
            <Menu.Item onClick={() => setChecking('rename')}>Rename…</Menu.Item>
            <Menu.Item onClick={() => setAsking('parallel')}>Requests at once…</Menu.Item>
          </>
        )}
        {can.includes('remove') && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={() => setChecking('verify')}>Verify the journals</Menu.Item>
            <Menu.Item onClick={() => setChecking('regrade')}>Re-grade…</Menu.Item>
            <Menu.Divider />
            <Menu.Item onClick={() => void studyCommands.remove(study)}>Remove study</Menu.Item>
          </>
        )}
      </MoreMenu>
      {asking === 'parallel' && <ParallelDialog view={props.view} onClose={() => setAsking(null)} />}
      {props.check === 'extend' && (whyNotExtended === null || state.kind === 'pausing') && (
        <ExtendDialog view={props.view} onClose={() => setChecking(null)} />
      )}
      {props.check === 'rename' && props.view.fromBundle === undefined && (
        <RenameStudy study={study} onClose={() => setChecking(null)} />
      )}
      {props.check === 'verify' && <VerifyDialog study={study} onClose={() => setChecking(null)} />}
      {props.check === 'regrade' && <RegradeDialog study={study} onClose={() => setChecking(null)} />}
      <ConfirmDialog
        opened={asking === 'cancel'}
        title="Stop this study?"
        confirm="Stop study"
        cancel="Keep it running"
        onConfirm={cancel.press}
        onClose={() => setAsking(null)}
      >
        Programs being written now are lost. Everything graded so far is kept, and you can resume the study
        later.
      </ConfirmDialog>
    </>
  );
}

/** Why it cannot be extended now, in a few words; null: it can. */
function reasonNotExtended({ state, fromBundle }: StudyView): string | null {
  if (fromBundle !== undefined) return 'read-only';
  if (state.kind === 'pausing') return 'not while it stops';
  return state.kind === 'missing' ? 'folder missing' : null;
}

/** Which grading counts, where there are several. */
export function GradingLine({ study }: { readonly study: Study }) {
  if ((study.regrades ?? []).length === 0) return null;
  const counted = countedRegrade(study);
  const facts = [
    `Private verdicts: ${gradingText(counted)}`,
    ...(counted === null
      ? [`${plural(study.regrades?.length ?? 0, 're-grade')} not counted`]
      : [`${plural(counted.changed, 'verdict')} changed`, 'the search stays as it was']),
  ];
  return <FactLine label="Which grading counts" facts={facts} />;
}

/** What it waits for. */
export function QueueLine({ state }: Pick<StudyView, 'state'>) {
  if (state.kind !== 'queued') return null;
  return (
    <FactLine
      label="What it waits for"
      facts={[`Begins by itself when ${state.behind}, which is running ${state.where}, is done`]}
    />
  );
}

/** When it was extended, and by what. */
export function ExtensionLines({ extensions = [] }: Pick<Study, 'extensions'>) {
  return extensions.map((extension) => (
    <FactLine
      key={extension.at}
      label="Extension"
      facts={[
        `${addsWork(extension) ? 'Extended' : 'Limits changed'} ${clockTime(extension.at)}${extension.by === undefined ? '' : ` in the ${extension.by}`}`,
        extensionText(extension),
        ...(extension.afterResults ? ['after results were there'] : []),
      ]}
    />
  ));
}

/** One line: how the study searches, and on which problems. */
export function SearchLine({ view }: { readonly view: StudyView }) {
  const { study, parallel } = view;
  const { shared, differ } = sharedSearchFacts(study, methodTitle);
  const problems = Math.max(...study.runs.map(({ problemIds }) => problemIds.length));
  const seeds = [...new Set(study.runs.map(({ seed }) => seed))];
  const facts = [
    ...shared,
    ...(differ ? ['strategies differ between configurations, see their rows'] : []),
    plural(problems, 'problem'),
    ...(seeds.length > 1 ? [`${plural(seeds.length, 'seed')} (${seeds.join(', ')})`] : []),
    study.runs[0]?.benchmarkId ?? '',
    ...(parallel === undefined ? [] : [`at most ${plural(parallel, 'request')} at once to each server`]),
  ];
  return <FactLine label="How it searches" facts={facts} />;
}

/** Progress as a bar and in numbers. */
export function StudyProgress(props: { readonly view: StudyView }) {
  const { view } = props;
  const { progress, state } = view;
  const active = isActive(state);
  return (
    <ProgressHead
      label="Progress of the study"
      share={shareDone(view)}
      measure="of writing and grading"
      end={active ? null : studyStatus(state).text}
      time={timeText(view)}
    >
      <span>
        <b>{count(progress.nodesDone)}</b> of {plural(progress.nodesTotal, 'program')} written
      </span>
      <span>
        <b>{count(progress.gradedDone)}</b> graded
      </span>
      <span>
        <b>{count(progress.problemsDone)}</b> of {plural(progress.problemsTotal, 'search', 'searches')} done
      </span>
    </ProgressHead>
  );
}

/** What only a study has: all of its nodes, and the files that MARTI reads. */
const FILES: readonly { readonly kind: ExportKind; readonly label: string }[] = [
  { kind: 'nodes', label: 'Every node as CSV…' },
  { kind: 'marti', label: "MARTI's score files…" },
];

function StudyExport(props: {
  readonly studyId: string;
  readonly opensNow: boolean;
  readonly onOpened: () => void;
}) {
  const { studyId, ...opening } = props;
  const { studyCommands } = useWorkbench();
  const exporting = useExport({ kind: 'study', studyId });
  const [busy, setBusy] = useState(false);
  const others = FILES.map(({ kind, label }) => ({
    label,
    run: () => {
      setBusy(true);
      void studyCommands.exportCsv(studyId, kind).finally(() => setBusy(false));
    },
  }));
  return <ExportButton exporting={exporting} others={others} busy={busy} {...opening} />;
}
