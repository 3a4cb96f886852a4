import { Textarea, TextInput } from '@mantine/core';
import { LONGEST_TEMPLATE, PROMPT_FORMATS, SAMPLING_SETTINGS } from '../../../preload/contract/plans/index';
import { EXTRACTIONS } from '../../text/extractions';
import { Select } from '../../widgets/index';
import type { AgentChoice, AgentDetails } from './agents';
import { defaultPrompt, defaultRole, NO_DETAILS } from './agents';
import styles from './agents.module.css';
import { MESSAGES_BELOW, NO_TRANSITION } from './input-options';
import type { FieldMessages } from './messages';

const USUAL = SAMPLING_SETTINGS.filter(({ field }) => ['temperature', 'topP', 'maxTokens'].includes(field));
const RARE = SAMPLING_SETTINGS.filter((setting) => !USUAL.includes(setting));

/** Role, sampling, budget and extraction of one agent; empty fields use the default. */
export function AgentDetailFields(props: {
  readonly label: string;
  readonly configuration: number;
  readonly team: readonly AgentChoice[];
  readonly at: number;
  readonly messages: FieldMessages;
  readonly onChange: (details: AgentDetails) => void;
}) {
  const { label, configuration, team, at, messages, onChange } = props;
  const agent = team[at];
  if (agent === undefined) return null;
  const details = agent.details ?? NO_DETAILS;
  const usual = defaultRole(team, at);
  const recorded = agent.kind === 'recorded';
  const usualExtraction = recorded
    ? 'whole'
    : details.format.startsWith('completion')
      ? 'completion'
      : 'last-fence';
  const error = messages.error(`${configuration} details ${at}`);
  const input = (
    field: Exclude<
      keyof AgentDetails,
      'extraction' | 'prompt' | 'format' | 'templateSystem' | 'templateUser'
    >,
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
            placeholder={defaultPrompt(team, at) || 'No system prompt'}
            value={details.prompt}
            onChange={(event) => onChange({ ...details, prompt: event.currentTarget.value })}
          />
          <PromptFormatFields label={label} details={details} onChange={onChange} />
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
          value={details.extraction === '' ? usualExtraction : details.extraction}
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

/** How the agent is asked; with the texts of a template of the user's own. */
function PromptFormatFields(props: {
  readonly label: string;
  readonly details: AgentDetails;
  readonly onChange: (details: AgentDetails) => void;
}) {
  const { label, details, onChange } = props;
  const name = details.format === '' ? 'workbench' : details.format;
  const text = (field: 'templateSystem' | 'templateUser', title: string, placeholder: string) => (
    <Textarea
      size="xs"
      label={title}
      aria-label={`${title} of ${label}`}
      autosize
      minRows={2}
      maxRows={10}
      placeholder={placeholder}
      maxLength={LONGEST_TEMPLATE}
      value={details[field]}
      onChange={(event) => onChange({ ...details, [field]: event.currentTarget.value })}
    />
  );
  return (
    <>
      <Select
        label="Prompt format"
        aria-label={`Prompt format of ${label}`}
        description={PROMPT_FORMATS.find((format) => format.name === name)?.help}
        inputWrapperOrder={MESSAGES_BELOW}
        allowDeselect={false}
        comboboxProps={NO_TRANSITION}
        value={name}
        data={PROMPT_FORMATS.map(({ name, label }) => ({ value: name, label }))}
        onChange={(value) => {
          const format = PROMPT_FORMATS.find((format) => format.name === value)?.name;
          if (format !== undefined) onChange({ ...details, format });
        }}
      />
      {name === 'file' && (
        <>
          {text('templateSystem', 'System text', 'No system prompt')}
          {text('templateUser', 'User text', '{statement}')}
        </>
      )}
    </>
  );
}
