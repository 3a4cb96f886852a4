import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Exhibit } from '../../preload/contract/exhibit';
import type { ReproductionView } from '../../preload/contract/reproduction';
import { ExhibitThumbnail, latestProgress, progressOf } from '../shared/exhibits/index';
import {
  pathOf,
  readyValue,
  useExhibits,
  usePendingReproductionAction,
  useReproductions,
  useWorkbench,
} from '../state/index';
import { reproductionIsActive } from '../text/exhibits';
import { count, plural, roughDuration, Section } from '../widgets/index';
import styles from './home.module.css';

/** The table or figure that is being filled, with what comes next; if none is, the next one of the papers. */
export function ExhibitPart() {
  const reproductions = (readyValue(useReproductions()) ?? []).filter(({ readOnly }) => !readOnly);
  const exhibits = (readyValue(useExhibits())?.exhibits ?? []).map(({ exhibit }) => exhibit);
  // Newest first.
  const current =
    reproductions.find(reproductionIsActive) ?? reproductions.find(({ state }) => state.kind !== 'done');
  const exhibit = exhibits.find(({ id }) => id === current?.order.exhibitId);
  if (current !== undefined && exhibit !== undefined) return <Filling view={current} exhibit={exhibit} />;
  const next = exhibits.find(
    ({ id, scales }) => scales.pocket !== null && latestProgress(id, 'pocket', reproductions) === null,
  );
  if (next === undefined) return null;
  const path = pathOf({ kind: 'exhibit', exhibitId: next.id, scale: 'pocket' });
  return (
    <ShownExhibit
      title={reproductions.length === 0 ? 'The papers' : 'Next exhibit'}
      exhibit={next}
      path={path}
      scale="pocket"
      reproductionId={null}
    >
      <p>
        {plural(next.cells.length + next.series.length, 'value')} to measure at pocket scale.
        <br />
        <a href={`#${path}`}>See what it takes</a>
      </p>
    </ShownExhibit>
  );
}

function Filling({ view, exhibit }: { readonly view: ReproductionView; readonly exhibit: Exhibit }) {
  const { id, scale, steps, state, secondsLeft } = view;
  const { reproductions } = useWorkbench();
  const pending = usePendingReproductionAction(id);
  const { done, total } = progressOf(view);
  const isStopped = state.kind === 'paused' || state.kind === 'failed';
  const next =
    steps.find((step) => step.state.kind === 'running') ??
    steps.find((step) => step.state.kind === 'failed') ??
    steps.find((step) => step.state.kind === 'waiting' || step.state.kind === 'planned');
  return (
    <ShownExhibit
      title={isStopped ? 'Partly filled' : 'Being filled'}
      exhibit={exhibit}
      path={pathOf({ kind: 'reproduction', reproductionId: id })}
      scale={scale}
      reproductionId={id}
    >
      <p>
        <b>
          {count(done)} of {plural(total, 'value')}
        </b>{' '}
        at {scale} scale
        {state.kind === 'running' &&
          secondsLeft !== null &&
          `, about ${roughDuration(secondsLeft * 1_000)} left`}
      </p>
      {next !== undefined && (
        <p>
          {nextStepText(next.state.kind)} {next.title}
        </p>
      )}
      {state.kind === 'paused' && (
        <Button
          variant="default"
          loading={pending === 'resume'}
          onClick={() => void reproductions.resume(id)}
        >
          Resume
        </Button>
      )}
    </ShownExhibit>
  );
}

function nextStepText(kind: ReproductionView['steps'][number]['state']['kind']): string {
  if (kind === 'running') return 'Now:';
  return kind === 'failed' ? 'Failed:' : 'Next:';
}

function ShownExhibit(props: {
  readonly title: string;
  readonly exhibit: Exhibit;
  readonly path: string;
  readonly scale: ReproductionView['scale'];
  readonly reproductionId: string | null;
  readonly children: ReactNode;
}) {
  const { title, exhibit, path, scale, reproductionId, children } = props;
  return (
    <Section
      title={title}
      aside={
        <a className={styles.soft} href="#/exhibits">
          All exhibits
        </a>
      }
    >
      <div className={styles.exhibit}>
        <a href={`#${path}`}>
          <ExhibitThumbnail
            label={`${exhibit.place} in small`}
            exhibit={exhibit}
            scale={scale}
            reproductionId={reproductionId}
          />
        </a>
        <p>
          <b>
            {exhibit.paper.title}, {exhibit.place}
          </b>
          <br />
          {exhibit.title}
        </p>
        {children}
      </div>
    </Section>
  );
}
