import { Button, Checkbox, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { MachineSpec } from '../../preload/contract/machine';
import { sshNameProblem } from '../../preload/contract/plans/index';
import type { Refusal } from '../../preload/contract/refusal';
import { readyValue, type SshHost, useMachines, useSshHosts, useWorkbench } from '../state/index';
import {
  CommandText,
  EmptyState,
  ErrorNote,
  LoadingState,
  Screen,
  Section,
  SidebarLayout,
} from '../widgets/index';
import {
  checkMachine,
  draftOf,
  EMPTY_MACHINE,
  type MachineDraft,
  type MachineField,
  nameOf,
} from './machine-draft';
import styles from './machine-form.module.css';

/** Messages below the input keep the inputs of a row aligned. */
const MESSAGES_BELOW: ('label' | 'input' | 'description' | 'error')[] = [
  'label',
  'input',
  'error',
  'description',
];

const CONFIG_EXAMPLE = `Host gpu-a
  HostName 10.0.0.5
  User user1
  Port 22
  IdentityFile ~/.ssh/id_ed25519
  ProxyJump gateway.lab.example`;

export function NewMachineScreen() {
  const machines = readyValue(useMachines());
  if (machines === null) return <LoadingState text="Loading the machines" />;
  return <MachineForm spec={null} existing={machines.map(({ spec }) => spec)} />;
}

export function EditMachineScreen(props: { readonly machineId: string }) {
  const machines = readyValue(useMachines());
  if (machines === null) return <LoadingState text="Loading the machines" />;
  const existing = machines.map(({ spec }) => spec);
  const spec = existing.find(({ id }) => id === props.machineId);
  if (spec === undefined || spec.kind === 'local') {
    return (
      <Screen title="Machine">
        <EmptyState title="Nothing to edit" action={<a href="#/machines">All machines</a>}>
          {spec === undefined ? `No machine ${props.machineId}.` : 'This computer has no settings to edit.'}
        </EmptyState>
      </Screen>
    );
  }
  return <MachineForm key={spec.id} spec={spec} existing={existing} />;
}

function MachineForm(props: {
  readonly spec: MachineSpec | null;
  readonly existing: readonly MachineSpec[];
}) {
  const { spec, existing } = props;
  const { machineActions, location } = useWorkbench();
  const [draft, setDraft] = useState<MachineDraft>(
    () => (spec === null ? null : draftOf(spec)) ?? EMPTY_MACHINE,
  );
  const [isTried, setIsTried] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [refused, setRefused] = useState<Refusal | null>(null);
  const checked = checkMachine(draft, existing, spec?.id ?? null);
  const errors = isTried && checked.kind === 'wrong' ? checked.errors : {};
  const change = (part: Partial<MachineDraft>): void => {
    setRefused(null);
    setDraft({ ...draft, ...part });
  };
  const save = async (): Promise<void> => {
    setIsTried(true);
    if (checked.kind === 'wrong') return;
    setIsBusy(true);
    setRefused(await machineActions.save(checked.spec, spec === null));
    setIsBusy(false);
  };
  const isHere = draft.kind === 'slurm' && draft.isHere;
  return (
    <Screen fill title={spec === null ? 'Add a machine' : `Edit ${spec.name}`}>
      <SidebarLayout label="What happens" sidebar={<AboutConnection draft={draft} isHere={isHere} />}>
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          {spec === null && (
            <SegmentedControl
              className={styles.kind}
              aria-label="Kind of machine"
              value={draft.kind}
              onChange={(kind) => change({ kind: kind === 'slurm' ? 'slurm' : 'ssh' })}
              data={[
                { value: 'ssh', label: 'SSH machine' },
                { value: 'slurm', label: 'Slurm cluster' },
              ]}
            />
          )}
          {draft.kind === 'slurm' && (
            <Checkbox
              size="xs"
              label="This computer is a login node of the cluster"
              checked={draft.isHere}
              onChange={(event) => change({ isHere: event.currentTarget.checked })}
            />
          )}
          {!isHere && (
            <HostFields draft={draft} errors={errors} onChange={change} autoFocus={spec === null} />
          )}
          <TextInput
            className={styles.narrow}
            label="Name"
            inputWrapperOrder={MESSAGES_BELOW}
            description="Shown in the workbench"
            placeholder={draft.host === '' && !isHere ? '' : nameOf({ ...draft, name: '' })}
            value={draft.name}
            error={errors.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          {draft.kind === 'slurm' && <SlurmFields draft={draft} errors={errors} onChange={change} />}
          {refused !== null && <ErrorNote message={refused.message} hint={refused.hint} />}
          <div className={styles.actions}>
            <Button type="submit" loading={isBusy}>
              {spec === null ? 'Add and connect' : 'Save'}
            </Button>
            <Button variant="default" onClick={() => location.back()}>
              Cancel
            </Button>
          </div>
        </form>
      </SidebarLayout>
    </Screen>
  );
}

type Part = {
  readonly draft: MachineDraft;
  readonly errors: Partial<Record<MachineField, string>>;
  readonly onChange: (part: Partial<MachineDraft>) => void;
};

function HostFields(props: Part & { readonly autoFocus: boolean }) {
  const { draft, errors, onChange, autoFocus } = props;
  const hosts = useSshHosts();
  const typed = draft.host.trim().toLowerCase();
  const hostNames = readyValue(hosts) ?? [];
  const isOneOfThem = hostNames.some(({ host }) => host === draft.host.trim());
  const matching = hostNames.filter(({ host }) => isOneOfThem || host.toLowerCase().includes(typed));
  return (
    <div>
      <TextInput
        className={styles.narrow}
        label={draft.kind === 'slurm' ? 'ssh name of a login node' : 'ssh name'}
        inputWrapperOrder={MESSAGES_BELOW}
        description="A host of your ssh config, or an address: gpu-a, user1@10.0.0.5, ssh://user1@10.0.0.5:2222"
        autoComplete="off"
        spellCheck={false}
        data-autofocus={autoFocus || undefined}
        autoFocus={autoFocus}
        value={draft.host}
        error={errors.host}
        onChange={(event) => onChange({ host: event.currentTarget.value })}
      />
      {hosts.kind === 'ready' && hostNames.length === 0 && <NoHosts />}
      {hosts.kind === 'failed' && <p className={styles.soft}>{hosts.error.message}</p>}
      {matching.length > 0 && (
        <fieldset className={styles.hosts}>
          <legend>Hosts in your ssh config</legend>
          {matching.map((offer) => (
            <HostButton
              key={offer.host}
              offer={offer}
              isChosen={offer.host === draft.host.trim()}
              onChoose={() => onChange({ host: offer.host })}
            />
          ))}
        </fieldset>
      )}
    </div>
  );
}

function HostButton(props: {
  readonly offer: SshHost;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) {
  const { offer, isChosen, onChoose } = props;
  return (
    <button type="button" aria-pressed={isChosen} onClick={onChoose}>
      {offer.host}
      {offer.isAdded && <small>already added</small>}
    </button>
  );
}

function NoHosts() {
  return (
    <div className={styles.none}>
      <p className={styles.soft}>
        Your ssh config has no hosts. Enter <code>user@address</code>, or define a short name in{' '}
        <code>~/.ssh/config</code>; leave out the lines that you do not need:
      </p>
      <CommandText label="the example" text={CONFIG_EXAMPLE} />
    </div>
  );
}

function SlurmFields(props: Part) {
  const { draft, errors, onChange } = props;
  return (
    <Section title="Defaults for jobs">
      <div className={styles.defaults}>
        <TextInput
          label="Partition"
          placeholder="the cluster's default"
          value={draft.partition}
          onChange={(event) => onChange({ partition: event.currentTarget.value })}
        />
        <TextInput
          label="Account"
          placeholder="the cluster's default"
          value={draft.account}
          onChange={(event) => onChange({ account: event.currentTarget.value })}
        />
        <TextInput
          label="Wall time, hours"
          inputWrapperOrder={MESSAGES_BELOW}
          inputMode="decimal"
          value={draft.hours}
          error={errors.hours}
          onChange={(event) => onChange({ hours: event.currentTarget.value })}
        />
      </div>
      <TextInput
        label="Other sbatch options"
        placeholder="--qos=long --constraint=h100"
        spellCheck={false}
        value={draft.options}
        onChange={(event) => onChange({ options: event.currentTarget.value })}
      />
    </Section>
  );
}

function AboutConnection(props: { readonly draft: MachineDraft; readonly isHere: boolean }) {
  const { draft, isHere } = props;
  const host = draft.host.trim();
  return (
    <>
      <Section title="What happens">
        <ul className={styles.points}>
          {!isHere && (
            <>
              <li>
                The workbench runs your own <code>ssh</code>: config, keys, agent, jump hosts and one-time
                codes work as in a terminal.
              </li>
              <li>
                If ssh asks for a password, a code or a host key, a terminal opens here. Passwords are not
                stored.
              </li>
              <li>One connection stays open and reconnects when it drops. Jobs keep running meanwhile.</li>
            </>
          )}
          {draft.kind === 'ssh' ? (
            <li>
              Nothing is installed and no port is opened: no daemon, no Docker, no root. The workbench creates
              one folder in your home folder.
            </li>
          ) : (
            <li>
              Jobs are submitted with <code>sbatch</code> and followed with <code>squeue</code>. The cluster
              decides where and when they run.
            </li>
          )}
        </ul>
      </Section>
      {!isHere && sshNameProblem(host) === null && (
        <Section title="Try it in a terminal">
          <CommandText label="the command" text={`ssh ${host} hostname`} />
        </Section>
      )}
    </>
  );
}
