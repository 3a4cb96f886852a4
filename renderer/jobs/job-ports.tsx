import type { JobView } from '../../preload/contract/job';
import type { MachineView } from '../../preload/contract/machine';
import { PortsSection, useIsRemote } from '../shared/machines/index';
import { useLoggedPorts } from '../state/index';

/** Ports of a running job on another computer than the browser's, first those that its log names. */
export function JobPorts(props: { readonly job: JobView; readonly machine: MachineView | null }) {
  const { job, machine } = props;
  if (job.state.kind !== 'running' || machine === null) return null;
  return <RunningJobPorts jobId={job.id} machine={machine} />;
}

function RunningJobPorts(props: { readonly jobId: string; readonly machine: MachineView }) {
  return useIsRemote(props.machine) ? <RemotePorts {...props} /> : null;
}

function RemotePorts(props: { readonly jobId: string; readonly machine: MachineView }) {
  return <PortsSection {...props} logged={useLoggedPorts(props.jobId)} />;
}
