import { expect, test } from 'vitest';
import { useWorkbench } from '../../../renderer/state';
import { StudiesScreen } from '../../../renderer/studies';
import { renderScreen } from '../../support/rendered-screen';
import { sampleStudy } from '../../support/sample-study';

function Studies() {
  const { studyCommands } = useWorkbench();
  return (
    <>
      <button type="button" onClick={() => void studyCommands.remove(sampleStudy())}>
        Remove it
      </button>
      <StudiesScreen />
    </>
  );
}

test('a removed study is in the trash, and comes back from there', async () => {
  const screen = await renderScreen(<Studies />, { played: 1 });
  await screen.click('Remove it');
  await screen.click('Trash');
  await screen.until('Removed studies with their journals');
  await screen.click('Restore Quickstart');
  await screen.until('It is empty.');
  expect(screen.sample.calls).toContain('study.restore');
});

test('a study in the trash is deleted for good only after a question that names it and its size', async () => {
  const screen = await renderScreen(<Studies />, { played: 1 });
  await screen.click('Remove it');
  await screen.click('Trash');
  await screen.until('14.2 MB');
  await screen.click('Delete Quickstart for good');
  await screen.until('Delete Quickstart for good? Its journals, 14.2 MB, are deleted.');
  await screen.click('Keep it');
  expect(screen.sample.calls).not.toContain('study.delete');
  await screen.click('Delete Quickstart for good');
  await screen.click('Delete for good');
  await screen.until('It is empty.');
  expect(screen.sample.calls).toContain('study.delete');
});
