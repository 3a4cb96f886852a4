import { Anchor, Button, Menu, Text } from '@mantine/core';
import { IconChartDots, IconPlayerPause, IconPlayerPlay, IconReportAnalytics } from '@tabler/icons-react';
import { useState } from 'react';
import { reproducedPart, untrainedOf } from '../../preload/contract/plans/index';
import type { Refusal } from '../../preload/contract/refusal';
import { ExportButton, useExport } from '../shared/reports/index';
import { readyValue, useMachines, usePendingReproductionAction, useWorkbench } from '../state/index';
import { reproductionIsActive } from '../text/exhibits';
import { ConfirmDialog, FormRefusal, MoreMenu, plural, usePress } from '../widgets/index';
import type { ExhibitScreenProps } from './exhibit-props';
import { canBeMeasured, comparedRunsOf } from './exhibit-views';
import { FillDialog } from './fill-dialog';
import { machinesText, planCost } from './plan-text';

/** The buttons of an exhibit: plan or steps, the main action, export, and a menu for the rest. */
export function ExhibitActions(parts: ExhibitScreenProps) {
  const { entry, reproduction, onShow } = parts;
  return (
    <>
      {canBeMeasured(entry.exhibit) && (
        <Button
          variant="default"
          title="Every step, in order, with its machine and cost (S)"
          onClick={() => onShow({ panel: reproduction === null ? 'plan' : 'steps' })}
        >
          {reproduction === null ? 'Plan' : 'Steps'}
        </Button>
      )}
      <MainButton {...parts} />
      {reproduction !== null && <ReproductionExport {...parts} reproductionId={reproduction.id} />}
      <ExhibitMenu {...parts} />
    </>
  );
}

/** Exports tables and figures as files, or everything as a bundle for another lab. */
function ReproductionExport(props: ExhibitScreenProps & { readonly reproductionId: string }) {
  const { reproductionId, route } = props;
  const { location } = useWorkbench();
  const { dialog, ...rest } = route;
  return (
    <ExportButton
      exporting={useExport({ kind: 'reproduction', reproductionId })}
      opensNow={dialog === 'export'}
      onOpened={() => location.go(rest, { replace: true })}
    />
  );
}

function MainButton(parts: ExhibitScreenProps) {
  const { reproduction, entry, route } = parts;
  const { reproductions } = useWorkbench();
  const pendingAction = usePendingReproductionAction(reproduction?.id ?? '');
  if (reproduction !== null && !reproduction.readOnly) {
    const { id, state } = reproduction;
    if (state.kind === 'running' || state.kind === 'pausing') {
      return (
        <Button
          variant="default"
          loading={pendingAction === 'pause' || state.kind === 'pausing'}
          leftSection={<IconPlayerPause size={14} aria-hidden="true" />}
          title="Stops running steps so that they can resume (P)"
          onClick={() => void reproductions.pause(id)}
        >
          Pause
        </Button>
      );
    }
    if (state.kind === 'paused' || state.kind === 'failed') {
      return (
        <Button
          loading={pendingAction === 'resume'}
          leftSection={<IconPlayerPlay size={14} aria-hidden="true" />}
          title="P"
          onClick={() => void reproductions.resume(id)}
        >
          {state.kind === 'failed' ? 'Retry failed steps' : 'Resume'}
        </Button>
      );
    }
  }
  return <StartButton key={`${entry.exhibit.id} ${route.scale}`} {...parts} />;
}

/** A reproduction that takes longer is confirmed first. */
const LONGEST_UNASKED_SECONDS = 600;

/** Starts the reproduction, after a question where it takes long; or opens the list of what is missing. */
export function StartButton(parts: ExhibitScreenProps) {
  const { entry, route, plan, request, reproduction, onWhole, onShow } = parts;
  const { reproductions } = useWorkbench();
  const machines = readyValue(useMachines()) ?? [];
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isAsking, setAsking] = useState(false);
  const { busy, press: start } = usePress(async () => {
    if (request !== null) setRefusal(await reproductions.start(request));
  });
  if (entry.exhibit.scales[route.scale] === null) return null;
  const currentPlan = plan === null ? null : readyValue(plan);
  const again = reproduction === null ? '' : ' again';
  if (currentPlan !== null && currentPlan.missing.length > 0) {
    // The drawer already lists what is missing.
    if (route.panel === 'plan') return null;
    return (
      <Button onClick={() => onShow({ panel: 'plan' })}>
        Show {plural(currentPlan.missing.length, 'missing requirement')}
      </Button>
    );
  }
  const seconds = currentPlan?.estimate.seconds ?? null;
  const isLong = seconds === null || seconds > LONGEST_UNASKED_SECONDS;
  const part = request === null ? '' : reproducedPart(request);
  // The form, where it is open, shows what is asked for.
  const isPartUnseen = part !== '' && route.panel !== 'plan';
  return (
    <>
      <Button
        loading={busy}
        disabled={request === null || currentPlan === null}
        leftSection={<IconPlayerPlay size={14} aria-hidden="true" />}
        title={currentPlan === null ? 'Planning' : planCost(currentPlan).join(', ')}
        onClick={isLong || isPartUnseen ? () => setAsking(true) : start}
      >
        Reproduce{again}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={part === '' ? 'Reproduce this exhibit?' : 'Reproduce this part of the exhibit?'}
        confirm="Start reproduction"
        cancel="Not now"
        isHarmless
        onConfirm={start}
        onClose={() => setAsking(false)}
      >
        {part !== '' && (
          <Text inherit mb="xs">
            Of the exhibit: {part}.{' '}
            <Anchor component="button" type="button" onClick={onWhole}>
              Whole exhibit
            </Anchor>
          </Text>
        )}
        {currentPlan === null
          ? 'Planning.'
          : `It runs on ${machinesText(currentPlan, machines)}: ${planCost(currentPlan).join(', ')}. You can pause it at any time; what is done is kept.`}
        <OneSeed {...parts} />
      </ConfirmDialog>
      {refusal !== null && (
        <ConfirmDialog
          opened
          title="The reproduction was not started"
          confirm="Show the plan"
          cancel="Close"
          isHarmless
          onConfirm={() => onShow({ panel: 'plan' })}
          onClose={() => setRefusal(null)}
        >
          <FormRefusal title="Why" message={refusal.message} hint={refusal.hint} />
        </ConfirmDialog>
      )}
    </>
  );
}

/** What one seed alone would take, where several are planned, and the press that asks for it. */
export function OneSeed({ plan, onOneSeed }: ExhibitScreenProps) {
  const one = plan === null ? undefined : readyValue(plan)?.oneSeed;
  if (one === undefined) return null;
  return (
    <Text fz="sm" my="xs">
      {one.note}{' '}
      <Anchor component="button" type="button" onClick={() => onOneSeed(one.seed)}>
        Only seed {one.seed}
      </Anchor>
    </Text>
  );
}

function ExhibitMenu({ entry, reproduction, onShow, onEnter }: ExhibitScreenProps) {
  const { location, reproductions, exhibits } = useWorkbench();
  const [removing, setRemoving] = useState<'exhibit' | 'reproduction' | null>(null);
  const [isFilling, setFilling] = useState(false);
  const { exhibit, origin } = entry;
  const runs = reproduction === null ? [] : comparedRunsOf(exhibit, reproduction);
  return (
    <>
      <MoreMenu>
        {reproduction !== null && (
          <Menu.Item
            leftSection={<IconReportAnalytics size={14} />}
            onClick={() => onShow({ panel: 'decisions' })}
          >
            Decisions
          </Menu.Item>
        )}
        {runs.length > 0 && (
          <Menu.Item
            leftSection={<IconChartDots size={14} />}
            onClick={() => location.go({ kind: 'compare', studyId: null, runs })}
          >
            Compare its runs
          </Menu.Item>
        )}
        {reproduction !== null && <Menu.Item onClick={() => onShow({ panel: 'plan' })}>New plan</Menu.Item>}
        {untrainedOf(exhibit).length > 0 && (
          <Menu.Item onClick={() => setFilling(true)}>Fill rows with small language models…</Menu.Item>
        )}
        <Menu.Item onClick={() => onEnter(null)}>Enter values of the paper…</Menu.Item>
        {origin === 'own' && (
          <Menu.Item onClick={() => location.go({ kind: 'edit-exhibit', exhibitId: exhibit.id })}>
            Edit the exhibit
          </Menu.Item>
        )}
        <Menu.Item onClick={() => location.go({ kind: 'new-exhibit', from: exhibit.id })}>
          Duplicate as your own
        </Menu.Item>
        {(reproduction !== null || origin === 'own') && <Menu.Divider />}
        {reproduction !== null && (
          <Menu.Item
            color="red"
            disabled={reproductionIsActive(reproduction)}
            onClick={() => setRemoving('reproduction')}
          >
            Remove this reproduction{reproductionIsActive(reproduction) && ' (pause it first)'}
          </Menu.Item>
        )}
        {origin === 'own' && (
          <Menu.Item color="red" onClick={() => setRemoving('exhibit')}>
            Remove the exhibit
          </Menu.Item>
        )}
      </MoreMenu>
      {isFilling && <FillDialog exhibit={exhibit} onClose={() => setFilling(false)} />}
      <ConfirmDialog
        opened={removing === 'reproduction' && reproduction !== null}
        title="Remove this reproduction?"
        confirm="Remove reproduction"
        cancel="Keep it"
        onConfirm={() => reproduction !== null && void reproductions.remove(reproduction.id)}
        onClose={() => setRemoving(null)}
      >
        Its studies and trainings are kept; a later reproduction can reuse them.
      </ConfirmDialog>
      <ConfirmDialog
        opened={removing === 'exhibit'}
        title={`Remove ${exhibit.title}?`}
        confirm="Remove exhibit"
        cancel="Keep it"
        onConfirm={() => void exhibits.remove(exhibit.id)}
        onClose={() => setRemoving(null)}
      >
        Deletes its file. Reproductions are kept.
      </ConfirmDialog>
    </>
  );
}
