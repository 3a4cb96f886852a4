import { IconServer2 } from '@tabler/icons-react';
import {
  isPartOfServerOrTraining,
  pathOf,
  readyValue,
  useActivity,
  useInfo,
  useJobs,
  useServers,
  useServiceConnected,
  useServiceInfo,
  useStudies,
  useWorkbench,
} from '../state/index';
import { count, ProgressLine, percent, plural, roughDuration } from '../widgets/index';
import { MachineStatus } from './machine-status';
import { runningWork } from './running-work';
import styles from './shell.module.css';
import { StatusProblems } from './status-problems';

/** What runs and what is wrong, from everywhere; each part leads to its place. */
export function StatusBar() {
  const listedStudies = useStudies();
  const listedServers = useServers();
  const servers = readyValue(listedServers) ?? [];
  const jobsAtWork = (readyValue(useJobs()) ?? []).filter(
    (job) => job.state.kind === 'running' && !isPartOfServerOrTraining(job),
  ).length;
  const info = readyValue(useInfo());
  const ready = servers.filter(({ state }) => state.kind === 'ready');
  const inFlight = servers.reduce((sum, server) => sum + server.inFlight, 0);
  return (
    <footer className={styles.status} role="contentinfo" aria-label="Status">
      <div className={styles.facts}>
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
      </div>
      <ServiceConnection />
      <StatusProblems />
      {info?.runsAsRoot === true && (
        <a
          className={`${styles.item} ${styles.detail}`}
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
  if (info?.kind !== 'service' || !isConnected) return null;
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
      {isConnected && (
        <a className={`${styles.item} ${styles.elsewhere}`} href="#/settings">
          <IconServer2 size={13} aria-hidden="true" />
          This window shows the service on {name}
        </a>
      )}
      <button type="button" className={styles.item} onClick={() => void service.showHere()}>
        Back to this computer
      </button>
    </>
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
