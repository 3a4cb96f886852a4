import type { Study } from '../../../preload/contract/study';
import { useWorkbench } from '../../state/index';
import { RenameDialog } from '../../widgets/index';

/** Asks for another name of a study. */
export function RenameStudy({ study, onClose }: { readonly study: Study; readonly onClose: () => void }) {
  const { studyCommands } = useWorkbench();
  return (
    <RenameDialog
      name={study.name}
      hint={`The id ${study.id} stays: commands use it.`}
      rename={(name) => studyCommands.rename(study.id, name)}
      onClose={onClose}
    />
  );
}
