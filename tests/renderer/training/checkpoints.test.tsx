// @vitest-environment happy-dom
import { describe, expect, test, vi } from 'vitest';
import { TrainingScreen } from '../../../renderer/training';
import type * as DataTables from '../../../renderer/widgets/data-table';
import { SCENES } from '../../support/preview/scenes';
import { renderScreen } from '../../support/rendered-screen';
import type { SampleOptions } from '../../support/sample-workbench';

// The table draws the rows that fit into its box, and the DOM of the tests lays nothing out: this one draws all.
vi.mock('../../../renderer/widgets/data-table', async (original) => ({
  ...(await original<typeof DataTables>()),
  DataTable: ({ columns, rows, rowKey }: Parameters<typeof DataTables.DataTable<object>>[0]) =>
    rows.map((row) => (
      <div key={rowKey(row)}>
        {columns.map(({ id, cell }) => (
          <div key={id}>{cell(row)}</div>
        ))}
      </div>
    )),
}));

const None = () => null;
const open = (trainingId: string, options: SampleOptions = {}) =>
  renderScreen(<TrainingScreen trainingId={trainingId} tab="checkpoints" JobLogs={None} LogPane={None} />, {
    ...SCENES['training-model'],
    ...options,
  });

describe('checkpoints of language models on another machine', () => {
  const fetch = 'Fetch small-000020, 538.0 MB';

  test('are fetched one by one, and shown with their machine until then', async () => {
    const screen = await open('training-model');
    await screen.until('gpu1: …/checkpoints/small-000020');
    await screen.click(fetch);
    expect(screen.text()).toContain('…/checkpoints/small-000020');
    expect(screen.text()).not.toContain('gpu1: …/checkpoints/small');
    expect(screen.controls()).not.toContain(fetch);
    expect(screen.controls()).toContain('Fetch qwen-000020, 538.0 MB');
  });

  test('say how much is being copied, and let nothing else start meanwhile', async () => {
    const unanswered = { kind: 'progress', task: 'log-download', activity: '', done: 0 } as const;
    const copying = { ...unanswered, total: null, unit: 'bytes' } as const;
    const screen = await open('training-model', { underWay: { 'training.fetchCheckpoint': copying } });
    await screen.until('2 checkpoints on gpu1');
    expect(screen.text()).not.toContain('Copying');
    await screen.click(fetch);
    expect(screen.text()).toContain('Copying small-000020 to this computer: 538.0 MB');
    expect(screen.controls().filter((name) => /^(Fetch|Serve)/.test(name))).toEqual([]);
  });

  test('stay as they are if they cannot be copied', async () => {
    const screen = await open('training-model', {
      refuse: { 'training.fetchCheckpoint': { code: 'unreachable', message: 'gpu1 does not answer.' } },
    });
    await screen.until('2 checkpoints on gpu1');
    await screen.click(fetch);
    expect(screen.text()).toContain('gpu1: …/checkpoints/small-000020');
    expect(screen.controls()).toContain(fetch);
  });

  test('of MARTI stay there', async () => {
    const screen = await open('training-marti', SCENES.training);
    await screen.until('global_step');
    expect(screen.controls().filter((name) => name.startsWith('Fetch'))).toEqual([]);
  });
});
