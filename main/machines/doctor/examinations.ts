import type { MachineSpec } from '../../../preload/contract';
import { limitsCheck, lingeringCheck } from '../logic/doctor/account-limits';
import { CLOCK_SCRIPT, type ClockSample, clockFinding } from '../logic/doctor/clock-skew';
import { cudaCheck } from '../logic/doctor/cuda';
import { homeDiskCheck, homeFileSystemCheck, temporaryDiskCheck } from '../logic/doctor/disk';
import { ENVIRONMENTS_SCRIPT, PACKAGES, parseEnvironments } from '../logic/doctor/environments';
import { bad, good } from '../logic/doctor/finding';
import { gpuCardsFinding } from '../logic/doctor/gpu-cards';
import {
  importScript,
  PACKAGE_TITLES,
  packageFinding,
  parseTrials,
  TRIAL_SECONDS,
} from '../logic/doctor/import-trial';
import { loginShellCheck } from '../logic/doctor/login-shell';
import { pythonCheck } from '../logic/doctor/python';
import { quotaCheck } from '../logic/doctor/quota';
import { sandboxCheck } from '../logic/doctor/sandbox';
import { slurmSurvey } from '../logic/doctor/slurm';
import { tmuxCheck } from '../logic/doctor/tmux';
import { type Examination, notAnswered, scriptExamination, surveyExamination } from './examination';
import { portExamination } from './port-examination';

/** The examinations of such a machine, in the order in which they are shown. */
export function examinationsFor(spec: MachineSpec): readonly Examination[] {
  return [
    scriptExamination(loginShellCheck),
    clockExamination,
    portExamination(spec),
    ...(spec.kind === 'slurm' ? [surveyExamination(slurmSurvey(spec.defaults))] : []),
    detachExamination,
    scriptExamination(lingeringCheck),
    scriptExamination(tmuxCheck),
    scriptExamination(limitsCheck),
    scriptExamination(homeDiskCheck),
    scriptExamination(homeFileSystemCheck),
    scriptExamination(quotaCheck),
    scriptExamination(temporaryDiskCheck),
    gpuExamination,
    scriptExamination(cudaCheck),
    scriptExamination(pythonCheck),
    environmentExamination,
    gradingExamination,
  ];
}

/** The first question may have to wait for others on the connection; the quickest of some says most. */
const QUESTIONS = 3;

const clockExamination: Examination = {
  checks: [{ id: 'clock', title: 'Clock' }],
  run: async ({ machine, clock, signal }) => {
    const samples: ClockSample[] = [];
    for (let count = 0; count < QUESTIONS; count += 1) {
      const sentMs = clock.now();
      const answer = await machine.run(CLOCK_SCRIPT, { timeoutMs: 15_000, signal });
      if (!answer.ok) return [notAnswered(answer.error)];
      samples.push({ sentMs: sentMs, answeredMs: clock.now(), printed: answer.value.stdout });
    }
    return [clockFinding(samples)];
  },
};

/** Starts a process as a job is started, looks that it is there, and ends it. */
const detachExamination: Examination = {
  checks: [{ id: 'detach', title: 'Jobs start detached' }],
  run: async ({ machine }) => {
    const started = await machine.spawnDetached({ command: 'sleep', args: ['60'], cwd: '/', env: {} });
    if (!started.ok) {
      return started.error.code === 'unreachable'
        ? [notAnswered(started.error)]
        : [
            bad(
              `A process could not be started on its own: ${started.error.message}`,
              'Ask for util-linux (`setsid`), perl or python3 there.',
            ),
          ];
    }
    const { pid } = started.value;
    const mark = await machine.processIdentity(pid);
    const members = await machine.groupMembers(pid);
    const ended = await machine.signalGroup(pid, 'SIGKILL');
    if (!mark.ok) return [notAnswered(mark.error)];
    if (!members.ok) return [notAnswered(members.error)];
    if (!ended.ok) return [notAnswered(ended.error)];
    if (mark.value === null || !members.value.includes(pid)) {
      return [
        bad(
          'A process started on its own ended at once, or does not lead its own group: jobs could not be stopped as a whole.',
          'Ask for util-linux (`setsid`), perl or python3 there.',
        ),
      ];
    }
    return [good('A process in a session of its own was started, seen and ended.')];
  },
};

const SURVEY_MS = 90_000;

/** Finds environments with the engines in them, then imports each once. */
const environmentExamination: Examination = {
  checks: PACKAGES.map((name) => ({ id: name, title: PACKAGE_TITLES[name] })),
  run: async ({ machine, signal }) => {
    const listed = await machine.run(ENVIRONMENTS_SCRIPT, { timeoutMs: SURVEY_MS, signal });
    if (!listed.ok) return PACKAGES.map(() => notAnswered(listed.error));
    const survey = parseEnvironments(listed.value.stdout, machine.spec.kind === 'slurm');
    const script = importScript(survey);
    if (script === null) return PACKAGES.map((name) => packageFinding(name, survey, new Map()));
    const tried = await machine.run(script, { timeoutMs: TRIAL_SECONDS * 1_000, signal });
    if (!tried.ok && tried.error.code === 'unreachable') return PACKAGES.map(() => notAnswered(tried.error));
    const trials = parseTrials(tried.ok ? tried.value.stdout : '');
    return PACKAGES.map((name) => packageFinding(name, survey, trials));
  },
};

const gradingExamination: Examination = {
  checks: [sandboxCheck],
  run: async (deps) =>
    deps.machine.spec.kind === 'local' && deps.localGradingFinding !== undefined
      ? [await deps.localGradingFinding()]
      : scriptExamination(sandboxCheck).run(deps),
};

const gpuExamination: Examination = {
  checks: [{ id: 'gpus', title: 'GPUs' }],
  run: async ({ readGpus }) => {
    const gpus = await readGpus();
    return [gpus.ok ? gpuCardsFinding(gpus.value) : notAnswered(gpus.error)];
  },
};
