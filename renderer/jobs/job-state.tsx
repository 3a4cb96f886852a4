import type { JobView } from '../../preload/contract/job';
import { wasStopped } from '../state/index';
import { exitText, jobStatus } from '../text/jobs';
import { clockTime, StateMark } from '../widgets/index';

/** The state of a job, with its exit code, or the time since it is unknown. */
export function JobStateMark(props: { readonly job: JobView }) {
  const { job } = props;
  const { tone, text: words } = jobStatus(job);
  return <StateMark tone={tone} text={wasStopped(job) ? words : stateText(job.state, words)} />;
}

function stateText(state: JobView['state'], words: string): string {
  if (state.kind === 'unknown') return `${words} since ${clockTime(state.since)}`;
  if (state.kind === 'exited' && state.code !== 0 && state.code !== null) {
    return `${words}, code ${exitText(state)}`;
  }
  return words;
}
