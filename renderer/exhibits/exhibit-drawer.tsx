import { Drawer, SegmentedControl } from '@mantine/core';
import type { ReproductionPlan } from '../../preload/contract/reproduction';
import { EXHIBIT_PANELS, type ExhibitPanel, readyValue } from '../state/index';
import { FailedState, LoadingState, plural, ScaleTag, Section } from '../widgets/index';
import { DecisionList } from './decision-list';
import styles from './drawer.module.css';
import { StartButton } from './exhibit-actions';
import type { ExhibitParts } from './exhibit-parts';
import type { OrderDraft, OrderFault } from './order-draft';
import { OrderFields } from './order-fields';
import { PlanPicture } from './plan-picture';
import { missingByDeed, planCost } from './plan-words';
import { StepList } from './step-list';

type DrawerParts = ExhibitParts & {
  readonly draft: OrderDraft;
  readonly faults: readonly OrderFault[];
  readonly onDraft: (draft: OrderDraft) => void;
  readonly onClose: () => void;
};

/** Beside the exhibit: the steps of what was reproduced, the plan of what could be, and what was decided. */
export function ExhibitDrawer(parts: DrawerParts) {
  const { place, reproduction, onShow, onClose } = parts;
  const asked = place.panel ?? 'plan';
  // Without a reproduction there is only a plan.
  const panel: ExhibitPanel = reproduction === null ? 'plan' : asked;
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
          <PlanPicture key="steps" steps={reproduction.steps} />
          <StepList steps={reproduction.steps} reproduction={reproduction} />
        </>
      )}
      {panel === 'plan' && <PlanPart {...parts} />}
    </Drawer>
  );
}

/** The form keeps its place whatever becomes of the plan, so that typing is not disturbed. */
function PlanPart(parts: DrawerParts) {
  const { entry, place, plan, draft, faults, onDraft } = parts;
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
      <OrderFields
        exhibit={entry.exhibit}
        scale={place.scale}
        draft={draft}
        faults={faults}
        onDraft={onDraft}
      />
      {plan === null && (
        <p className={styles.soft}>{plural(faults.length, 'thing')} to mend before it can be planned.</p>
      )}
      {plan?.kind === 'loading' && <LoadingState what="Making the plan" />}
      {plan?.kind === 'failed' && (
        <FailedState title="It could not be planned" message={plan.error.message} hint={plan.error.hint} />
      )}
      {known !== null && (
        <>
          <PlanPicture steps={known.steps} />
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
        {missingByDeed(plan.missing).map(({ whats, todo, address }) => (
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
