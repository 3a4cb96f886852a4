import { Button, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { EXPERIMENT_PRESETS, experimentPresetOf } from '../../preload/contract/plans/index';
import type { Refusal } from '../../preload/contract/refusal';
import { ScaleTag } from '../shared/studies/index';
import { type DraftKey, readyValue, useExperiment, useFormDraft, useWorkbench } from '../state/index';
import {
  Fields,
  FormError,
  FormScreen,
  LoadingState,
  plural,
  Section,
  SettingField,
  usePress,
} from '../widgets/index';
import { CommonFields } from './common-fields';
import { CostView } from './cost-view';
import {
  checkExperiment,
  defaultPreset,
  draftOfExperiment,
  draftOfPreset,
  type ExperimentDraft,
  type FieldId,
} from './experiment-draft';
import styles from './new-experiment.module.css';
import { RowList } from './row-list';

const DRAFT: DraftKey<ExperimentDraft | null> = { name: 'new-experiment', empty: null };

/** The form for a new experiment. */
export function NewExperimentScreen(props: {
  /** From the route: a preset, or the id of an earlier experiment to copy; null: keep the draft. */
  readonly preset: string | null;
}) {
  const { preset } = props;
  const [draft, setDraft] = useFormDraft(DRAFT);
  const { location } = useWorkbench();
  const earlier = useExperiment(preset);
  const ready = preset === null ? null : experimentPresetOf(preset);
  const isReading = preset !== null && ready === null && earlier.kind === 'loading';
  // The route sets the form's initial content once; after that the draft counts.
  useEffect(() => {
    if (preset === null || isReading) return;
    const model = readyValue(earlier);
    if (ready !== null) setDraft(draftOfPreset(ready));
    else if (model !== null && model.order.models === undefined) setDraft(draftOfExperiment(model.order));
    location.go({ kind: 'new-experiment' }, { replace: true });
  }, [preset, isReading, ready, earlier, setDraft, location]);
  if (isReading) return <LoadingState text="Loading the experiments" />;
  return <ExperimentForm draft={draft ?? draftOfPreset(defaultPreset())} onChange={setDraft} />;
}

function ExperimentForm(props: {
  readonly draft: ExperimentDraft;
  readonly onChange: (draft: ExperimentDraft | null) => void;
}) {
  const { draft, onChange } = props;
  const { experiments, location } = useWorkbench();
  const checked = checkExperiment(draft);
  const [tried, setTried] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const shown = checked.errors.filter(({ kind }) => tried || kind === 'wrong');
  const errorAt = (at: FieldId): string | undefined => shown.find((error) => error.at === at)?.message;
  const { busy, press } = usePress(async () => {
    setTried(true);
    if (checked.request === null) return;
    const refused = await experiments.start(checked.request);
    setRefusal(refused);
    if (refused === null) onChange(null);
  });
  return (
    <FormScreen
      title="New experiment"
      aside={<ScaleTag scale="pocket" />}
      actions={
        <>
          <Button variant="default" onClick={() => location.go({ kind: 'experiments' })}>
            Back to experiments
          </Button>
          <Button loading={busy} onClick={press} title="Ctrl+Enter">
            Start experiment
          </Button>
        </>
      }
      busy={busy}
      onSubmit={press}
      refusal={{ title: 'The experiment was not started', reason: refusal }}
      errorCount={tried ? checked.errors.length : 0}
      warnings={checked.warnings}
      summary={<CostView draft={draft} request={checked.request} />}
    >
      <Section title="Start from">
        <fieldset className={styles.ready} aria-label="Preset experiments">
          {EXPERIMENT_PRESETS.map((ready) => (
            <label key={ready.id} className={styles.readyTile}>
              <input
                type="radio"
                name="ready"
                checked={draft.presetId === ready.id}
                onChange={() => onChange(draftOfPreset(ready))}
              />
              <b>{ready.name}</b>
              <span>{ready.line}</span>
              <small>
                {plural(ready.rows.length, 'row')} × {plural(ready.seeds.length, 'seed')} ={' '}
                {plural(ready.rows.length * ready.seeds.length, 'training')}
              </small>
            </label>
          ))}
        </fieldset>
      </Section>
      <Section title="Name and seeds">
        <Fields>
          <TextInput
            label="Name"
            placeholder={draft.base.name}
            autoComplete="off"
            error={errorAt('name')}
            value={draft.name}
            onChange={(event) => onChange({ ...draft, name: event.currentTarget.value })}
          />
          <SettingField
            label="Seeds"
            help="Every row runs once per seed."
            value={draft.seeds}
            error={errorAt('seeds')}
            onChange={(seeds) => onChange({ ...draft, seeds })}
          />
        </Fields>
      </Section>
      <Section title="Rows">
        <RowList draft={draft} errorAt={errorAt} onChange={onChange} />
        <FormError text={errorAt('rows')} />
      </Section>
      <CommonFields draft={draft} errorAt={errorAt} onChange={onChange} />
    </FormScreen>
  );
}
