import { Button } from '@mantine/core';
import { leftOutNotice } from '../../preload/contract/folds/left-out-text';
import { logCopyText } from '../../preload/contract/folds/log-copy-text';
import type { LeftOutPart } from '../../preload/contract/job';
import { useTask, useWorkbench } from '../state/index';
import { taskLabel, taskShare } from '../text/tasks';
import { TaskLine, TimeAgo } from '../widgets/index';
import classes from './log-notes.module.css';
import type { LogView } from './log-view';

/** What a reader should know of the shown part: that it is a copy, lacks something, or could not be read. */
export function LogNotes(props: {
  readonly view: LogView;
  readonly onGoTo: (offset: number) => void;
  readonly onRetry: () => void;
}) {
  const { view, onGoTo, onRetry } = props;
  return (
    <>
      <Saving />
      {view.copy !== null && <CopyNote copy={view.copy} missing={view.leftOut} />}
      {view.leftOut !== null && view.copy === null && <LeftOut part={view.leftOut} onGoTo={onGoTo} />}
      {view.failure !== null && (
        <div className={classes.failure} role="alert">
          <span>{view.failure}</span>
          <Button size="compact-xs" variant="subtle" onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
    </>
  );
}

function LeftOut(props: { readonly part: LeftOutPart; readonly onGoTo: (offset: number) => void }) {
  const { part, onGoTo } = props;
  return (
    <div className={classes.leftOut} role="note">
      <span>{leftOutNotice(part)}</span>
      <Button size="compact-xs" variant="subtle" onClick={() => onGoTo(part.from)}>
        Go there
      </Button>
    </div>
  );
}

/** That this is a copy, why, how old it is and what it lacks. */
function CopyNote(props: {
  readonly copy: NonNullable<LogView['copy']>;
  readonly missing: LeftOutPart | null;
}) {
  const { copy, missing } = props;
  return (
    <div className={classes.leftOut} role="note">
      <span>
        {logCopyText(copy)} Copied <TimeAgo at={copy.at} />.
        {missing?.isCopy === true && ` ${leftOutNotice(missing)}`}
      </span>
    </div>
  );
}

function Saving() {
  const task = useTask('log-download');
  const { tasks } = useWorkbench();
  if (task === null) return null;
  return (
    <div className={classes.saving}>
      <TaskLine
        label={taskLabel(task)}
        share={taskShare(task)}
        onCancel={() => void tasks.cancel('log-download')}
      />
    </div>
  );
}
