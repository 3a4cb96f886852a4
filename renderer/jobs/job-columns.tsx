import type { JobView } from '../../preload/contract/job';
import { ranMs, stalledSince } from '../text/jobs';
import { bytes, type Column, duration, MiddleEllipsis, TimeAgo } from '../widgets/index';
import { type JobPurpose, purposeText } from './job-purpose';
import { JobStateMark } from './job-state';
import styles from './jobs.module.css';

/** A command with its programs and files by name alone: in a narrow column long folders would hide what it does. */
export function withoutFolders(commandLine: string): string {
  return commandLine.split(' ').map(withoutFolder).join(' ');
}

/** Only of an absolute path, also in quotes or behind "=". */
function withoutFolder(word: string): string {
  const first = word.indexOf('/');
  const last = word.lastIndexOf('/');
  const isPath = first === 0 || ['=', "'", '"'].includes(word[first - 1] ?? '');
  return !isPath || last === first || last === word.length - 1
    ? word
    : word.slice(0, first) + word.slice(last + 1);
}

/** Of the list of jobs. */
export function jobColumns(deps: {
  readonly nameOf: (machineId: string) => string;
  readonly gpusOf: (job: JobView) => string;
  readonly purposeOf: (job: JobView) => JobPurpose;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly stalledMinutes: number | null;
}): readonly Column<JobView>[] {
  const { nameOf, gpusOf, purposeOf, now, stalledMinutes } = deps;
  return [
    {
      id: 'name',
      label: 'Job',
      track: 'minmax(150px, 2fr)',
      cell: (job) => {
        const purpose = purposeText(purposeOf(job));
        return (
          <span className={styles.named}>
            <b className={styles.name}>
              <MiddleEllipsis text={job.name} />
            </b>
            {purpose !== null && <small title={purpose}>{purpose}</small>}
          </span>
        );
      },
      sortValue: ({ name }) => name,
    },
    {
      id: 'state',
      label: 'State',
      track: 'minmax(150px, 0.8fr)',
      cell: (job) => <JobStateMark job={job} />,
      sortValue: ({ state }) => state.kind,
    },
    {
      id: 'machine',
      label: 'Machine',
      track: 'minmax(90px, 0.6fr)',
      cell: ({ machineId }) => nameOf(machineId),
      sortValue: ({ machineId }) => nameOf(machineId),
    },
    {
      id: 'gpus',
      label: 'GPUs',
      track: '112px',
      isEmpty: ({ gpuIds, resources }) => gpuIds.length === 0 && resources.gpus === 0,
      cell: (job) =>
        job.gpuIds.length > 0
          ? gpusOf(job)
          : job.resources.gpus > 0
            ? `${job.resources.gpus} requested`
            : '–',
      sortValue: ({ gpuIds }) => gpuIds.length,
    },
    {
      id: 'command',
      label: 'Command',
      track: 'minmax(200px, 1.4fr)',
      from: 1_150,
      cell: ({ commandLine }) => (
        <code className={styles.command} title={commandLine}>
          <MiddleEllipsis text={withoutFolders(commandLine)} />
        </code>
      ),
      sortValue: ({ commandLine }) => commandLine,
    },
    {
      id: 'ran',
      label: 'Ran',
      track: '86px',
      right: true,
      cell: (job) => {
        const ran = ranMs(job, now);
        return ran === null ? '–' : duration(ran);
      },
      sortValue: (job) => ranMs(job, now) ?? -1,
    },
    {
      id: 'output',
      label: 'Last output',
      track: '100px',
      right: true,
      cell: (job) => {
        if (job.lastOutputAt === null) return '–';
        const silent = stalledSince(job, stalledMinutes, now) !== null;
        return (
          <span data-silent={silent || undefined} className={styles.output}>
            <TimeAgo at={job.lastOutputAt} />
          </span>
        );
      },
      sortValue: ({ lastOutputAt }) => lastOutputAt ?? '',
    },
    {
      id: 'bytes',
      label: 'Log',
      track: '74px',
      right: true,
      cell: ({ logBytes }) => bytes(logBytes),
      sortValue: ({ logBytes }) => logBytes,
    },
    {
      id: 'made',
      label: 'Started',
      track: '92px',
      right: true,
      cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
      sortValue: ({ createdAt }) => createdAt,
    },
  ];
}
