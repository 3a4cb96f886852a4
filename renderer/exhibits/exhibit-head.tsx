import { SegmentedControl } from '@mantine/core';
import type { Exhibit } from '../../preload/contract/exhibit';
import type { ReproductionView } from '../../preload/contract/reproduction';
import { ScaleTag } from '../shared/studies/index';
import { progressMeasure, reproductionStatus, STEP_KIND_NAMES, STEP_KINDS } from '../text/exhibits';
import {
  clockTime,
  count,
  duration,
  ErrorNote,
  ProgressHead,
  plural,
  roughDuration,
  Select,
  StateMark,
} from '../widgets/index';
import styles from './exhibit.module.css';
import type { ExhibitScreenProps } from './exhibit-props';
import { canBeMeasured } from './exhibit-views';
import { planCost } from './plan-text';

/** Selects the scale, and one of several reproductions. */
export function ExhibitAside({ entry, route, all, reproduction, onShow }: ExhibitScreenProps) {
  if (!canBeMeasured(entry.exhibit)) return null;
  return (
    <>
      <SegmentedControl
        className={styles.scale ?? ''}
        aria-label="Scale"
        value={route.scale}
        onChange={(value) => {
          const { reproductionId: _, panel: __, ...rest } = route;
          onShow({ ...rest, scale: value === 'paper' ? 'paper' : 'pocket' });
        }}
        data={[
          { value: 'pocket', label: 'Pocket' },
          { value: 'paper', label: 'Paper' },
        ]}
      />
      {all.length > 1 && reproduction !== null && (
        <Select
          aria-label="Reproduction"
          w={150}
          allowDeselect={false}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          value={reproduction.id}
          data={all.map(({ id, createdAt }) => ({ value: id, label: clockTime(createdAt) }))}
          onChange={(id) => id !== null && onShow({ reproductionId: id })}
        />
      )}
    </>
  );
}

/** Cost before the start, progress while it runs, and failed steps. */
export function ExhibitHead(parts: ExhibitScreenProps) {
  const { entry, reproduction, plan, route, onShow } = parts;
  const from = entry.exhibit.paper.title;
  if (reproduction !== null)
    return (
      <ReproductionHead
        view={reproduction}
        from={from}
        part={partText(entry.exhibit, reproduction)}
        hasChanged={reproduction.exhibitDigest !== entry.digest}
        onShow={onShow}
      />
    );
  return (
    <p className={styles.cost} role="status" aria-label="Cost">
      {canBeMeasured(entry.exhibit) && <ScaleTag scale={route.scale} />}
      <span>{from}</span>
      {plan === null || plan.kind === 'loading' ? (
        plan !== null && 'Estimating the cost'
      ) : plan.kind === 'failed' ? (
        <span data-selectable>The plan could not be made: {plan.error.message}</span>
      ) : (
        <>
          {planCost(plan.value).map((part) => (
            <span key={part}>{part}</span>
          ))}
          {plan.value.missing.length > 0 && (
            <button type="button" onClick={() => onShow({ panel: 'plan' })}>
              {plan.value.missing[0]?.what}
              {plan.value.missing.length > 1 && ` And ${count(plan.value.missing.length - 1)} more.`}
            </button>
          )}
        </>
      )}
    </p>
  );
}

function timeLeftText(secondsLeft: number | null): string {
  return secondsLeft === null
    ? 'time left unknown until a similar step has run'
    : `about ${roughDuration(secondsLeft * 1_000)} left`;
}

function durationText({ state, createdAt, endedAt }: ReproductionView): string | null {
  if (endedAt === null || state.kind === 'paused') return null;
  return `${duration(Date.parse(endedAt) - Date.parse(createdAt))} in total`;
}

/** What was asked for, "4 of 75 values asked for, 10 of 100 problems, 1 of 5 seeds"; null: all that the exhibit has. */
export function partText(
  { scales, cells, series }: Pick<Exhibit, 'scales' | 'cells' | 'series'>,
  { order, scale }: Pick<ReproductionView, 'order' | 'scale'>,
): string | null {
  const scaleSettings = scales[scale];
  if (scaleSettings === null) return null;
  const { seeds = scaleSettings.seeds, problems = scaleSettings.benchmark.problems, only } = order;
  const parts = [
    // Their runs may fill more.
    only === undefined
      ? ''
      : `${count(only.length)} of ${plural(cells.length + series.length, 'value')} asked for`,
    problems < scaleSettings.benchmark.problems
      ? `${count(problems)} of ${plural(scaleSettings.benchmark.problems, 'problem')}`
      : '',
    seeds.length >= scaleSettings.seeds.length
      ? ''
      : seeds.every((seed) => scaleSettings.seeds.includes(seed))
        ? `${seeds.length} of ${plural(scaleSettings.seeds.length, 'seed')}`
        : `${plural(seeds.length, 'seed')} instead of ${scaleSettings.seeds.length}`,
  ].filter((text) => text !== '');
  return parts.length === 0 ? null : parts.join(', ');
}

function ReproductionHead(props: {
  readonly view: ReproductionView;
  /** What it covers; null: all of the exhibit. */
  readonly part: string | null;
  /** The paper. */
  readonly from: string;
  /** The exhibit's file has changed since the reproduction was started. */
  readonly hasChanged: boolean;
  readonly onShow: ExhibitScreenProps['onShow'];
}) {
  const { view, from, part, hasChanged, onShow } = props;
  const { state, steps, secondsLeft, scale } = view;
  const isActive = state.kind === 'running';
  const failed = steps.filter((step) => step.state.kind === 'failed');
  const waiting =
    isActive && !steps.some((step) => step.state.kind === 'running')
      ? steps.find((step) => step.state.kind === 'waiting')
      : undefined;
  return (
    <>
      <ProgressHead
        label="Progress of the reproduction"
        share={view.progress.share01}
        measure={progressMeasure(view)}
        end={isActive ? null : reproductionStatus(view).text}
        time={isActive ? timeLeftText(secondsLeft) : durationText(view)}
      >
        <StateMark {...reproductionStatus(view)} />
        <ScaleTag scale={scale} />
        <span>{from}</span>
        {part !== null && <b className={styles.part}>{part}</b>}
        {view.readOnly && <span>from another lab, read-only</span>}
        {STEP_KINDS.filter((kind) => kind === 'train' || kind === 'search' || kind === 'cell').map((kind) => {
          const own = steps.filter((step) => step.kind === kind);
          if (own.length === 0) return null;
          const [one, many] = STEP_KIND_NAMES[kind];
          return (
            <span key={kind}>
              <b>{count(own.filter((step) => step.state.kind === 'done').length)}</b> of{' '}
              {plural(own.length, one, many)}
            </span>
          );
        })}
      </ProgressHead>
      {hasChanged && (
        <p className={styles.waits}>
          The exhibit's file has changed since this reproduction started; it uses the earlier version.
        </p>
      )}
      {waiting?.state.kind === 'waiting' && <p className={styles.waits}>{waiting.state.why}</p>}
      {state.kind === 'failed' && failed.length === 0 && <ErrorNote message={state.message} />}
      {failed.slice(0, 2).map((step) => (
        <ErrorNote
          key={step.id}
          message={`${step.title}: ${step.state.kind === 'failed' ? step.state.message : ''}`}
          hint={step.state.kind === 'failed' ? (step.state.hint ?? undefined) : undefined}
        />
      ))}
      {failed.length > 2 && (
        <button type="button" className={styles.moreFailed} onClick={() => onShow({ panel: 'steps' })}>
          And {plural(failed.length - 2, 'more failed step')}
        </button>
      )}
    </>
  );
}
