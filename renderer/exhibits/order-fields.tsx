import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { type ExhibitScale, readyValue, useMachines } from '../state/index';
import { Disclosure, Fields, SettingField } from '../widgets/index';
import styles from './drawer.module.css';
import type { OrderFault } from './order-draft';
import type { OrderPart } from './order-part';
import { PaperFields } from './paper-fields';

/** What may be otherwise than the exhibit says, and at paper scale where things are in the lab. */
export function OrderFields(props: OrderPart & { readonly scale: ExhibitScale }) {
  const { exhibit, draft, faults, scale, onDraft } = props;
  const [open, setOpen] = useState(false);
  const machines = readyValue(useMachines()) ?? [];
  const measured = exhibit.scales[scale];
  const faultAt = (at: OrderFault['at']): string | undefined =>
    faults.find((fault) => fault.at === at)?.message;
  const isUsual = draft.seeds === '' && draft.problems === '' && draft.machineIds === null;
  return (
    <>
      {scale === 'paper' && <PaperFields {...props} />}
      <Disclosure
        label="Seeds, problems, machines"
        note={isUsual ? 'as the exhibit says, on every machine' : 'not as the exhibit says'}
        open={open || faults.some(({ at }) => at === 'seeds' || at === 'problems' || at === 'machines')}
        onToggle={() => setOpen(!open)}
      >
        <Fields>
          <SettingField
            label="Seeds"
            help="Each repeats every training and search."
            placeholder={measured?.seeds.join(' ') ?? ''}
            usual=""
            value={draft.seeds}
            fault={faultAt('seeds')}
            onChange={(seeds) => onDraft({ ...draft, seeds })}
          />
          <SettingField
            label="Problems"
            help="The first so many. Fewer make values not comparable."
            placeholder={String(measured?.benchmark.problems ?? '')}
            usual=""
            value={draft.problems}
            fault={faultAt('problems')}
            onChange={(problems) => onDraft({ ...draft, problems })}
          />
        </Fields>
        {scale === 'paper' && machines.length > 1 && (
          <Checkbox.Group
            label="Machines"
            mt={8}
            size="xs"
            error={faultAt('machines')}
            value={[...(draft.machineIds ?? machines.map(({ spec }) => spec.id))]}
            onChange={(ids) => onDraft({ ...draft, machineIds: ids.length === machines.length ? null : ids })}
          >
            <div className={styles.machines}>
              {machines.map(({ spec }) => (
                <Checkbox key={spec.id} size="xs" value={spec.id} label={spec.name} />
              ))}
            </div>
          </Checkbox.Group>
        )}
      </Disclosure>
    </>
  );
}
