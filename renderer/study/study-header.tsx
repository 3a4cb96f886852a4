import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots, IconDownload, IconPlayerPause, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useState } from 'react';
import type { StudyView } from '../../preload/contract/study';
import { actionsOf, isActive, shareDone, useWorkbench } from '../state/index';
import { ConfirmDialog, count, ProgressLine, percent, plural, usePress } from '../widgets/index';
import styles from './study.module.css';
import { timeWords } from './time-words';

/** What can be done to the study now. */
export function StudyButtons(props: { readonly view: StudyView }) {
  const { study, state } = props.view;
  const { studyCommands } = useWorkbench();
  const start = usePress(() => studyCommands.start(study.id));
  const pause = usePress(() => studyCommands.pause(study.id));
  const cancel = usePress(() => studyCommands.cancel(study.id));
  const [asking, setAsking] = useState<'cancel' | 'remove' | null>(null);
  const can = actionsOf(state);
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
          Cancel
        </Button>
      )}
      <ExportMenu studyId={study.id} />
      {can.includes('remove') && (
        <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
          <Menu.Target>
            <ActionIcon variant="default" size={30} aria-label="More">
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => void studyCommands.remove(study)}>Remove study</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      <ConfirmDialog
        opened={asking === 'cancel'}
        title="Cancel this study?"
        confirm="Cancel study"
        keep="Keep it running"
        onConfirm={cancel.press}
        onClose={() => setAsking(null)}
      >
        The programs that are being written now are lost. Everything graded so far is kept, and the study can
        be resumed later.
      </ConfirmDialog>
    </>
  );
}

export function ExportMenu(props: { readonly studyId: string }) {
  const { studyCommands } = useWorkbench();
  const [busy, setBusy] = useState(false);
  const write = (what: 'table' | 'nodes' | 'curves') => () => {
    setBusy(true);
    void studyCommands.exportCsv(props.studyId, what).finally(() => setBusy(false));
  };
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <Button variant="default" loading={busy} leftSection={<IconDownload size={14} />}>
          Export CSV
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={write('table')}>Comparison table</Menu.Item>
        <Menu.Item onClick={write('curves')}>Curves</Menu.Item>
        <Menu.Item onClick={write('nodes')}>Every node</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** How far it is, in a line and in numbers. */
export function StudyProgress(props: { readonly view: StudyView }) {
  const { view } = props;
  const { progress, state } = view;
  const active = isActive(state);
  return (
    <div className={styles.progress}>
      <ProgressLine label="Progress of the study" share={shareDone(view)} still={!active} />
      <div className={styles.numbers} role="status" aria-label="Progress in numbers">
        <span>
          <b>{percent(shareDone(view), 0)}</b> %
        </span>
        <span>
          <b>{count(progress.nodesDone)}</b> of {plural(progress.nodesTotal, 'program')} written
        </span>
        <span>
          <b>{count(progress.gradedDone)}</b> graded
        </span>
        <span>
          <b>{count(progress.problemsDone)}</b> of {plural(progress.problemsTotal, 'search', 'searches')} done
        </span>
        <span className={styles.time}>{timeWords(view)}</span>
      </div>
    </div>
  );
}
