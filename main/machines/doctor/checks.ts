import type { MachineSpec } from '../../../preload/contract';
import { limitsCheck, lingeringCheck } from '../logic/doctor/account-limits';
import { cudaCheck } from '../logic/doctor/cuda';
import { homeDiskCheck, homeFileSystemCheck, temporaryDiskCheck } from '../logic/doctor/disk';
import { loginShellCheck } from '../logic/doctor/login-shell';
import { pythonCheck } from '../logic/doctor/python';
import { quotaCheck } from '../logic/doctor/quota';
import { sandboxCheck } from '../logic/doctor/sandbox';
import { slurmSurvey } from '../logic/doctor/slurm';
import { tmuxCheck } from '../logic/doctor/tmux';
import { clockExamination } from './clock-examination';
import { detachExamination } from './detach-examination';
import { environmentExamination } from './environment-examination';
import { byScript, bySurvey, type Examination } from './examination';
import { gpuExamination } from './gpu-examination';
import { portExamination } from './port-examination';

/** What is examined on such a machine, in the order in which it is shown. */
export function examinationsFor(spec: MachineSpec): readonly Examination[] {
  return [
    byScript(loginShellCheck),
    clockExamination,
    portExamination(spec),
    ...(spec.kind === 'slurm' ? [bySurvey(slurmSurvey(spec.defaults))] : []),
    detachExamination,
    byScript(lingeringCheck),
    byScript(tmuxCheck),
    byScript(limitsCheck),
    byScript(homeDiskCheck),
    byScript(homeFileSystemCheck),
    byScript(quotaCheck),
    byScript(temporaryDiskCheck),
    gpuExamination,
    byScript(cudaCheck),
    byScript(pythonCheck),
    environmentExamination,
    byScript(sandboxCheck),
  ];
}
