import type { ServerView } from '../../preload/contract/server';
import { duration, ProgressLine, useNow } from '../widgets/index';
import { stageLines, stageShare } from './server-text';
import styles from './servers.module.css';

const GLYPHS = { reached: '✓', 'under way': '●', 'to come': '○', 'left out': '–' } as const;

/** The start-up stages of a server, with the time of each since the start. */
export function ServerStages(props: { readonly server: ServerView }) {
  const { server } = props;
  const now = useNow(1_000);
  const starting = server.state.kind === 'starting';
  const lines = stageLines(server);
  const share = server.state.kind === 'starting' ? stageShare(server.state.stage) : null;
  return (
    <ol className={styles.stages} aria-label="Start-up stages">
      {lines.map(({ name, at, afterMs, state }) => (
        <li key={name} data-state={state} title={at === null ? state : new Date(at).toLocaleString()}>
          <i aria-hidden="true">{GLYPHS[state]}</i>
          <span>
            {name}
            {state === 'under way' && share !== null && (
              <span className={styles.share}>
                <ProgressLine label={name} share={share} width={90} />
                {Math.round(share * 100)} %
              </span>
            )}
          </span>
          <time>{afterMs === null ? '' : duration(afterMs)}</time>
        </li>
      ))}
      {server.state.kind === 'starting' && (
        <li className={styles.stageNow}>
          <span role="status">
            {server.state.stage}
            {starting && `, ${duration(now - Date.parse(server.startedAt))} since the start`}
          </span>
        </li>
      )}
    </ol>
  );
}
