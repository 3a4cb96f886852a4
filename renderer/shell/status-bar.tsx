import { IconAlertTriangle, IconServer2 } from '@tabler/icons-react';
import {
  isPartOfServerOrTraining,
  pathOf,
  readyValue,
  useActivity,
  useInfo,
  useJobs,
  useReproductions,
  useServers,
  useServiceConnected,
  useServiceInfo,
  useStudies,
  useWorkbench,
  waitingStudies,
} from '../state/index';
import { studyStatus } from '../text/studies';
import { count, ProgressLine, percent, plural, roughDuration } from '../widgets/index';
import { MachineProblems, MachineStatus } from './machine-status';
import { runningWork } from './running-work';
import styles from './shell.module.css';

/** What goes on and what is wrong, from everywhere; each part leads to its place. */
export function StatusBar() {
  const listedStudies = useStudies();
  const listedServers = useServers();
  const studies = readyValue(listedStudies) ?? [];
  const servers = readyValue(listedServers) ?? [];
  const jobsAtWork = (readyValue(useJobs()) ?? []).filter(
    (job) => job.state.kind === 'running' && !isPartOfServerOrTraining(job),
  ).length;
  const info = readyValue(useInfo());
  const withProblems = waitingStudies(studies, readyValue(useReproductions()) ?? []);
  const failedServers = servers.filter(({ state }) => state.kind === 'failed');
  const ready = servers.filter(({ state }) => state.kind === 'ready');
  const inFlight = servers.reduce((sum, server) => sum + server.inFlight, 0);
  const firstWithProblems = withProblems[0];
  return (
    <footer className={styles.status} role="contentinfo" aria-label="Status">
      <RunningNow isQuiet={listedStudies.kind === 'ready' && jobsAtWork === 0} />
      {listedServers.kind === 'ready' && (
        <a className={`${styles.item} ${styles.minor}`} href="#/servers">
          {ready.length === 0 ? 'No servers' : `${plural(ready.length, 'server')} ready`}
          {ready.length > 0 && <span className={styles.detail}>{count(inFlight)} in flight</span>}
        </a>
      )}
      {jobsAtWork > 0 && (
        <a className={`${styles.item} ${styles.minor}`} href="#/jobs">
          {plural(jobsAtWork, 'job')} running
        </a>
      )}
      <MachineStatus />
      <span className={styles.spring} />
      <ServiceConnection />
      <MachineProblems />
      {failedServers.length > 0 && (
        <a className={`${styles.item} ${styles.problem}`} href="#/servers">
          <IconAlertTriangle size={13} aria-hidden="true" />
          {plural(failedServers.length, 'server')} failed
        </a>
      )}
      {firstWithProblems !== undefined && (
        <a
          className={`${styles.item} ${styles.problem}`}
          href={`#${pathOf(withProblems.length === 1 ? { kind: 'study', studyId: firstWithProblems.study.id } : { kind: 'studies' })}`}
        >
          <IconAlertTriangle size={13} aria-hidden="true" />
          {withProblems.length === 1
            ? `${firstWithProblems.study.name}: ${studyStatus(firstWithProblems.state).text.toLowerCase()}`
            : `${plural(withProblems.length, 'study', 'studies')} need attention`}
        </a>
      )}
      {info !== null && info.sandboxProblem !== null && (
        <a className={`${styles.item} ${styles.problem}`} href="#/settings" title={info.sandboxProblem}>
          <IconAlertTriangle size={13} aria-hidden="true" />
          No sandbox: programs cannot be graded
        </a>
      )}
      {info?.grader != null && info.grader.problem !== null && (
        <a className={`${styles.item} ${styles.problem}`} href="#/settings" title={info.grader.problem}>
          <IconAlertTriangle size={13} aria-hidden="true" />
          Grader unhealthy: verdicts are not reliable
        </a>
      )}
      {info?.runsAsRoot === true && (
        <a
          className={styles.item}
          href="#/settings"
          title="Chromium's own sandbox is off, because the app was started as root"
        >
          Runs as root
        </a>
      )}
    </footer>
  );
}

/** Who does the work, where that is not this window. */
function ServiceConnection() {
  const info = readyValue(useServiceInfo());
  const isConnected = useServiceConnected();
  if (info !== null && info.through !== null)
    return <ShownMachine name={info.through} isConnected={isConnected} />;
  if (!isConnected) return <ConnectionCut to="the background service" />;
  if (info?.kind !== 'service') return null;
  return (
    <a className={styles.item} href="#/settings" title="Work goes on when this window is closed">
      Background service
    </a>
  );
}

/** The window shows the service of another machine: that must not be overlooked. */
function ShownMachine({ name, isConnected }: { readonly name: string; readonly isConnected: boolean }) {
  const { service } = useWorkbench();
  return (
    <>
      {isConnected ? (
        <a className={`${styles.item} ${styles.elsewhere}`} href="#/settings">
          <IconServer2 size={13} aria-hidden="true" />
          This window shows the service on {name}
        </a>
      ) : (
        <ConnectionCut to={`the service on ${name}`} />
      )}
      <button type="button" className={styles.item} onClick={() => void service.showHere()}>
        Back to this computer
      </button>
    </>
  );
}

function ConnectionCut({ to }: { readonly to: string }) {
  return (
    <a className={`${styles.item} ${styles.problem}`} href="#/settings">
      <IconAlertTriangle size={13} aria-hidden="true" />
      Connection to {to} cut
    </a>
  );
}

/** The largest work that is running, with its progress, and how much more there is. `isQuiet`: no job runs either. */
function RunningNow({ isQuiet }: { readonly isQuiet: boolean }) {
  const [first, ...more] = runningWork(useActivity());
  if (first === undefined) return isQuiet && <span className={styles.item}>Nothing is running</span>;
  const { name, path, share, status, remainingMs } = first;
  return (
    <>
      <a className={styles.item} href={`#${path}`}>
        <span>{name}</span>
        {share !== null && (
          // The same in words beside it.
          <span className={styles.minor} aria-hidden="true">
            <ProgressLine label={`Progress of ${name}`} share={share} width={96} />
          </span>
        )}
        <span>{status ?? `${percent(share ?? 0, 0)} %`}</span>
        {remainingMs !== null && status === null && (
          <span className={styles.detail}>about {roughDuration(remainingMs)} left</span>
        )}
      </a>
      {more.length > 0 && (
        <a className={`${styles.item} ${styles.detail}`} href={`#${pathOf({ kind: 'activity' })}`}>
          {count(more.length)} more running
        </a>
      )}
    </>
  );
}
