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
