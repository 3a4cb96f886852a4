import type { Exhibit, ExhibitEntry } from '../../preload/contract/exhibit';
import type { ExhibitFill } from '../../preload/contract/exhibit-fill';
import { fillAtHand, hasDamage } from '../../preload/contract/plans/index';
import type { ReproductionView } from '../../preload/contract/reproduction';
import type { StudyView } from '../../preload/contract/study';
import { ExhibitThumbnail, FilledThumbnail, latestProgress } from '../shared/exhibits/index';
import {
  type ExhibitScale,
  exhibitRowActions,
  pathOf,
  readyValue,
  useFilledExhibit,
  useStudies,
  useWorkbench,
} from '../state/index';
import { filledStatus, reproductionStatus } from '../text/exhibits';
import type { StatusLabel } from '../text/status';
import { count, plural, StateMark, useContextMenu } from '../widgets/index';
import { canBeMeasured } from './exhibit-views';
import styles from './list.module.css';

const SCALES = ['pocket', 'paper'] as const;
const SCALE_NAMES: Readonly<Record<ExhibitScale, string>> = { pocket: 'Pocket', paper: 'Paper' };

/** An exhibit in the gallery: its number in the paper, its title, and a picture of it for each scale. */
export function ExhibitCard(props: {
  readonly entry: ExhibitEntry;
  readonly reproductions: readonly ReproductionView[];
}) {
  const { exhibit, origin } = props.entry;
  const href = `#${pathOf({ kind: 'exhibit', exhibitId: exhibit.id, scale: 'pocket' })}`;
  const fill = fillAtHand(exhibit);
  return (
    <li className={styles.card}>
      <h3>
        <small>
          {exhibit.place}
          {origin === 'own' && <i>your own</i>}
        </small>
        <a href={href}>{exhibit.title}</a>
      </h3>
      <div className={styles.scales}>
        {fill !== null && !canBeMeasured(exhibit) ? (
          <AtHand exhibit={exhibit} href={href} fill={fill} />
        ) : (
          SCALES.map((scale) => <AtScale key={scale} {...props} scale={scale} />)
        )}
      </div>
    </li>
  );
}

/** What runs at hand fill of it, or why they do not. */
function AtHand(props: { readonly exhibit: Exhibit; readonly href: string; readonly fill: ExhibitFill }) {
  const { exhibit, href, fill } = props;
  const answer = useFilledExhibit(fill);
  return (
    <a className={styles.scale} href={href}>
      {answer?.kind === 'ready' ? (
        <FilledThumbnail label={`${exhibit.place}, filled by runs at hand`} filled={answer.value} />
      ) : (
        <div className={styles.absent}>
          {answer?.kind === 'failed' ? answer.error.message : 'reading its runs'}
        </div>
      )}
      <span>
        Runs at hand
        {answer?.kind === 'ready' && <StateMark {...filledStatus(answer.value.result)} />}
        {answer?.kind === 'failed' && <StateMark tone="bad" text="Not filled" />}
      </span>
    </a>
  );
}

/** What rests on a damaged journal is no good result, however far it is. */
function statusOf(view: ReproductionView, studies: readonly StudyView[]): StatusLabel {
  return hasDamage(view, studies) ? { tone: 'bad', text: 'Damaged' } : reproductionStatus(view);
}

function AtScale(props: {
  readonly entry: ExhibitEntry;
  readonly scale: ExhibitScale;
  readonly reproductions: readonly ReproductionView[];
}) {
  const { scale, reproductions } = props;
  const { exhibit } = props.entry;
  const name = SCALE_NAMES[scale];
  const workbench = useWorkbench();
  const studies = useStudies();
  const { openMenu, menu } = useContextMenu(`Actions of ${exhibit.place} at ${scale} scale`);
  if (exhibit.scales[scale] === null) {
    return (
      <div className={styles.scale}>
        <div className={styles.absent}>not at this scale</div>
        <span>{name}</span>
      </div>
    );
  }
  const latest = latestProgress(exhibit.id, scale, reproductions);
  const total = latest?.total ?? exhibit.cells.length + exhibit.series.length;
  const ofAll = plural(total, latest?.view.order.only === undefined ? 'value' : 'chosen value');
  const measured = `${count(latest?.done ?? 0)} of ${ofAll} measured`;
  const status = latest === null ? null : statusOf(latest.view, readyValue(studies) ?? []);
  const state = status === null ? 'not started' : `${status.text}, ${measured}`;
  const actions = exhibitRowActions(workbench, exhibit.id, scale, latest?.view.id ?? null);
  return (
    <>
      <a
        className={styles.scale}
        href={`#${pathOf({ kind: 'exhibit', exhibitId: exhibit.id, scale })}`}
        aria-label={`${exhibit.place}, ${exhibit.title}, ${scale} scale: ${state}`}
        onContextMenu={(event) => openMenu(event, actions)}
      >
        <ExhibitThumbnail
          label={`${exhibit.place} at ${scale} scale: ${measured}`}
          exhibit={exhibit}
          scale={scale}
          reproductionId={latest?.view.id ?? null}
        />
        <span>
          {name}
          {status !== null && <StateMark {...status} />}
          <span>{latest === null ? 'not started' : `${count(latest.done)} of ${ofAll}`}</span>
        </span>
      </a>
      {menu}
    </>
  );
}
