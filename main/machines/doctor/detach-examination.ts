import { bad, good } from '../logic/doctor/finding';
import { type Examination, notExamined } from './examination';

/** Starts a process as a job is started, looks that it is there, and ends it. */
export const detachExamination: Examination = {
  checks: [{ id: 'detach', title: 'Jobs start detached' }],
  run: async ({ machine }) => {
    const started = await machine.spawnDetached({ command: 'sleep', args: ['60'], cwd: '/', env: {} });
    if (!started.ok) {
      return started.error.code === 'unreachable'
        ? [notExamined(started.error)]
        : [
            bad(
              `A process could not be started on its own: ${started.error.message}`,
              'Ask for util-linux (`setsid`), perl or python3 there.',
            ),
          ];
    }
    const { pid } = started.value;
    const mark = await machine.processMark(pid);
    const members = await machine.groupMembers(pid);
    const ended = await machine.signalGroup(pid, 'SIGKILL');
    if (!mark.ok) return [notExamined(mark.error)];
    if (!members.ok) return [notExamined(members.error)];
    if (!ended.ok) return [notExamined(ended.error)];
    if (mark.value === null || !members.value.includes(pid)) {
      return [
        bad(
          'A process started on its own ended at once, or does not lead a group of its own: jobs could not be stopped as a whole.',
          'Ask for util-linux (`setsid`), perl or python3 there.',
        ),
      ];
    }
    return [good('A process in a session of its own was started, seen and ended.')];
  },
};
