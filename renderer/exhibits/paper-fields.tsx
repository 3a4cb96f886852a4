import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Exhibit } from '../../preload/contract/exhibit';
import type { MissingField } from '../../preload/contract/reproduction';
import { PathSetting } from '../shared/machines/index';
import { readyValue, useBenchmarks, useMachines } from '../state/index';
import { Disclosure, Fields, FormNote, Select, SettingField } from '../widgets/index';
import { Checkpoints, type PaperEdit } from './checkpoint-fields';
import styles from './drawer.module.css';
import type { DraftFieldProps, PaperDraft, ReproductionFieldError } from './reproduction-draft';

const ENVIRONMENTS = [
  { value: 'path', label: 'From the login shell' },
  { value: 'venv', label: 'Virtual environment' },
  { value: 'conda', label: 'Conda environment' },
  { value: 'module', label: 'Environment modules' },
];

const TRAINERS = [
  { value: 'own', label: 'Our trainer' },
  { value: 'marti', label: 'MARTI, as released' },
];

/** What the fields are called that a plan may ask for. */
export const PAPER_FIELD_LABELS: Readonly<Record<MissingField, string>> = {
  trainingBenchmark: 'Trains on',
  martiCheckout: 'MARTI repository',
  trainingData: 'Training data',
  trainingOutput: 'Training output',
  checkpoints: 'Existing checkpoints',
};

/** A field that is to be shown and to get the focus. */
export type FieldToFocus = { readonly field: MissingField };

export type FocusProps = { readonly fieldToFocus: FieldToFocus | null; readonly onFocused: () => void };

/** The lab's paths: weights, checkpoints, MARTI and vLLM. */
export function PaperFields(props: DraftFieldProps & FocusProps) {
  const { exhibit, draft, errors, fieldToFocus, onDraft, onFocused } = props;
  const { paper } = draft;
  const benchmarks = (readyValue(useBenchmarks()) ?? []).filter(({ scale }) => scale !== 'pocket');
  // Open while nothing is filled in; typing does not close it.
  const [open, setOpen] = useState(
    () =>
      paper.trainingBenchmark === '' && paper.martiCheckout === '' && Object.keys(paper.weights).length === 0,
  );
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (fieldToFocus === null) return;
    if (!open) return setOpen(true);
    fields.current
      ?.querySelector<HTMLElement>(`[data-field="${fieldToFocus.field}"] :is(input, button)`)
      ?.focus();
    onFocused();
  }, [fieldToFocus, open, onFocused]);
  const edit = (part: Partial<PaperDraft>): void => onDraft({ ...draft, paper: { ...paper, ...part } });
  const machineId = useMachineOfPaths(draft.machineIds);
  const errorAt = (at: ReproductionFieldError['at']): string | undefined =>
    errors.find((error) => error.at === at)?.message;
  const text = (
    name: 'martiCheckout' | 'martiPython' | 'trainingData' | 'trainingOutput' | 'learnerPython',
    placeholder: string,
    label: string,
  ) => (
    <PathSetting
      machineId={machineId}
      label={label}
      placeholder={placeholder}
      value={paper[name]}
      error={undefined}
      onChange={(value) => edit({ [name]: value })}
    />
  );
  const pathField = (name: 'martiCheckout' | 'trainingData' | 'trainingOutput', placeholder: string) => (
    <FocusTarget field={name}>{text(name, placeholder, PAPER_FIELD_LABELS[name])}</FocusTarget>
  );
  return (
    <div className={styles.fields} ref={fields}>
      <Disclosure
        label="Paths in your lab"
        note="used for every exhibit; folders are on the machines"
        open={open || errors.some(({ at }) => at !== 'seeds' && at !== 'problems' && at !== 'machines')}
        onToggle={() => setOpen(!open)}
      >
        <Fields>
          <Select
            label="Trainer"
            allowDeselect={false}
            comboboxProps={{ transitionProps: { duration: 0 } }}
            value={paper.trainer}
            data={TRAINERS}
            onChange={(trainer) => edit({ trainer: trainer === 'marti' ? 'marti' : 'own' })}
          />
          {paper.trainer === 'own' ? (
            <>
              <FocusTarget field="trainingBenchmark">
                <Select
                  label={PAPER_FIELD_LABELS.trainingBenchmark}
                  placeholder="a benchmark of the library"
                  comboboxProps={{ transitionProps: { duration: 0 } }}
                  value={paper.trainingBenchmark === '' ? null : paper.trainingBenchmark}
                  data={benchmarks.map(({ id, name }) => ({ value: id, label: name }))}
                  onChange={(id) => edit({ trainingBenchmark: id ?? '' })}
                />
              </FocusTarget>
              {text('learnerPython', 'python3', 'Python of the trainer')}
              <SettingField
                label="Updates of each agent"
                value={paper.updates}
                error={errorAt('updates')}
                onChange={(updates) => edit({ updates })}
              />
            </>
          ) : (
            <>
              {pathField('martiCheckout', '/data/code/MARTI')}
              {text('martiPython', 'python3', 'Python of MARTI')}
              {pathField('trainingData', '/data/sets/code')}
              {pathField('trainingOutput', '/data/trainings')}
            </>
          )}
          <Select
            label="vLLM environment"
            allowDeselect={false}
            comboboxProps={{ transitionProps: { duration: 0 } }}
            value={paper.environment}
            data={ENVIRONMENTS}
            onChange={(kind) => {
              const picked = (['path', 'venv', 'conda', 'module'] as const).find((choice) => choice === kind);
              if (picked !== undefined) edit({ environment: picked });
            }}
          />
          {paper.environment !== 'path' && (
            <PathSetting
              machineId={machineId}
              label={paper.environment === 'module' ? 'Modules' : 'Environment'}
              value={paper.environmentPlace}
              error={errorAt('environment')}
              onChange={(environmentPlace) => edit({ environmentPlace })}
            />
          )}
          <SettingField
            label="GPUs per server"
            value={paper.gpusPerServer}
            error={errorAt('gpus')}
            onChange={(gpusPerServer) => edit({ gpusPerServer })}
          />
        </Fields>
        {paper.trainer === 'marti' && (
          <FormNote>
            As released, MARTI mixes problems in a group of GRPO, trains RS² in the place of Homo-MARS², and
            MARS² without reward shaping: cells of those methods are refused, with the reason.
          </FormNote>
        )}
        <h3>Weights</h3>
        <Weights exhibit={exhibit} paper={paper} machineId={machineId} onEdit={edit} />
        <h3>{PAPER_FIELD_LABELS.checkpoints}</h3>
        <FocusTarget field="checkpoints">
          <Checkpoints
            exhibit={exhibit}
            paper={paper}
            machineId={machineId}
            errorOf={(key) => errorAt(`checkpoint ${key}`)}
            onEdit={edit}
          />
        </FocusTarget>
      </Disclosure>
    </div>
  );
}

/** Where the focus goes when this field is fieldToFocus. */
function FocusTarget(props: { readonly field: MissingField; readonly children: ReactNode }) {
  return <div data-field={props.field}>{props.children}</div>;
}

/** Paths are the same on all machines of a lab: they are completed on one that is connected. */
function useMachineOfPaths(chosen: readonly string[] | null): string | null {
  const machines = (readyValue(useMachines()) ?? []).filter(({ spec }) => chosen?.includes(spec.id) ?? true);
  const connected = machines.filter(({ connection }) => connection.kind === 'connected');
  return (connected.find(({ spec }) => spec.kind !== 'local') ?? connected[0])?.spec.id ?? null;
}

function Weights(props: {
  readonly exhibit: Exhibit;
  readonly paper: PaperDraft;
  readonly machineId: string | null;
  readonly onEdit: PaperEdit;
}) {
  const { exhibit, paper, machineId, onEdit } = props;
  return (
    <Fields>
      {exhibit.models.map((model) => (
        <PathSetting
          key={model.id}
          machineId={machineId}
          label={model.name}
          placeholder={model.paper?.hub ?? 'a folder'}
          value={paper.weights[model.id] ?? ''}
          error={undefined}
          onChange={(path) => onEdit({ weights: { ...paper.weights, [model.id]: path } })}
        />
      ))}
    </Fields>
  );
}
