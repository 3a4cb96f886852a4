import { Anchor, Drawer, SegmentedControl } from '@mantine/core';
import { useCallback, useState } from 'react';
import { missingByRemedy } from '../../preload/contract/plans/index';
import type { MissingField, ReproductionPlan } from '../../preload/contract/reproduction';
import { ScaleTag } from '../shared/studies/index';
import { EXHIBIT_PANELS, type ExhibitPanel, readyValue, useDecisions, useWorkbench } from '../state/index';
import { exhibitName } from '../text/exhibits';
import { clockTime, EmptyState, FailedState, LoadingState, plural, Section } from '../widgets/index';
import styles from './drawer.module.css';
import { OneSeed, StartButton } from './exhibit-actions';
import type { ExhibitScreenProps } from './exhibit-props';
import { type FieldToFocus, PAPER_FIELD_LABELS } from './paper-fields';
import { PlanGraphView } from './plan-graph-view';
import { planCost } from './plan-text';
import type { ReproductionDraft, ReproductionFieldError } from './reproduction-draft';
import { ReproductionFields } from './reproduction-fields';
import { StepList } from './step-list';

type DrawerParts = ExhibitScreenProps & {
  readonly draft: ReproductionDraft;
  readonly errors: readonly ReproductionFieldError[];
  readonly onDraft: (draft: ReproductionDraft) => void;
  readonly onClose: () => void;
};

/** The drawer of an exhibit: steps and decisions of a reproduction, and the plan of a new one. */
export function ExhibitDrawer(parts: DrawerParts) {
  const { route, reproduction, onShow, onClose } = parts;
  const requestedPanel = route.panel ?? 'plan';
  // Without a reproduction the plan is all there is.
  const panel: ExhibitPanel = reproduction === null ? 'plan' : requestedPanel;
  return (
    <Drawer
      opened={route.panel !== undefined}
      onClose={onClose}
      position="right"
      size="min(820px, 92vw)"
      transitionProps={{ duration: 0 }}
      overlayProps={{ backgroundOpacity: 0.18 }}
      closeButtonProps={{ 'aria-label': 'Close' }}
      classNames={{ body: styles.body ?? '', header: styles.header ?? '' }}
      title={
        <span className={styles.title}>
          <b>{exhibitName(parts.entry.exhibit)}</b> <ScaleTag scale={route.scale} />
        </span>
      }
    >
      {reproduction !== null && (
        <SegmentedControl
          aria-label="View"
          value={panel}
          onChange={(value) =>
            onShow({ panel: EXHIBIT_PANELS.find((option) => option === value) ?? 'steps' })
          }
          data={[
            { value: 'steps', label: 'Steps' },
            { value: 'decisions', label: 'Decisions' },
            { value: 'plan', label: 'New plan' },
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

/** The form stays mounted whatever the plan's state, so that typing is not interrupted. */
function PlanPart(parts: DrawerParts) {
  const { entry, route, plan, draft, errors, onDraft } = parts;
  const currentPlan = plan === null ? null : readyValue(plan);
  const [fieldToFocus, setFieldToFocus] = useState<FieldToFocus | null>(null);
  const onFocused = useCallback(() => setFieldToFocus(null), []);
  return (
    <>
      <div className={styles.top}>
        {currentPlan !== null && (
          <div className={styles.start}>
            <PlanCost plan={currentPlan} />
            <StartButton {...parts} />
          </div>
        )}
        <OneSeed {...parts} />
        {currentPlan !== null && currentPlan.missing.length > 0 && (
          <MissingList plan={currentPlan} onSeek={(field) => setFieldToFocus({ field })} />
        )}
      </div>
      <ReproductionFields
        exhibit={entry.exhibit}
        scale={route.scale}
        draft={draft}
        errors={errors}
        fieldToFocus={fieldToFocus}
        onFocused={onFocused}
        onDraft={onDraft}
      />
      {plan === null && <p className={styles.soft}>Fix {plural(errors.length, 'field')} to see the plan.</p>}
      {plan?.kind === 'loading' && <LoadingState text="Making the plan" />}
      {plan?.kind === 'failed' && (
        <FailedState title="The plan could not be made" message={plan.error.message} hint={plan.error.hint} />
      )}
      {currentPlan !== null && (
        <>
          <PlanNotes notes={currentPlan.notes} />
          <PlanGraphView steps={currentPlan.steps} />
          <StepList steps={currentPlan.steps} reproduction={null} />
        </>
      )}
    </>
  );
}

function PlanNotes({ notes }: { readonly notes: readonly string[] }) {
  return notes.length === 0 ? null : (
    <Section title="Assumptions of the plan">
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
    <ul className={styles.cost} aria-label="Cost">
      {[...planCost(plan), ...(plan.modelLoads === 0 ? [] : [plural(plan.modelLoads, 'model load')])].map(
        (part) => (
          <li key={part}>{part}</li>
        ),
      )}
    </ul>
  );
}

/** What is missing, each with what to do about it, and the field below that settles it. */
function MissingList(props: {
  readonly plan: ReproductionPlan;
  readonly onSeek: (field: MissingField) => void;
}) {
  const { plan, onSeek } = props;
  return (
    <section className={styles.missing} aria-label="What is missing">
      <h3>Cannot start yet: {plural(plan.missing.length, 'requirement')} missing</h3>
      <ul>
        {missingByRemedy(plan.missing).map(({ messages, todo, address, field }) => (
          <li key={`${address} ${field} ${todo}`}>
            <div data-selectable>
              {messages.map((message) => (
                <p key={message}>{message}</p>
              ))}
            </div>
            <div>
              {address === null ? <span>{todo}</span> : <a href={`#${address}`}>{todo}</a>}
              {field !== undefined && (
                <Anchor component="button" type="button" onClick={() => onSeek(field)}>
                  Go to “{PAPER_FIELD_LABELS[field]}” below
                </Anchor>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The decisions of a reproduction with their reasons, newest first. */
function DecisionList({ reproductionId }: { readonly reproductionId: string }) {
  const decisions = useDecisions(reproductionId);
  const { reproductions } = useWorkbench();
  if (decisions.kind === 'loading') return <LoadingState text="Loading the decisions" />;
  if (decisions.kind === 'failed') {
    return (
      <FailedState
        title="The decisions could not be read"
        message={decisions.error.message}
        hint={decisions.error.hint}
        action={{ label: 'Try again', run: () => reproductions.decisions.refresh(reproductionId) }}
      />
    );
  }
  if (decisions.value.length === 0) return <EmptyState title="No decisions yet" />;
  return (
    <ol className={styles.decisions} aria-label="Decisions, newest first">
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
