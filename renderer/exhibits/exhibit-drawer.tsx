import { Drawer, SegmentedControl } from '@mantine/core';
import type { ReproductionPlan } from '../../preload/contract/reproduction';
import { EXHIBIT_PANELS, type ExhibitPanel, readyValue, useDecisions, useWorkbench } from '../state/index';
import {
  clockTime,
  EmptyState,
  FailedState,
  LoadingState,
  plural,
  ScaleTag,
  Section,
} from '../widgets/index';
import styles from './drawer.module.css';
import { StartButton } from './exhibit-actions';
import type { ExhibitScreenProps } from './exhibit-props';
import { PlanGraphView } from './plan-graph-view';
import { missingByRemedy, planCost } from './plan-words';
import type { ReproductionDraft, ReproductionFieldError } from './reproduction-draft';
import { ReproductionFields } from './reproduction-fields';
import { StepList } from './step-list';

type DrawerParts = ExhibitScreenProps & {
  readonly draft: ReproductionDraft;
  readonly errors: readonly ReproductionFieldError[];
  readonly onDraft: (draft: ReproductionDraft) => void;
  readonly onClose: () => void;
};

/** Beside the exhibit: the steps of what was reproduced, the plan of what could be, and what was decided. */
export function ExhibitDrawer(parts: DrawerParts) {
  const { place, reproduction, onShow, onClose } = parts;
  const requestedPanel = place.panel ?? 'plan';
  // Without a reproduction there is only a plan.
  const panel: ExhibitPanel = reproduction === null ? 'plan' : requestedPanel;
  return (
    <Drawer
      opened={place.panel !== undefined}
      onClose={onClose}
      position="right"
      size="min(820px, 92vw)"
      transitionProps={{ duration: 0 }}
      overlayProps={{ backgroundOpacity: 0.18 }}
      closeButtonProps={{ 'aria-label': 'Close' }}
      classNames={{ body: styles.body ?? '', header: styles.header ?? '' }}
      title={
        <span className={styles.title}>
          <b>{parts.entry.exhibit.title}</b> <ScaleTag scale={place.scale} />
        </span>
      }
    >
      {reproduction !== null && (
        <SegmentedControl
          aria-label="What is shown"
          value={panel}
          onChange={(value) => onShow({ panel: EXHIBIT_PANELS.find((one) => one === value) ?? 'steps' })}
          data={[
            { value: 'steps', label: 'Steps' },
            { value: 'decisions', label: 'Decisions' },
            { value: 'plan', label: 'Plan another' },
          ]}
        />
      )}
      {panel === 'decisions' && reproduction !== null && <DecisionList reproductionId={reproduction.id} />}
      {panel === 'steps' && reproduction !== null && (
        <>
          <PlanGraphView key="steps" steps={reproduction.steps} />
          <StepList steps={reproduction.steps} reproduction={reproduction} />
        </>
      )}
      {panel === 'plan' && <PlanPart {...parts} />}
    </Drawer>
  );
}

/** The form keeps its place whatever becomes of the plan, so that typing is not disturbed. */
function PlanPart(parts: DrawerParts) {
  const { entry, place, plan, draft, errors, onDraft } = parts;
  const known = plan === null ? null : readyValue(plan);
  return (
    <>
      <div className={styles.top}>
        {known !== null && (
          <div className={styles.start}>
            <PlanCost plan={known} />
            <StartButton {...parts} />
          </div>
        )}
        {known !== null && known.missing.length > 0 && <MissingList plan={known} />}
      </div>
      <ReproductionFields
        exhibit={entry.exhibit}
        scale={place.scale}
        draft={draft}
        errors={errors}
        onDraft={onDraft}
      />
      {plan === null && (
        <p className={styles.soft}>{plural(errors.length, 'thing')} to mend before it can be planned.</p>
      )}
      {plan?.kind === 'loading' && <LoadingState what="Making the plan" />}
      {plan?.kind === 'failed' && (
        <FailedState title="It could not be planned" message={plan.error.message} hint={plan.error.hint} />
      )}
      {known !== null && (
        <>
          <PlanGraphView steps={known.steps} />
          <StepList steps={known.steps} reproduction={null} />
          <PlanNotes notes={known.notes} />
        </>
      )}
    </>
  );
}

function PlanNotes({ notes }: { readonly notes: readonly string[] }) {
  return notes.length === 0 ? null : (
    <Section title="What the plan goes by">
      <ul className={styles.notes}>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Section>
  );
}

function PlanCost({ plan }: { readonly plan: ReproductionPlan }) {
  return (
    <ul className={styles.cost} aria-label="What it takes">
      {[...planCost(plan), ...(plan.modelLoads === 0 ? [] : [plural(plan.modelLoads, 'model load')])].map(
        (part) => (
          <li key={part}>{part}</li>
        ),
      )}
    </ul>
  );
}

/** What stands in the way, each with what to do about it. */
function MissingList({ plan }: { readonly plan: ReproductionPlan }) {
  return (
    <section className={styles.missing} aria-label="What is missing">
      <h3>{plural(plan.missing.length, 'thing')} missing before it can start</h3>
      <ul>
        {missingByRemedy(plan.missing).map(({ messages: whats, todo, address }) => (
          <li key={`${address} ${todo}`}>
            <div data-selectable>
              {whats.map((what) => (
                <p key={what}>{what}</p>
              ))}
            </div>
            {address === null ? <span>{todo}</span> : <a href={`#${address}`}>{todo}</a>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What was decided and why, the newest first. */
export function DecisionList({ reproductionId }: { readonly reproductionId: string }) {
  const decisions = useDecisions(reproductionId);
  const { reproductions } = useWorkbench();
  if (decisions.kind === 'loading') return <LoadingState what="Reading the decisions" />;
  if (decisions.kind === 'failed') {
    return (
      <FailedState
        title="The decisions could not be read"
        message={decisions.error.message}
        hint={decisions.error.hint}
        action={{ label: 'Read again', run: () => reproductions.decisions.refresh(reproductionId) }}
      />
    );
  }
  if (decisions.value.length === 0) return <EmptyState title="Nothing was decided yet" />;
  return (
    <ol className={styles.decisions} aria-label="Decisions, the newest first">
      {decisions.value.toReversed().map(({ at, text }, position) => (
        <li key={`${at} ${position}`}>
          <time dateTime={at} title={at}>
            {clockTime(at)}
          </time>
          <span data-selectable>{text}</span>
        </li>
      ))}
    </ol>
  );
}
