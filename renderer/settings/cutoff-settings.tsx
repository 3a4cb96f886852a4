import type { Settings } from '../../preload/contract/settings';
import { readyValue, useStudies, useWorkbench } from '../state/index';
import { SettingEntry } from './entry';
import { SavedText } from './saved-text';
import styles from './settings.module.css';

const DATE = /^\d{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$/;

/** Up to when each model has training data; models of studies, and those that have a date. */
export function CutoffSettings({ cutoffs }: { readonly cutoffs: Settings['modelCutoffs'] }) {
  const { settings } = useWorkbench();
  const studies = readyValue(useStudies()) ?? [];
  const used = studies.flatMap(({ study }) =>
    study.runs.flatMap(({ team }) =>
      team.servers.flatMap(({ kind, model }) => (kind === 'pocket' ? [] : [model])),
    ),
  );
  const models = [...new Set([...used, ...Object.keys(cutoffs)])].sort();
  const save = (model: string, date: string): void => {
    const { [model]: _, ...others } = cutoffs;
    void settings.change({ modelCutoffs: date === '' ? others : { ...others, [model]: date } });
  };
  return (
    <dl className={styles.list}>
      <SettingEntry label="Training cut-offs">
        {models.map((model) => (
          <SavedText
            key={`${model} ${cutoffs[model] ?? ''}`}
            label={`Training cut-off of ${model}`}
            value={cutoffs[model] ?? ''}
            width={110}
            placeholder="2024-10"
            unit={model}
            validate={(text) =>
              text === '' || DATE.test(text) ? null : 'A month or a day, e.g. 2024-10 or 2024-10-31'
            }
            onSave={(date) => save(model, date)}
          />
        ))}
        <p className={styles.soft}>
          {models.length === 0 ? 'Models appear here once a study uses them. ' : ''}
          Comparisons show results on problems from before and after the last month or day of a model's
          training data, if the benchmark has dates. Leave empty if not known.
        </p>
      </SettingEntry>
    </dl>
  );
}
