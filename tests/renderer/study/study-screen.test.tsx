// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { StudyScreen } from '../../../renderer/study';
import { renderScreen } from '../../support/rendered-screen';

test('a running study', async () => {
  const screen = await renderScreen(<StudyScreen studyId="study-1" check={null} />, { played: 0.5 });
  console.log(screen.text().slice(0, 3000));
  console.log(screen.buttons().slice(0, 40));
  expect(1).toBe(1);
});
