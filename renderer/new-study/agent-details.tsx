import { Textarea, TextInput } from '@mantine/core';
import { SAMPLING_SETTINGS } from '../../preload/contract/plans/index';
import { EXTRACTIONS } from '../text/extractions';
import { Select } from '../widgets/index';
import type { AgentChoice, AgentDetails } from './agents';
import { defaultRole, NO_DETAILS } from './agents';
import type { FormMessages } from './form-messages';
import { MESSAGES_BELOW, NO_TRANSITION } from './input-options';
import styles from './new-study.module.css';

const USUAL = SAMPLING_SETTINGS.filter(({ field }) => ['temperature', 'topP', 'maxTokens'].includes(field));
const RARE = SAMPLING_SETTINGS.filter((setting) => !USUAL.includes(setting));

/** Role, sampling, budget and extraction of one agent; empty fields use the default. */
export function AgentDetailFields(props: {
  readonly label: string;
  readonly configuration: number;
  readonly team: readonly AgentChoice[];
  readonly at: number;
  readonly messages: FormMessages;
  readonly onChange: (details: AgentDetails) => void;
}) {
  const { label, configuration, team, at, messages, onChange } = props;
  const agent = team[at];
  if (agent === undefined) return null;
  const details = agent.details ?? NO_DETAILS;
  const usual = defaultRole(team, at);
  const recorded = agent.kind === 'recorded';
  const error = messages.error(`${configuration} details ${at}`);
  const input = (
    field: Exclude<keyof AgentDetails, 'extraction' | 'prompt'>,
    name: string,
    placeholder: string,
  ) => (
    <TextInput
      key={field}
      label={name}
      aria-label={`${name} of ${label}`}
      inputWrapperOrder={MESSAGES_BELOW}
      placeholder={placeholder}
      autoComplete="off"
      value={details[field]}
      onChange={(event) => onChange({ ...details, [field]: event.currentTarget.value })}
    />
  );
  return (
    <div className={styles.details}>
      {!recorded && (
        <>
          <div className={styles.detailNumbers}>
            {input('role', 'Role', usual?.name ?? 'none')}
            {USUAL.map(({ field, label, fallback }) => input(field, label, fallback))}
          </div>
          <Textarea
            size="xs"
            label="Role prompt"
            aria-label={`Role prompt of ${label}`}
            autosize
            minRows={1}
            maxRows={8}
            placeholder={usual?.systemPrompt ?? 'No system prompt'}
            value={details.prompt}
            onChange={(event) => onChange({ ...details, prompt: event.currentTarget.value })}
          />
          <details open={RARE.some(({ field }) => details[field] !== '')}>
            <summary className={styles.moreSampling}>More sampling settings</summary>
            <div className={styles.detailNumbers}>
              {RARE.map(({ field, label, fallback, kind }) =>
                kind === 'switch' ? (
                  <Select
                    key={field}
                    label={label}
                    aria-label={`${label} of ${props.label}`}
                    inputWrapperOrder={MESSAGES_BELOW}
                    allowDeselect={false}
                    comboboxProps={NO_TRANSITION}
                    value={details[field]}
                    data={[
                      { value: '', label: "Model's default" },
                      { value: 'on', label: 'On' },
                      { value: 'off', label: 'Off' },
                    ]}
                    onChange={(value) => onChange({ ...details, [field]: value ?? '' })}
                  />
                ) : (
                  input(field, label, fallback)
                ),
              )}
            </div>
          </details>
        </>
      )}
      <div className={styles.detailNumbers}>
        {input('nodes', 'Max nodes per tree', 'no limit')}
        {input('tokens', 'Max tokens per tree', 'no limit')}
        <Select
          label="Extract program from"
          aria-label={`Extraction of ${label}`}
          inputWrapperOrder={MESSAGES_BELOW}
          allowDeselect={false}
          comboboxProps={NO_TRANSITION}
          value={details.extraction === '' ? (recorded ? 'whole' : 'last-fence') : details.extraction}
          data={[...EXTRACTIONS]}
          onChange={(value) => {
            const extraction = EXTRACTIONS.find((extraction) => extraction.value === value)?.value;
            if (extraction !== undefined) onChange({ ...details, extraction });
          }}
        />
      </div>
      {error !== undefined && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
