import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { Exhibit } from '../../preload/contract/exhibit';
import type { ReproductionRequest } from '../../preload/contract/reproduction';
import { type ExhibitScale, readyValue, useMachines, useStoredState } from '../state/index';
import { Disclosure, Fields, SettingField } from '../widgets/index';
import styles from './drawer.module.css';
import { type FocusProps, PaperFields } from './paper-fields';
import { PartFields } from './part-fields';
import {
  askedForLast,
  type DraftFieldProps,
  EMPTY_DRAFT,
  EMPTY_PAPER,
  paperDraftOf,
  type ReproductionDraft,
  type ReproductionFieldError,
  WHOLE,
} from './reproduction-draft';

/** What is measured, and overrides of the exhibit's seeds, problems and machines; at paper scale also the lab's paths. */
export function ReproductionFields(props: DraftFieldProps & FocusProps & { readonly scale: ExhibitScale }) {
  const { exhibit, draft, errors, scale, onDraft } = props;
  const [open, setOpen] = useState(false);
  const machines = readyValue(useMachines()) ?? [];
  const measured = exhibit.scales[scale];
  const errorAt = (at: ReproductionFieldError['at']): string | undefined =>
    errors.find((error) => error.at === at)?.message;
  const isUsual = draft.seeds === '' && draft.problems === '' && draft.machineIds === null;
  const isWhole = draft.seeds === '' && draft.problems === '' && draft.parts === null && draft.only === null;
  return (
    <>
      {scale === 'paper' && <PaperFields {...props} />}
      {!isWhole && (
        <Button
          variant="subtle"
          size="compact-xs"
          style={{ alignSelf: 'start' }}
          onClick={() => onDraft({ ...draft, ...WHOLE })}
        >
          Whole exhibit
        </Button>
      )}
      <PartFields {...props} />
      <Disclosure
        label="Seeds, problems, machines"
        note={isUsual ? 'as in the exhibit, on all machines' : 'changed'}
        open={open || errors.some(({ at }) => at === 'seeds' || at === 'problems' || at === 'machines')}
        onToggle={() => setOpen(!open)}
      >
        <Fields>
          <SettingField
            label="Seeds"
            help="Every training and search runs once per seed."
            placeholder={measured?.seeds.join(' ') ?? ''}
            defaultValue=""
            value={draft.seeds}
            error={errorAt('seeds')}
            onChange={(seeds) => onDraft({ ...draft, seeds })}
          />
          <SettingField
            label="Problems"
            help="Only the first N problems. Results on fewer are not comparable with the paper."
            placeholder={String(measured?.benchmark.problems ?? '')}
            defaultValue=""
            value={draft.problems}
            error={errorAt('problems')}
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

/**
 * The form's draft, until somebody changes it with what was asked for `last`. The lab's paths are remembered, as they are the
 * same for every exhibit; checkpoints are not.
 */
export function useReproductionDraft(
  exhibit: Exhibit,
  scale: ExhibitScale,
  last: ReproductionRequest | undefined,
) {
  const [stored, remember] = useStoredState('reproduction.paper', '', (text) => text);
  const [paper] = useState(() => (scale === 'paper' && stored !== '' ? paperDraftOf(stored) : EMPTY_PAPER));
  const [changed, setChanged] = useState<ReproductionDraft | null>(null);
  const draft = changed ?? { ...EMPTY_DRAFT, ...(last && askedForLast(exhibit, last)), paper };
  const change = (next: ReproductionDraft): void => {
    setChanged(next);
    if (scale === 'paper') remember(JSON.stringify({ ...next.paper, checkpoints: [] }));
  };
  return {
    draft,
    setDraft: change,
    onWhole: () => change({ ...draft, ...WHOLE }),
    onOneSeed: (seed: number) => change({ ...draft, seeds: String(seed) }),
  };
}
