import { TextInput } from '@mantine/core';
import { Fields, Section } from '../widgets/index';
import type { FormSectionProps } from './form-errors';

/** Of our own trainers: where programs are graded. */
export function GraderSection({ draft, errorAt, onChange }: FormSectionProps) {
  const { grader } = draft;
  return (
    <Section title="Grading">
      <Fields>
        <TextInput
          label="Grader service"
          description="Empty: programs are graded in a sandbox of the machine."
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          placeholder="http://127.0.0.1:8765"
          autoComplete="off"
          spellCheck={false}
          error={errorAt('grader')}
          value={grader.address}
          onChange={(event) => onChange({ grader: { ...grader, address: event.currentTarget.value } })}
        />
        <TextInput
          label="File with its token"
          description="On the machine; empty: the variable MARS2_GRADER_TOKEN there."
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          placeholder="~/.mars2-grader-token"
          autoComplete="off"
          spellCheck={false}
          disabled={grader.address.trim() === ''}
          error={errorAt('grader token')}
          value={grader.tokenFile}
          onChange={(event) => onChange({ grader: { ...grader, tokenFile: event.currentTarget.value } })}
        />
      </Fields>
    </Section>
  );
}
