import { useMemo, useState } from 'react';
import type { Exhibit } from '../../preload/contract/exhibit';
import {
  exhibitOfRuns,
  fillAtHand,
  fillableAtHand,
  type RunsAtHand,
  withAddedRuns,
  withRunsAtHand,
} from '../../preload/contract/plans/index';
import { Disclosure, Select } from '../widgets/index';
import styles from './editor.module.css';
import type { AtHandNames } from './exhibit-completion';
import { TrainingChoices } from './training-choices';

/** The exhibit in a text, as far as runs at hand are chosen in it; null: the text cannot be read that far. */
export function exhibitInText(text: string): Exhibit | null {
  try {
    const value: Partial<Exhibit> | null = JSON.parse(text);
    const lists = { configurations: [], models: [], rows: [], columns: [], cells: [], series: [] };
    const exhibit = { ...lists, ...value } as Exhibit;
    const isRead = (Object.keys(lists) as (keyof typeof lists)[]).every(
      (key) =>
        Array.isArray(exhibit[key]) && exhibit[key].every((one) => typeof one === 'object' && one !== null),
    );
    return isRead && exhibit.series.every(({ curve }) => curve) ? exhibit : null;
  } catch {
    return null;
  }
}

/** A study's configurations, in a list to choose from. */
type StudyGroup = { group: string; items: { value: string; label: string }[] };

const keyOf = ({ id, configuration }: RunsAtHand): string => JSON.stringify([id, configuration]);

function runsOf(value: string): RunsAtHand {
  const [id, configuration] = JSON.parse(value) as [string, string];
  return { id, configuration };
}

/**
 * Chooses finished studies and trainings for the rows and lines of a table or figure, and adds a row or line for one,
 * in the file's text, so that users need not write JSON.
 */
export function AtHandChoices(props: {
  readonly text: string;
  readonly names: AtHandNames;
  readonly onChange: (text: string) => void;
}) {
  const { text, names, onChange } = props;
  const { studies, trainings } = names;
  const exhibit = useMemo(() => exhibitInText(text), [text]);
  const data = useMemo(
    (): StudyGroup[] =>
      studies.map(({ id, name, configurations }) => ({
        group: `${name} (${id})`,
        items: configurations.map((configuration) => ({
          value: keyOf({ id, configuration }),
          label: configuration,
        })),
      })),
    [studies],
  );
  if (studies.length + trainings.length === 0) return null;
  const write = (changed: Exhibit): void => onChange(`${JSON.stringify(changed, null, 2)}\n`);
  return (
    <section className={styles.atHand} aria-label="Runs at hand">
      <h2>Runs at hand</h2>
      {exhibit === null ? (
        <p>Once the file can be read, finished studies and trainings can be chosen here.</p>
      ) : (
        <>
          {studies.length > 0 && isExample(exhibit) && (
            <Select
              size="xs"
              label="Begin with all runs of a study"
              description="A table and a figure of them take the place of the example below."
              placeholder="Choose a finished study"
              searchable
              value={null}
              data={studies.map(({ id, name }) => ({ value: id, label: `${name} (${id})` }))}
              onChange={(value) => {
                const study = studies.find(({ id }) => id === value);
                if (study !== undefined) write(exhibitOfRuns(study));
              }}
            />
          )}
          {studies.length > 0 && (
            <>
              <Select
                size="xs"
                label={addedTo(exhibit)}
                placeholder="Choose runs of a finished study"
                searchable
                value={null}
                data={data}
                onChange={(value) => value !== null && write(withAddedRuns(exhibit, runsOf(value)))}
              />
              <ChosenRuns exhibit={exhibit} data={data} onChange={write} />
            </>
          )}
          {trainings.length > 0 && (
            <TrainingChoices exhibit={exhibit} trainings={trainings} onChange={write} />
          )}
        </>
      )}
    </section>
  );
}

/** The unchanged template, whose rows of another paper are not needed. */
function isExample(exhibit: Exhibit): boolean {
  return exhibit.id === 'my-exhibit' && fillAtHand(exhibit) === null;
}

function addedTo({ columns, series }: Exhibit): string {
  if (columns.length === 0) return 'Add a line';
  return series.length > 0 ? 'Add a row and a line' : 'Add a row';
}

/** Runs that are removed or not finished stay chosen until others are. */
function unavailableRuns(study: RunsAtHand): StudyGroup {
  const label = `${study.configuration}: its study is not here, or not finished`;
  return { group: study.id, items: [{ value: keyOf(study), label }] };
}

/** The runs of each configuration that the file has: there may be dozens. */
function ChosenRuns(props: {
  readonly exhibit: Exhibit;
  readonly data: StudyGroup[];
  readonly onChange: (exhibit: Exhibit) => void;
}) {
  const { exhibit, data, onChange } = props;
  const [open, setOpen] = useState(false);
  const configurations = fillableAtHand(exhibit);
  const filled = configurations.filter(({ study }) => study !== undefined).length;
  const known = new Set(data.flatMap(({ items }) => items.map(({ value }) => value)));
  if (configurations.length === 0) return null;
  return (
    <Disclosure
      label="Runs in its rows and lines"
      note={`${filled} of ${configurations.length} chosen`}
      open={open}
      onToggle={() => setOpen(!open)}
    >
      {configurations.map(({ id, label, study }) => (
        <Select
          key={id}
          size="xs"
          label={label}
          placeholder="None: it is measured"
          clearable
          searchable
          value={study === undefined ? null : keyOf(study)}
          data={study === undefined || known.has(keyOf(study)) ? data : [...data, unavailableRuns(study)]}
          onChange={(value) => onChange(withRunsAtHand(exhibit, id, value === null ? null : runsOf(value)))}
        />
      ))}
    </Disclosure>
  );
}
