import type { ReactNode } from 'react';
import type { ExperimentCell, ExperimentView } from '../../preload/contract/experiment';
import type { JobView } from '../../preload/contract/job';
import {
  configurationsOf,
  evaluatedOn,
  leaderText,
  passOneLabel,
  reproducedPart,
} from '../../preload/contract/plans/index';
import type { ReproductionView } from '../../preload/contract/reproduction';
import type { Scale } from '../../preload/contract/scale';
import type { StudyView } from '../../preload/contract/study';
import type { TrainingView } from '../../preload/contract/training';
import { ExhibitThumbnail, progressOf } from '../shared/exhibits/index';
import { HeadlineCurve, headlineColor, headlineText, ScaleTag } from '../shared/studies/index';
import { TrainingSpark } from '../shared/trainings/index';
import { pathOf, readyValue, scalesOf, useExhibit, useExperimentResult } from '../state/index';
import { reproductionStatus } from '../text/exhibits';
import { jobStatus } from '../text/jobs';
import type { StatusLabel } from '../text/status';
import { studyStatus } from '../text/studies';
import { experimentStatus, trainingStatus } from '../text/trainings';
import { count, duration, MiddleEllipsis, percent, plural, StateMark, TimeAgo } from '../widgets/index';
import styles from './home.module.css';

/** Something that ended: what it is, a small picture of its result, its number, and when. */
function EndedLine(props: {
  readonly path: string;
  readonly name: string;
  readonly scale?: Scale | readonly Scale[];
  readonly status: StatusLabel;
  readonly about: ReactNode;
  readonly picture?: ReactNode;
  readonly figure?: string;
  /** What the number is. */
  readonly unit?: string;
  /** More of the number, on hover. */
  readonly title?: string;
  readonly endedAt: string;
}) {
  const { path, name, scale, status, about, picture, figure, unit, title = unit, endedAt } = props;
  return (
    <li>
      <span className={styles.what}>
        <span>
          <a href={`#${path}`} title={name}>
            <MiddleEllipsis text={name} />
          </a>
          {scale !== undefined && <ScaleTag scale={scale} />}
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
  const { study, progress, headline } = view;
  const configurations = configurationsOf(study).length;
  const made = `${plural(progress.nodesDone, 'program')} in ${duration(progress.elapsedMs)}`;
  const line = {
    path: pathOf({ kind: 'study', studyId: study.id }),
    name: study.name,
    scale: scalesOf(study),
    status: studyStatus(view),
    endedAt: view.finishedAt ?? study.createdAt,
  };
  if (headline === undefined) return <EndedLine {...line} about={made} />;
  const best = (
    <>
      <i className={styles.key} style={{ background: headlineColor(view, headline) }} />
      {leaderText(headline.configuration, headline.level, configurations)}
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
  const part = reproducedPart(order);
  return (
    <EndedLine
      path={pathOf({ kind: 'reproduction', reproductionId: id })}
      name={title}
      scale={scale}
      status={reproductionStatus(view)}
      about={[exhibit?.title ?? 'Reproduction', ...(part === '' ? [] : [part])].join(', ')}
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
  const { id, name, scale, title, createdAt, endedAt } = training;
  const headline = trainingHeadline(training);
  return (
    <EndedLine
      path={pathOf({ kind: 'training', trainingId: id, tab: 'curves' })}
      name={name}
      scale={scale}
      status={trainingStatus({ ...training, stage: null })}
      about={title === name ? 'Training' : title}
      picture={<TrainingSpark training={training} />}
      {...headline}
      endedAt={endedAt ?? createdAt}
    />
  );
}

/** On problems that it never saw; of one that stopped before that, on those that it learned from. */
function trainingHeadline({ latest, spec }: TrainingView): {
  readonly figure?: string;
  readonly unit?: string;
} {
  for (const part of ['evaluation', 'train'] as const) {
    const measured = latest.filter((value) => value.key === 'pass@1' && (value.part ?? 'train') === part);
    // The row of the team, of no agent, is the mean of its agents.
    const own = measured.filter(({ agentId }) => agentId !== null);
    const rates = own.length > 0 ? own : measured;
    if (rates.length === 0) continue;
    const mean = rates.reduce((sum, { value }) => sum + value, 0) / rates.length;
    const name = part === 'train' ? passOneLabel(part, spec) : 'Pass@1, held out';
    const of = rates.length > 1 ? `, mean of ${plural(rates.length, 'agent')}` : '';
    return { figure: `${percent(mean)} %`, unit: `${name}${of}` };
  }
  return {};
}

export function EndedExperiment({ experiment }: { readonly experiment: ExperimentView }) {
  const { id, order, done, total, createdAt, endedAt } = experiment;
  const best = bestRow(readyValue(useExperimentResult(id))?.cells ?? []);
  return (
    <EndedLine
      path={pathOf({ kind: 'experiment', experimentId: id })}
      name={order.name}
      scale={order.models === undefined ? 'pocket' : 'own'}
      status={experimentStatus(experiment)}
      about={best === null ? 'Experiment' : leaderText(best.label, best.level, order.rows.length)}
      {...(best === null
        ? { figure: count(done), unit: `of ${plural(total, 'training')}` }
        : {
            figure: `${percent(best.value)} %`,
            unit: `${best.metric === 'pass@n' ? `Team Pass@N, N = ${evaluatedOn(order).nodes}` : 'Pass@1'}, ${plural(best.problems, 'problem')}`,
            title: `${percent(best.low)} to ${percent(best.high)} %, ${plural(best.seeds, 'seed')}; ${done} of ${plural(total, 'training')}`,
          })}
      endedAt={endedAt ?? createdAt}
    />
  );
}

/** The best row by what its team solves, or else by what its agents solve alone, and how many more are level; null: nothing is measured. */
function bestRow(cells: readonly ExperimentCell[]): (ExperimentCell & { readonly level: number }) | null {
  const ofTeams = cells.filter(({ metric, part }) => metric === 'pass@n' && part === 'team');
  const alone = cells.filter(({ metric, part }) => metric === 'pass@1' && part === 'alone');
  const compared = ofTeams.length > 0 ? ofTeams : alone;
  const highest = Math.max(...compared.map(({ value }) => value));
  const [best, ...level] = compared.filter(({ value }) => value === highest);
  return best === undefined ? null : { ...best, level: level.length };
}

/** A job of the user's own; those of servers and trainings are part of their lines. */
export function EndedJob({ job, machine }: { readonly job: JobView; readonly machine: string }) {
  const { id, name, startedAt, createdAt, endedAt } = job;
  const end = endedAt ?? createdAt;
  return (
    <EndedLine
      path={pathOf({ kind: 'jobs', jobId: id })}
      name={name}
      status={jobStatus(job)}
      about={`Job on ${machine}`}
      {...(startedAt !== null && {
        figure: duration(Date.parse(end) - Date.parse(startedAt)),
        unit: 'run time',
      })}
      endedAt={end}
    />
  );
}
