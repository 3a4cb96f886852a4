import { SegmentedControl } from '@mantine/core';
import type { ReproductionView } from '../../preload/contract/reproduction';
import { reproductionWords, STEP_KIND_WORDS, STEP_KINDS } from '../state/index';
import {
  clockTime,
  count,
  duration,
  ProgressHead,
  plural,
  roughDuration,
  ScaleTag,
  Select,
  StateMark,
  TroubleNote,
} from '../widgets/index';
import styles from './exhibit.module.css';
import type { ExhibitScreenProps } from './exhibit-props';
import { planCost } from './plan-words';

/** The scale, and which of several reproductions is shown. */
export function ExhibitAside({ place, all, reproduction, onShow }: ExhibitScreenProps) {
  return (
    <>
      <SegmentedControl
        className={styles.scale ?? ''}
        aria-label="Scale"
        value={place.scale}
        onChange={(value) => {
          const { reproductionId: _, panel: __, ...rest } = place;
          onShow({ ...rest, scale: value === 'paper' ? 'paper' : 'pocket' });
        }}
        data={[
          { value: 'pocket', label: 'Pocket' },
          { value: 'paper', label: 'Paper' },
        ]}
      />
      {all.length > 1 && reproduction !== null && (
        <Select
          aria-label="Which reproduction"
          w={150}
          allowDeselect={false}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          value={reproduction.id}
          data={all.map(({ id, createdAt }) => ({ value: id, label: `Of ${clockTime(createdAt)}` }))}
          onChange={(id) => id !== null && onShow({ reproductionId: id })}
        />
      )}
    </>
  );
}

/** What it costs before, how far it is while it runs, and what went wrong. */
export function ExhibitHead(parts: ExhibitScreenProps) {
  const { entry, reproduction, plan, place, onShow } = parts;
  const { paper, place: where } = entry.exhibit;
  const from = `${paper.title}, ${where}`;
  if (reproduction !== null)
    return (
      <ReproductionHead
        view={reproduction}
        from={from}
        hasChanged={reproduction.exhibitDigest !== entry.digest}
        onShow={onShow}
      />
    );
  return (
    <p className={styles.cost} role="status" aria-label="What it takes">
      <ScaleTag scale={place.scale} />
      <span>{from}</span>
      {plan === null || plan.kind === 'loading' ? (
        plan !== null && 'Working out what it takes'
      ) : plan.kind === 'failed' ? (
        <span data-selectable>It could not be planned: {plan.error.message}</span>
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

function leftWords(secondsLeft: number | null): string {
  return secondsLeft === null
    ? 'time left is not known yet'
    : `about ${roughDuration(secondsLeft * 1_000)} left`;
}

function tookWords({ state, createdAt, endedAt }: ReproductionView): string | null {
  if (endedAt === null || state.kind === 'paused') return null;
  return `${duration(Date.parse(endedAt) - Date.parse(createdAt))} from start to end`;
}

function ReproductionHead(props: {
  readonly view: ReproductionView;
  /** Where in which paper. */
  readonly from: string;
  /** The exhibit's file is another one than when it was ordered. */
  readonly hasChanged: boolean;
  readonly onShow: ExhibitScreenProps['onShow'];
}) {
  const { view, from, hasChanged, onShow } = props;
  const { state, steps, done, total, secondsLeft, scale } = view;
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
        share={total === 0 ? 0 : done / total}
        still={!isActive}
        time={isActive ? leftWords(secondsLeft) : tookWords(view)}
      >
        <StateMark {...reproductionWords(view)} />
        <ScaleTag scale={scale} />
        <span>{from}</span>
        {view.readOnly && <span>of another lab, to be looked at</span>}
        {STEP_KINDS.filter((kind) => kind === 'train' || kind === 'search' || kind === 'cell').map((kind) => {
          const own = steps.filter((step) => step.kind === kind);
          if (own.length === 0) return null;
          const [one, many] = STEP_KIND_WORDS[kind];
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
          The exhibit's file has changed since this was ordered; it goes by the file as it was.
        </p>
      )}
      {waiting?.state.kind === 'waiting' && <p className={styles.waits}>{waiting.state.why}</p>}
      {state.kind === 'failed' && failed.length === 0 && <TroubleNote message={state.message} />}
      {failed.slice(0, 2).map((step) => (
        <TroubleNote
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
