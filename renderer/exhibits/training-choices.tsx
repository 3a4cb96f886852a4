import { MultiSelect } from '@mantine/core';
import { useState } from 'react';
import type { Exhibit } from '../../preload/contract/exhibit';
import {
  type AddedTraining,
  trainingsOfLine,
  withAddedTraining,
  withTrainingsAtHand,
} from '../../preload/contract/plans/index';
import { Disclosure, Select } from '../widgets/index';

/** Adds a line for an agent of a finished training, and chooses the trainings of lines that are there. */
export function TrainingChoices(props: {
  readonly exhibit: Exhibit;
  readonly trainings: readonly AddedTraining[];
  readonly onChange: (exhibit: Exhibit) => void;
}) {
  const { exhibit, trainings, onChange } = props;
  const [open, setOpen] = useState(false);
  const lines = exhibit.series.filter(({ curve }) => curve.kind === 'learning');
  const named = lines.map((line) => [line, idsOf(trainingsOfLine(line), trainings)] as const);
  const add = (value: string): void => {
    const [id, agentId] = JSON.parse(value) as [string, string];
    const training = trainings.find((one) => one.id === id);
    if (training !== undefined) onChange(withAddedTraining(exhibit, training, agentId));
  };
  return (
    <>
      <Select
        size="xs"
        label="Add a line over a training"
        placeholder="Choose a finished training"
        searchable
        value={null}
        data={trainings.flatMap(({ id, name, agents }) =>
          agents.map((agent) => ({
            value: JSON.stringify([id, agent.id]),
            label: agents.length === 1 ? name : `${name}: ${agent.name}`,
          })),
        )}
        onChange={(value) => value !== null && add(value)}
      />
      {lines.length > 0 && (
        <Disclosure
          label="Trainings of its lines, one a seed"
          note={`${named.filter(([, ids]) => ids.length > 0).length} of ${lines.length} chosen`}
          open={open}
          onToggle={() => setOpen(!open)}
        >
          {named.map(([{ id, label }, ids]) => (
            <MultiSelect
              key={id}
              size="xs"
              label={label}
              placeholder={ids.length === 0 ? 'None: it is measured' : ''}
              clearable
              searchable
              value={ids}
              data={[
                ...trainings.map((one) => ({ value: one.id, label: one.name })),
                // A missing training stays chosen, and the checks name it.
                ...ids.filter((one) => trainings.every((other) => other.id !== one)),
              ]}
              onChange={(chosen) => onChange(withTrainingsAtHand(exhibit, id, chosen))}
            />
          ))}
        </Disclosure>
      )}
    </>
  );
}

/** Whole ids: a file may have their first letters. */
function idsOf(named: readonly string[], trainings: readonly AddedTraining[]): string[] {
  const ids = named.map((start) => {
    const found = trainings.filter(({ id }) => id.startsWith(start));
    return found.length === 1 ? (found[0]?.id ?? start) : start;
  });
  return [...new Set(ids)];
}
