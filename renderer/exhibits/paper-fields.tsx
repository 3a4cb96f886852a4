import { Button, MultiSelect } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Exhibit } from '../../preload/contract/exhibit';
import { TRAINING_METHODS } from '../../preload/contract/plans/index';
import { PathInput, PathSetting } from '../shared/machines/index';
import { readyValue, useBenchmarks, useMachines } from '../state/index';
import { Disclosure, Fields, FormError, FormNote, Select, SettingField } from '../widgets/index';
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

/** The lab's paths: weights, checkpoints, MARTI and vLLM. */
export function PaperFields({ exhibit, draft, errors, onDraft }: DraftFieldProps) {
  const { paper } = draft;
  const benchmarks = (readyValue(useBenchmarks()) ?? []).filter(({ scale }) => scale !== 'pocket');
  // Open while nothing is filled in; typing does not close it.
  const [open, setOpen] = useState(
    () =>
      paper.trainingBenchmark === '' && paper.martiCheckout === '' && Object.keys(paper.weights).length === 0,
  );
  const edit = (part: Partial<PaperDraft>): void => onDraft({ ...draft, paper: { ...paper, ...part } });
  const machineId = useMachineOfPaths(draft.machineIds);
  const errorAt = (at: ReproductionFieldError['at']): string | undefined =>
    errors.find((error) => error.at === at)?.message;
  const text = (
    name: 'martiCheckout' | 'martiPython' | 'trainingData' | 'trainingOutput' | 'learnerPython',
    label: string,
    placeholder: string,
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
  return (
    <div className={styles.fields}>
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
              <Select
                label="Trains on"
                placeholder="a benchmark of the library"
                comboboxProps={{ transitionProps: { duration: 0 } }}
                value={paper.trainingBenchmark === '' ? null : paper.trainingBenchmark}
                data={benchmarks.map(({ id, name }) => ({ value: id, label: name }))}
                onChange={(id) => edit({ trainingBenchmark: id ?? '' })}
              />
              {text('learnerPython', 'Python of the trainer', 'python3')}
              <SettingField
                label="Updates of each agent"
                value={paper.updates}
                error={errorAt('updates')}
                onChange={(updates) => edit({ updates })}
              />
            </>
          ) : (
            <>
              {text('martiCheckout', 'MARTI repository', '/data/code/MARTI')}
              {text('martiPython', 'Python of MARTI', 'python3')}
              {text('trainingData', 'Training data', '/data/sets/code')}
              {text('trainingOutput', 'Training output', '/data/trainings')}
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
        <h3>Existing checkpoints</h3>
        <Checkpoints
          exhibit={exhibit}
          paper={paper}
          machineId={machineId}
          errorOf={(key) => errorAt(`checkpoint ${key}`)}
          onEdit={edit}
        />
      </Disclosure>
    </div>
  );
}

/** Paths are the same on all machines of a lab: they are completed on one that is connected. */
function useMachineOfPaths(chosen: readonly string[] | null): string | null {
  const machines = (readyValue(useMachines()) ?? []).filter(({ spec }) => chosen?.includes(spec.id) ?? true);
  const connected = machines.filter(({ connection }) => connection.kind === 'connected');
  return (connected.find(({ spec }) => spec.kind !== 'local') ?? connected[0])?.spec.id ?? null;
}

type PaperEdit = (part: Partial<PaperDraft>) => void;

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

function Checkpoints(props: {
  readonly exhibit: Exhibit;
  readonly paper: PaperDraft;
  readonly machineId: string | null;
  readonly errorOf: (key: number) => string | undefined;
  readonly onEdit: PaperEdit;
}) {
  const { exhibit, paper, machineId, errorOf, onEdit } = props;
  return (
    <>
      {paper.checkpoints.map((checkpoint) => (
        <CheckpointRow
          key={checkpoint.key}
          exhibit={exhibit}
          paper={paper}
          machineId={machineId}
          checkpointKey={checkpoint.key}
          error={errorOf(checkpoint.key)}
          onEdit={onEdit}
        />
      ))}
      <Button
        className={styles.add ?? ''}
        variant="subtle"
        size="compact-xs"
        leftSection={<IconPlus size={13} aria-hidden="true" />}
        onClick={() =>
          onEdit({
            checkpoints: [
              ...paper.checkpoints,
              {
                key: Math.max(-1, ...paper.checkpoints.map(({ key }) => key)) + 1,
                modelId: exhibit.models[0]?.id ?? '',
                method: 'heter-mars2',
                trainedWith: [],
                path: '',
              },
            ],
          })
        }
      >
        Add a checkpoint
      </Button>
    </>
  );
}

function CheckpointRow(props: {
  readonly exhibit: Exhibit;
  readonly paper: PaperDraft;
  readonly machineId: string | null;
  readonly checkpointKey: number;
  readonly error: string | undefined;
  readonly onEdit: PaperEdit;
}) {
  const { exhibit, paper, machineId, checkpointKey, error, onEdit } = props;
  const at = paper.checkpoints.findIndex(({ key }) => key === checkpointKey);
  const checkpoint = paper.checkpoints[at];
  if (checkpoint === undefined) return null;
  const number = at + 1;
  const models = exhibit.models.map(({ id, name }) => ({ value: id, label: name }));
  const edit = (part: Partial<typeof checkpoint>): void =>
    onEdit({ checkpoints: paper.checkpoints.with(at, { ...checkpoint, ...part }) });
  const plain = { allowDeselect: false, comboboxProps: { transitionProps: { duration: 0 } } };
  return (
    <div className={styles.checkpoint}>
      <Select
        {...plain}
        aria-label={`Model of checkpoint ${number}`}
        value={checkpoint.modelId}
        data={models}
        onChange={(modelId) => modelId !== null && edit({ modelId })}
      />
      <Select
        {...plain}
        aria-label={`Method of checkpoint ${number}`}
        value={checkpoint.method}
        data={TRAINING_METHODS.filter(({ isControl, id }) => !isControl && id !== 'base').map(
          ({ id, name }) => ({
            value: id,
            label: name,
          }),
        )}
        onChange={(method) => {
          const info = TRAINING_METHODS.find(({ id }) => id === method);
          if (info !== undefined) edit({ method: info.id });
        }}
      />
      <MultiSelect
        size="xs"
        aria-label={`Partners of checkpoint ${number}`}
        placeholder={checkpoint.trainedWith.length === 0 ? 'alone' : ''}
        comboboxProps={{ transitionProps: { duration: 0 } }}
        maxValues={3}
        value={[...checkpoint.trainedWith]}
        data={models.filter(({ value }) => value !== checkpoint.modelId)}
        onChange={(trainedWith) => edit({ trainedWith })}
      />
      <PathInput
        machineId={machineId}
        aria-label={`Folder of checkpoint ${number}`}
        placeholder="/data/checkpoints/step_300"
        value={checkpoint.path}
        onChange={(path) => edit({ path })}
      />
      <Button
        variant="subtle"
        size="compact-xs"
        aria-label={`Remove checkpoint ${number}`}
        onClick={() => onEdit({ checkpoints: paper.checkpoints.filter((draft) => draft !== checkpoint) })}
      >
        Remove
      </Button>
      <FormError text={error} />
    </div>
  );
}
