import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { type ExhibitScale, readyValue, useMachines, useStoredState } from '../state/index';
import { Disclosure, Fields, SettingField } from '../widgets/index';
import styles from './drawer.module.css';
import { PaperFields } from './paper-fields';
import {
  type DraftFieldProps,
  EMPTY_DRAFT,
  EMPTY_PAPER,
  paperDraftOf,
  type ReproductionDraft,
  type ReproductionFieldError,
} from './reproduction-draft';

/** What may be otherwise than the exhibit says, and at paper scale where things are in the lab. */
export function ReproductionFields(props: DraftFieldProps & { readonly scale: ExhibitScale }) {
  const { exhibit, draft, errors, scale, onDraft } = props;
  const [open, setOpen] = useState(false);
  const machines = readyValue(useMachines()) ?? [];
  const measured = exhibit.scales[scale];
  const errorAt = (at: ReproductionFieldError['at']): string | undefined =>
    errors.find((error) => error.at === at)?.message;
  const isUsual = draft.seeds === '' && draft.problems === '' && draft.machineIds === null;
  return (
    <>
      {scale === 'paper' && <PaperFields {...props} />}
      <Disclosure
        label="Seeds, problems, machines"
        note={isUsual ? 'as the exhibit says, on every machine' : 'not as the exhibit says'}
        open={open || errors.some(({ at }) => at === 'seeds' || at === 'problems' || at === 'machines')}
        onToggle={() => setOpen(!open)}
      >
        <Fields>
          <SettingField
            label="Seeds"
            help="Each repeats every training and search."
            placeholder={measured?.seeds.join(' ') ?? ''}
            usual=""
            value={draft.seeds}
            fault={errorAt('seeds')}
            onChange={(seeds) => onDraft({ ...draft, seeds })}
          />
          <SettingField
            label="Problems"
            help="The first so many. Fewer make values not comparable."
            placeholder={String(measured?.benchmark.problems ?? '')}
            usual=""
            value={draft.problems}
            fault={errorAt('problems')}
            onChange={(problems) => onDraft({ ...draft, problems })}
          />
        </Fields>
        {scale === 'paper' && machines.length > 1 && (
          <Checkbox.Group
            label="Machines"
            mt={8}
            size="xs"
            error={errorAt('machines')}
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

/** The form of an order. Places of the lab are the same for every exhibit, so they are remembered; checkpoints are not. */
export function useReproductionDraft(
  scale: ExhibitScale,
): readonly [ReproductionDraft, (draft: ReproductionDraft) => void] {
  const [kept, remember] = useStoredState('reproduction.paper', '', (text) => text);
  const [draft, setDraft] = useState<ReproductionDraft>(() => ({
    ...EMPTY_DRAFT,
    paper: scale === 'paper' && kept !== '' ? paperDraftOf(kept) : EMPTY_PAPER,
  }));
  const change = (next: ReproductionDraft): void => {
    setDraft(next);
    if (scale === 'paper') remember(JSON.stringify({ ...next.paper, checkpoints: [] }));
  };
  return [draft, change];
}
