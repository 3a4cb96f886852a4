import { counted } from '../../base/index';

/** The gaps of a table of usage, a sentence each. */
export function usageNotes(known: {
  /** Starts with GPUs whose end was not recorded. */
  readonly noticed: number;
  /** Lines of the ledger that cannot be read. */
  readonly unread: number;
  /** Trainings whose tokens are not counted. */
  readonly uncounted: number;
  readonly hasProjects: boolean;
  /** Damaged counts of tokens, as files. */
  readonly damaged: readonly string[];
  /** Why it is not known which job answered a study, a sentence for each. */
  readonly unattributed: readonly string[];
}): readonly string[] {
  const { noticed, unread, uncounted, hasProjects, damaged, unattributed } = known;
  return [
    'GPU-hours are the GPUs that a job held times the hours from its start to its end, idle or not; a shared GPU counts for each job on it. Months are those of UTC.',
    'Jobs of the workbench only: other users of a machine, and what was started there without it, are not in it.',
    'For the time when the workbench was closed, the end is taken from what the job itself wrote. While a machine is silent, hours count up to when that began.',
    ...(hasProjects
      ? [
          'A project is the study, training, experiment or reproduction that ordered a job. A server that several use counts for the one that started it.',
        ]
      : []),
    'Tokens are those that servers reported for the studies of this data folder, and those of the samples that our own trainings learned from. Recordings, servers that other programs ask, MARTI and recipes are not in them.',
    ...(noticed > 0
      ? [
          `${counted(noticed, 'start')} ended without a record of when (killed, or the machine restarted): the time until that was noticed counts.`,
        ]
      : []),
    ...(uncounted > 0
      ? [
          `Not in it yet: the tokens of ${counted(uncounted, 'training')} that still ${uncounted === 1 ? 'runs' : 'run'}, or whose machine does not answer.`,
        ]
      : []),
    ...damaged.map(
      (path) =>
        `${path} is damaged, so the tokens of what was removed before are not in it. This is said until you remove that file.`,
    ),
    ...unattributed.map((why) => `${why} Its tokens are of no job here.`),
    ...(unread > 0
      ? [
          `${counted(unread, 'line')} of usage/starts.jsonl in the data folder cannot be read: what they say is not in it.`,
        ]
      : []),
  ];
}
