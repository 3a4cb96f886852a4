import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ServerLaunch } from '../../preload/contract/launch';
import type { MachineView } from '../../preload/contract/machine';
import type { Refusal } from '../../preload/contract/refusal';
import {
  type DraftKey,
  LOCAL_MACHINE,
  readyValue,
  useFormDraft,
  useLaunches,
  useMachines,
  useWorkbench,
} from '../state/index';
import { ConfirmDialog, FormScreen, LoadingState, usePress } from '../widgets/index';
import {
  checkLaunch,
  copyOfLaunch,
  draftOfLaunch,
  firstLaunch,
  type LaunchDraft,
  type LaunchField,
} from './launch-draft';
import { LaunchFields } from './launch-fields';
import { LaunchPlanView, useLaunchPlan } from './launch-plan';

const DRAFT: DraftKey<LaunchDraft | null> = { name: 'launch', empty: null };

/** The form of a new launch. */
export function LaunchFormScreen(props: {
  /** From the route; null: keep the draft's. */
  readonly machineId: string | null;
  /** Id of the launch to copy; null: none. */
  readonly from: string | null;
}) {
  const { machineId, from } = props;
  const [draft, setDraft] = useFormDraft(DRAFT);
  const machines = useMachines();
  const launches = useLaunches();
  const { location } = useWorkbench();
  const all = readyValue(machines);

  // The route sets the machine once; after that the draft counts.
  useEffect(() => {
    if (machineId === null || all === null) return;
    setDraft(draft === null ? firstLaunch(all, machineId) : { ...draft, machineId, gpuIds: [] });
    location.go({ kind: 'new-launch', machineId: null }, { replace: true });
  }, [machineId, draft, setDraft, location, all]);

  // So it is with the launch that is copied.
  const copied = readyValue(launches)?.find(({ id }) => id === from);
  useEffect(() => {
    if (copied === undefined) return;
    setDraft(copyOfLaunch(draftOfLaunch(copied)));
    location.go({ kind: 'new-launch', machineId: null }, { replace: true });
  }, [copied, setDraft, location]);

  if (machines.kind === 'loading' || launches.kind === 'loading') {
    return <LoadingState text="Loading the machines" />;
  }
  const servers = all ?? [];
  return (
    <LaunchForm
      draft={draft ?? firstLaunch(servers, firstMachine(servers))}
      machines={servers}
      saved={null}
      existingIds={(readyValue(launches) ?? []).map(({ id }) => id)}
      onChange={setDraft}
    />
  );
}

/** The form of a saved launch. Its changes are lost when it is left without saving. */
export function EditLaunchScreen({ saved }: { readonly saved: ServerLaunch }) {
  const machines = readyValue(useMachines()) ?? [];
  const launches = readyValue(useLaunches()) ?? [];
  const [draft, setDraft] = useState<LaunchDraft | null>(null);
  return (
    <LaunchForm
      draft={draft ?? draftOfLaunch(saved)}
      machines={machines}
      saved={saved}
      existingIds={launches.map(({ id }) => id)}
      onChange={setDraft}
    />
  );
}

/** The first machine with GPUs; else this computer. */
function firstMachine(machines: readonly MachineView[]): string {
  return machines.find(({ gpus }) => (gpus?.gpus.length ?? 0) > 0)?.spec.id ?? LOCAL_MACHINE;
}

function LaunchForm(props: {
  readonly draft: LaunchDraft;
  readonly machines: readonly MachineView[];
  readonly saved: ServerLaunch | null;
  readonly existingIds: readonly string[];
  readonly onChange: (draft: LaunchDraft | null) => void;
}) {
  const { draft, machines, saved, existingIds, onChange } = props;
  const { launches, location } = useWorkbench();
  const machine = machines.find(({ spec }) => spec.id === draft.machineId) ?? null;
  const checked = checkLaunch(draft, machine, existingIds);
  const plan = useLaunchPlan(checked.launch);
  const [tried, setTried] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [removing, setRemoving] = useState(false);
  const shown = checked.errors.filter(({ kind }) => tried || kind === 'wrong');
  const errorAt = (at: LaunchField): string | undefined => shown.find((error) => error.at === at)?.message;
  const save = async (andLaunch: boolean): Promise<void> => {
    setTried(true);
    const { launch } = checked;
    if (launch === null) return;
    const refused = await launches.save(launch);
    setRefusal(refused);
    if (refused !== null) return;
    onChange(null);
    if (!andLaunch) location.go({ kind: 'launches', launchId: null });
    else if (!(await launches.launch(launch.id))) location.go({ kind: 'launches', launchId: launch.id });
  };
  const [, setNewDraft] = useFormDraft(DRAFT);
  /** With what is changed and not saved. */
  const duplicate = (): void => {
    setNewDraft(copyOfLaunch(draft));
    location.go({ kind: 'new-launch', machineId: null });
  };
  const saving = usePress(() => save(false));
  const launching = usePress(() => save(true));
  const busy = saving.busy || launching.busy;
  return (
    <>
      <FormScreen
        title={saved === null ? 'Launch a server' : saved.name}
        actions={
          <>
            <Button variant="default" onClick={() => location.go({ kind: 'launches', launchId: null })}>
              Back to launches
            </Button>
            {saved !== null && (
              <>
                <Button variant="default" onClick={duplicate}>
                  Duplicate
                </Button>
                <Button variant="default" onClick={() => setRemoving(true)}>
                  Remove
                </Button>
              </>
            )}
            <Button variant="default" loading={saving.busy} disabled={launching.busy} onClick={saving.press}>
              Save
            </Button>
            <Button
              loading={launching.busy}
              disabled={saving.busy}
              title="Ctrl+Enter"
              onClick={launching.press}
            >
              Save and launch
            </Button>
          </>
        }
        busy={busy}
        onSubmit={launching.press}
        refusal={{ title: 'The launch was not saved', reason: refusal }}
        errorCount={tried ? checked.errors.length : 0}
        warnings={checked.warnings}
        summary={
          <LaunchPlanView
            plan={plan}
            machine={machine}
            commandLine={draft.commandLine}
            error={errorAt('commandLine')}
            markedFields={new Set(shown.map(({ at }) => at)).size}
            onCommandLine={(commandLine) => onChange({ ...draft, commandLine })}
          />
        }
      >
        <LaunchFields
          draft={draft}
          machines={machines}
          machine={machine}
          errorAt={errorAt}
          onChange={(part) => onChange({ ...draft, ...part })}
        />
      </FormScreen>
      {saved !== null && (
        <ConfirmDialog
          opened={removing}
          title={`Remove the launch ${saved.name}?`}
          confirm="Remove launch"
          cancel="Keep it"
          onConfirm={() => {
            void launches.remove(saved);
            location.go({ kind: 'launches', launchId: null });
          }}
          onClose={() => setRemoving(false)}
        >
          Its running servers keep running. Studies that use it can no longer start it.
        </ConfirmDialog>
      )}
    </>
  );
}
