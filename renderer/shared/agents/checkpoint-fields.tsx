import {
  checkpointMember,
  isOwnTraining,
  seedOfTraining,
  textsOfSampling,
} from '../../../preload/contract/plans/index';
import type { TrainingCheckpoint, TrainingView } from '../../../preload/contract/training';
import { readyValue, useCheckpoints, useExperiments, useReproductions } from '../../state/index';
import { count, Select } from '../../widgets/index';
import { type AgentChoice, type Library, NO_DETAILS } from './agents';
import styles from './agents.module.css';
import { NO_TRANSITION } from './input-options';
import { type FieldMessages, messageProps } from './messages';

type Chosen = Extract<AgentChoice, { kind: 'checkpoint' }>;

/** The training, and which of its checkpoints: newest first, with what each is. */
export function CheckpointFields(props: {
  readonly label: string;
  readonly configuration: number;
  readonly at: number;
  readonly agent: Chosen;
  readonly library: Library;
  readonly messages: FieldMessages;
  readonly onChange: (agent: AgentChoice) => void;
}) {
  const { label, configuration, at, agent, library, messages, onChange } = props;
  const { trainingId, checkpointId } = agent;
  const training = library.trainings.find(({ id }) => id === trainingId);
  const experiments = readyValue(useExperiments()) ?? [];
  const reproductions = readyValue(useReproductions()) ?? [];
  const partOf = new Map([
    ...experiments.map(({ id, order }) => [id, order.name] as const),
    ...reproductions.map(({ id, title }) => [id, title] as const),
  ]);
  const checkpoints = useCheckpoints(trainingId === '' ? null : trainingId);
  const servable = (readyValue(checkpoints) ?? []).filter(({ canServe }) => canServe);
  const options = optionsOf(servable, training);
  const isListed = checkpointId === '' || options.some(({ value }) => value === checkpointId);
  const isGone = checkpoints.kind === 'ready' && !isListed;
  const select = (id: string | null): void => {
    const checkpoint = servable.find((one) => one.id === id);
    if (training === undefined || checkpoint === undefined) return;
    const { server, sampling, extraction } = checkpointMember({ training, checkpoint }, library.launches);
    const asTrained = sampling === undefined ? {} : { ...textsOfSampling(sampling), extraction };
    const details =
      sampling === undefined ? agent.details : { ...NO_DETAILS, ...agent.details, ...asTrained };
    onChange({
      ...{ kind: 'checkpoint', trainingId, checkpointId: checkpoint.id, server },
      ...(details === undefined ? {} : { details }),
    });
  };
  return (
    <div className={styles.address}>
      <Select
        aria-label={`Training of ${label}`}
        placeholder="training"
        searchable
        openOnFocus={false}
        nothingFoundMessage={library.trainings.length === 0 ? 'No trainings yet' : 'No such training'}
        comboboxProps={{ ...NO_TRANSITION, width: 'max-content', position: 'bottom-start' }}
        maxDropdownHeight={280}
        value={trainingId === '' ? null : trainingId}
        data={trainingOptions(library.trainings, training === undefined ? trainingId : '', partOf)}
        onChange={(id) =>
          id !== null &&
          id !== trainingId &&
          onChange({ ...agent, trainingId: id, checkpointId: '', server: null })
        }
        {...messageProps(messages, `${configuration} address ${at}`)}
      />
      <Select
        aria-label={`Checkpoint of ${label}`}
        placeholder={placeholderOf(trainingId, checkpoints.kind, options.length)}
        searchable
        openOnFocus={false}
        disabled={trainingId === ''}
        nothingFoundMessage="No such checkpoint"
        comboboxProps={NO_TRANSITION}
        value={checkpointId === '' ? null : checkpointId}
        data={isListed ? options : [...options, { value: checkpointId, label: checkpointId }]}
        onChange={select}
        {...messageProps(messages, `${configuration} model ${at}`)}
        {...(isGone ? { error: 'The training no longer has this checkpoint. Choose another one.' } : {})}
      />
    </div>
  );
}

/** `lost`: the id of a chosen training that is in the list no more; empty: none. `partOf`: titles of experiments and reproductions. */
function trainingOptions(
  trainings: readonly TrainingView[],
  lost: string,
  partOf: ReadonlyMap<string, string>,
) {
  const group = (title: string, isPocket: boolean) => ({
    group: title,
    items: trainings
      .filter(({ scale }) => (scale === 'pocket') === isPocket)
      .map((training) => ({ value: training.id, label: trainingText(training, partOf) })),
  });
  return [
    group('Pocket policies, in the place of the papers’ models', true),
    group('Language models', false),
    { group: 'No longer in the list', items: lost === '' ? [] : [{ value: lost, label: lost }] },
  ].filter(({ items }) => items.length > 0);
}

/** "Heter-MARS², seed 7: reader + tracer, part of Five methods": its name, and what that does not tell. */
function trainingText(training: TrainingView, partOf: ReadonlyMap<string, string>): string {
  const { name, title, spec, experimentId, reproductionId } = training;
  const seed = seedOfTraining(spec);
  const owner = partOf.get(experimentId ?? reproductionId ?? '');
  const facts = [
    ...title.split(', '),
    ...(seed === null ? [] : [`seed ${seed}`]),
    ...(owner === undefined ? [] : [`part of ${owner}`]),
  ].filter((fact) => !name.includes(fact));
  return facts.length === 0 ? name : `${name}: ${facts.join(', ')}`;
}

/** "reader, 300 updates". */
function optionsOf(checkpoints: readonly TrainingCheckpoint[], training: TrainingView | undefined) {
  const nameOf = (agentId: string): string =>
    training?.agents.find(({ id }) => id === agentId)?.name ?? agentId;
  const isOwn = training !== undefined && isOwnTraining(training.spec);
  return checkpoints
    .toSorted((a, b) => b.step - a.step)
    .map(({ id, agentId, step }) => ({
      value: id,
      label: `${nameOf(agentId)}, ${isOwn ? `${count(step)} updates` : `step ${count(step)}`}`,
    }));
}

function placeholderOf(trainingId: string, kind: string, number: number): string {
  if (trainingId === '') return 'checkpoint';
  if (kind === 'loading') return 'Loading…';
  if (kind === 'failed') return 'Its checkpoints cannot be read';
  return number === 0 ? 'It has no checkpoint to serve' : 'checkpoint';
}
