import type { ReactNode } from 'react';
import type { ExperimentView } from '../../preload/contract/experiment';
import { configurationsOf } from '../../preload/contract/plans/index';
import type { ReproductionView } from '../../preload/contract/reproduction';
import type { Scale } from '../../preload/contract/scale';
import type { StudyView } from '../../preload/contract/study';
import type { TrainingView } from '../../preload/contract/training';
import { ExhibitThumbnail, progressOf } from '../shared/exhibits/index';
import { HeadlineCurve, headlineColor, headlineText, ScaleTag } from '../shared/studies/index';
import { pathOf, readyValue, useExhibit } from '../state/index';
import { reproductionStatus } from '../text/exhibits';
import type { StatusLabel } from '../text/status';
import { studyStatus } from '../text/studies';
import { experimentStatus, trainingStatus } from '../text/trainings';
import { count, duration, percent, plural, StateMark, TimeAgo } from '../widgets/index';
import styles from './home.module.css';

/** Something that ended: what it is, a small picture of its result, its number, and when. */
function EndedLine(props: {
  readonly path: string;
  readonly name: string;
  readonly scale: Scale;
  readonly status: StatusLabel;
  readonly about: ReactNode;
  readonly picture?: ReactNode;
  readonly figure?: ReactNode;
  /** What the number is, or on hover more of it. */
  readonly unit?: ReactNode;
  readonly title?: string;
  readonly endedAt: string;
}) {
  const { path, name, scale, status, about, picture, figure, unit, title, endedAt } = props;
  return (
    <li>
      <span className={styles.what}>
        <span>
          <a href={`#${path}`} title={name}>
            {name}
          </a>
          <ScaleTag scale={scale} />
        </span>
        <small>
          {status.tone !== 'good' && <StateMark {...status} />}
          {about}
        </small>
      </span>
      <span className={styles.picture}>{picture}</span>
      <span className={styles.figure} title={title}>
        {figure !== undefined && <b>{figure}</b>}
        {unit !== undefined && <small>{unit}</small>}
      </span>
      <span className={styles.soft}>
        <TimeAgo at={endedAt} />
      </span>
    </li>
  );
}

export function EndedStudy({ view }: { readonly view: StudyView }) {
  const { study, state, progress, headline } = view;
  const configurations = configurationsOf(study).length;
  const made = `${plural(progress.nodesDone, 'program')} in ${duration(progress.elapsedMs)}`;
  const line = {
    path: pathOf({ kind: 'study', studyId: study.id }),
    name: study.name,
    scale: study.scale,
    status: studyStatus(state),
    endedAt: view.finishedAt ?? study.createdAt,
  };
  if (headline === undefined) return <EndedLine {...line} about={made} />;
  const best = (
    <>
      <i className={styles.key} style={{ background: headlineColor(view, headline) }} />
      {headline.configuration}
      {configurations > 1 && `, best of ${configurations}`}
    </>
  );
  return (
    <EndedLine
      {...line}
      about={best}
      picture={<HeadlineCurve view={view} headline={headline} />}
      figure={`${percent(headline.value)} %`}
      unit={`Pass@N, N = ${headline.n}, ${plural(headline.problems, 'problem')}`}
      title={`${headlineText(headline)}. ${made}.`}
    />
  );
}

export function EndedReproduction({ view }: { readonly view: ReproductionView }) {
  const { id, title, scale, order, createdAt, endedAt } = view;
  const exhibit = readyValue(useExhibit(order.exhibitId))?.exhibit ?? null;
  const { done, total } = progressOf(view);
  return (
    <EndedLine
      path={pathOf({ kind: 'reproduction', reproductionId: id })}
      name={title}
      scale={scale}
      status={reproductionStatus(view)}
      about={exhibit?.title ?? 'Reproduction'}
      picture={
        exhibit !== null && (
          <ExhibitThumbnail label={`${title} in small`} exhibit={exhibit} scale={scale} reproductionId={id} />
        )
      }
      figure={count(done)}
      unit={`of ${plural(total, 'value')} measured`}
      endedAt={endedAt ?? createdAt}
    />
  );
}

export function EndedTraining({ training }: { readonly training: TrainingView }) {
  const { id, name, scale, title, latest, createdAt, endedAt } = training;
  const measured = latest.filter(({ key, part }) => key === 'pass@1' && part === 'evaluation');
  // The row of the team, of no agent, is the mean of its agents.
  const own = measured.filter(({ agentId }) => agentId !== null);
  const rates = own.length > 0 ? own : measured;
  const mean = rates.reduce((sum, { value }) => sum + value, 0) / rates.length;
  return (
    <EndedLine
      path={pathOf({ kind: 'training', trainingId: id, tab: 'curves' })}
      name={name}
      scale={scale}
      status={trainingStatus({ ...training, stage: null })}
      about={title}
      {...(rates.length > 0 && {
        figure: `${percent(mean)} %`,
        unit: rates.length > 1 ? `Pass@1, mean of ${plural(rates.length, 'agent')}` : 'Pass@1, held-out',
      })}
      endedAt={endedAt ?? createdAt}
    />
  );
}

export function EndedExperiment({ experiment }: { readonly experiment: ExperimentView }) {
  const { id, order, done, total, createdAt, endedAt } = experiment;
  return (
    <EndedLine
      path={pathOf({ kind: 'experiment', experimentId: id })}
      name={order.name}
      scale="pocket"
      status={experimentStatus(experiment)}
      about="Experiment"
      figure={count(done)}
      unit={`of ${plural(total, 'training')}`}
      endedAt={endedAt ?? createdAt}
    />
  );
}
