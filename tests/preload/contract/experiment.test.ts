import { describe, expect, it } from 'vitest';
import { experimentRequestSchema } from '../../../preload/contract';

describe('the order of an experiment', () => {
  it('leaves out what was left out: a row changes only what it names', () => {
    const request = experimentRequestSchema.parse({
      name: 'Half',
      rows: [
        { label: 'Half', method: 'heter-mars2', families: ['reader', 'tracer'], change: { updates: 50 } },
      ],
      seeds: [1],
      training: { batch: 64 },
    });
    expect(request.rows[0]?.change).toEqual({ updates: 50 });
    expect(request.training).toEqual({ batch: 64 });
  });
});
