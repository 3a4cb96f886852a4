import { idleGpusLabel } from '../../preload/contract/folds/index';
import type { JobView } from '../../preload/contract/job';
import { wasStopped } from '../state/index';
import { exitText, jobStatus } from '../text/jobs';
import { clockTime, StateMark } from '../widgets/index';

/** The state of a job, with its exit code, or the time since it is unknown. */
export function JobStateMark(props: { readonly job: JobView }) {
  const { job } = props;
  const { tone, text } = jobStatus(job);
  if (job.idleGpus !== undefined)
    return <StateMark tone="unsure" text={`${text}, ${idleGpusLabel(job.idleGpus)}`} />;
  return <StateMark tone={tone} text={wasStopped(job) ? text : stateText(job.state, text)} />;
}

function stateText(state: JobView['state'], text: string): string {
  if (state.kind === 'unknown') return `${text} since ${clockTime(state.since)}`;
  if (state.kind === 'exited' && state.code !== 0 && state.code !== null) {
    return `${text}, code ${exitText(state)}`;
  }
  return text;
}
