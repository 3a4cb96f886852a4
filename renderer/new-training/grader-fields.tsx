import { PathSetting } from '../shared/machines/index';
import { Fields, Section, SettingField } from '../widgets/index';
import type { FormSectionProps } from './form-errors';

/** For our own trainers: where programs are graded. */
export function GraderSection({ draft, errorAt, onChange }: FormSectionProps) {
  const { grader } = draft;
  return (
    <Section title="Grading">
      <Fields>
        <SettingField
          label="Grader service"
          help="Empty: programs are graded in a sandbox of the machine."
          placeholder="http://127.0.0.1:8765"
          error={errorAt('grader')}
          value={grader.address}
          onChange={(address) => onChange({ grader: { ...grader, address } })}
        />
        <PathSetting
          machineId={draft.machineDraft.machineId}
          label="File with its token"
          help="On the machine; empty: the variable MARS2_GRADER_TOKEN there."
          placeholder="~/.mars2-grader-token"
          isDisabled={grader.address.trim() === ''}
          error={errorAt('grader token')}
          value={grader.tokenFile}
          onChange={(tokenFile) => onChange({ grader: { ...grader, tokenFile } })}
        />
      </Fields>
    </Section>
  );
}
