import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { forwardAddress } from '../../../preload/contract/folds/index';
import type { PortForward } from '../../../preload/contract/forward';
import type { MachineView } from '../../../preload/contract/machine';
import { readyValue, useForwards, useServiceInfo, useWorkbench } from '../../state/index';
import { CopyTextButton, Section, usePress } from '../../widgets/index';
import styles from './ports.module.css';

/** Programs that people look at in a browser, and the ports that they use by default. */
const USUAL: readonly Offer[] = [
  { name: 'TensorBoard', port: 6_006 },
  { name: 'Ray', port: 8_265 },
  { name: 'Jupyter', port: 8_888 },
];

type Offer = { readonly name: string; readonly port: number };
type Props = {
  readonly machine: MachineView;
  readonly jobId: string | null;
  readonly logged?: readonly number[];
};

/**
 * Ports of a machine, or of one job, that this computer's browser can open, and presses to forward more. `logged`: ports
 * that the job's log names, offered first. Nothing where the browser's own computer is the machine.
 */
export function PortsSection(props: Props) {
  return useIsRemote(props.machine) ? <Ports {...props} /> : null;
}

/** Whether this computer's browser cannot reach the machine's ports: what a machine's service calls local is elsewhere. */
export function useIsRemote({ spec }: MachineView): boolean {
  const through = readyValue(useServiceInfo())?.through ?? null;
  return spec.kind !== 'local' || through !== null;
}

function Ports(props: Props) {
  const { machine, jobId, logged = [] } = props;
  const machineId = machine.spec.id;
  const all = (readyValue(useForwards()) ?? []).filter((forward) => forward.machineId === machineId);
  // The machine's page shows those of its jobs too.
  const shown = jobId === null ? all : all.filter((forward) => forward.jobId === jobId);
  const taken = new Set(shown.filter((forward) => forward.jobId === jobId).map(({ port }) => port));
  const named = logged.map((port) => USUAL.find((usual) => usual.port === port) ?? { name: 'Forward', port });
  const offers = [...named, ...USUAL.filter(({ port }) => !logged.includes(port))];
  return (
    <Section title="Ports in your browser">
      {shown.length > 0 && (
        <ul className={styles.ports}>
          {shown.map((forward) => (
            <ForwardLine key={forward.id} forward={forward} />
          ))}
        </ul>
      )}
      {machine.connection.kind === 'connected' ? (
        <div className={styles.offers}>
          <PortForm machineId={machineId} jobId={jobId} />
          {offers
            .filter(({ port }) => !taken.has(port))
            .map(({ name, port }) => (
              <OfferButton key={port} label={`${name} ${port}`} open={{ machineId, port, jobId }} />
            ))}
        </div>
      ) : (
        <p className={styles.soft}>Ports can be forwarded while the machine is connected.</p>
      )}
    </Section>
  );
}

function ForwardLine(props: { readonly forward: PortForward }) {
  const { forward } = props;
  const { machineActions, terminals } = useWorkbench();
  const address = forwardAddress(forward);
  const close = usePress(() => machineActions.closeForward(forward.id));
  return (
    <li data-broken={forward.brokenBy !== null || undefined}>
      <span className={styles.from}>
        {forward.port}
        {forward.node !== null && ` of ${forward.node}`}
      </span>
      <code data-selectable>{address}</code>
      <span className={styles.actions}>
        <CopyTextButton label={`Copy ${address}`} read={() => address} />
        <Button
          variant="default"
          size="compact-xs"
          aria-label={`Open ${address} in the browser`}
          onClick={() => void terminals.openLink(address)}
        >
          Open
        </Button>
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          aria-label={`Close port ${forward.port}`}
          loading={close.busy}
          onClick={close.press}
        >
          Close
        </Button>
      </span>
      {forward.brokenBy !== null && <small role="status">{forward.brokenBy}</small>}
    </li>
  );
}

type Opened = { readonly machineId: string; readonly port: number; readonly jobId: string | null };

function OfferButton(props: { readonly label: string; readonly open: Opened }) {
  const { label, open } = props;
  const { machineActions } = useWorkbench();
  const { busy, press } = usePress(() => machineActions.forwardPort(open.machineId, open.port, open.jobId));
  return (
    <Button variant="default" size="compact-sm" loading={busy} onClick={press}>
      {label}
    </Button>
  );
}

function PortForm(props: { readonly machineId: string; readonly jobId: string | null }) {
  const { machineId, jobId } = props;
  const { machineActions } = useWorkbench();
  const [text, setText] = useState('');
  const port = /^\d{1,5}$/.test(text.trim()) ? Number(text.trim()) : 0;
  const isPort = port >= 1 && port <= 65_535;
  const { busy, press } = usePress(async () => {
    await machineActions.forwardPort(machineId, port, jobId);
    setText('');
  });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (isPort) press();
      }}
    >
      <TextInput
        aria-label="Port to forward"
        placeholder="Port"
        inputMode="numeric"
        maxLength={6}
        value={text}
        error={text.trim() !== '' && !isPort}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={busy} disabled={!isPort}>
        Forward
      </Button>
    </form>
  );
}
