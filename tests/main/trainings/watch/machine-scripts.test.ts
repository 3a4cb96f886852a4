import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type CheckpointFolder,
  checkpointScript,
  parseCheckpointListing,
} from '../../../../main/trainings/logic/watch/checkpoint-listing';
import { parseStepRollouts, stepRolloutsScript } from '../../../../main/trainings/logic/watch/step-rollouts';
import { parseWorkflow, workflowScript } from '../../../../main/trainings/logic/watch/workflow-rollouts';
import { temporaryFolder } from '../../../support/temporary-folder';

type Shell = (script: string) => string;
const tools: readonly (readonly [string, boolean, (folder: string) => Promise<Shell>])[] = [
  [
    'dash and GNU tools',
    existsSync('/bin/sh'),
    async () => (script) => execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }),
  ],
  [
    'BusyBox alone',
    existsSync('/usr/bin/busybox'),
    async (folder) => {
      const bin = join(folder, 'bin');
      await mkdir(bin);
      execFileSync('/usr/bin/busybox', ['--install', '-s', bin]);
      const options = { env: { PATH: bin, HOME: folder }, encoding: 'utf8' } as const;
      return (script) => execFileSync(join(bin, 'sh'), ['-c', script], options);
    },
  ],
];

/** As Python writes JSON, with a blank behind colons and commas. */
const verlLine = (values: Readonly<Record<string, unknown>>): string =>
  `{${Object.entries(values)
    .map(([name, value]) => `"${name}": ${JSON.stringify(value)}`)
    .join(', ')}}`;

const isoDate = (ms: number) => new Date(ms).toISOString();

describe.each(tools.filter(([, isThere]) => isThere))('asked of %s', (_, __, open) => {
  test('an adapter of our own trainer can be served, one of another trainer cannot', async () => {
    const path = await temporaryFolder();
    const shell = await open(path);
    const adapter = join(path, 'first-000008');
    await mkdir(adapter);
    await mkdir(join(path, 'second-000008'));
    await writeFile(join(adapter, 'adapter_config.json'), '{}');
    await writeFile(join(adapter, 'adapter_model.safetensors'), '');
    await writeFile(join(path, 'second-000008', 'adapter_config.json'), '{}');
    const served = (names: 'own' | 'numbered') => {
      const folders = [{ path, agentId: null, names }];
      const listing = parseCheckpointListing(
        shell(checkpointScript(folders)),
        folders,
        ['first', 'second'],
        isoDate,
      );
      return listing.checkpoints.filter(({ canServe }) => canServe).map(({ id }) => id);
    };
    expect(served('own')).toEqual(['first-000008']);
    expect(served('numbered')).toEqual([]);
  });

  test('checkpoints in folders with any name are found, and nothing else', async () => {
    const folder = await temporaryFolder();
    const shell = await open(folder);
    const odd = join(folder, `it's "$HOME" é`);
    await mkdir(join(odd, 'checkpoint-20'), { recursive: true });
    await mkdir(join(odd, 'checkpoint-3'));
    await mkdir(join(odd, 'runs'));
    await writeFile(join(odd, 'checkpoint-20', 'config.json'), '{}');
    await writeFile(join(odd, 'checkpoint-20', 'pytorch_model-00001.bin'), 'x'.repeat(200_000));
    await writeFile(join(odd, 'trainer_state_2.json'), '{}');
    const folders: CheckpointFolder[] = [
      { path: join(folder, 'none'), agentId: null, names: 'numbered' },
      { path: odd, agentId: null, names: 'numbered' },
    ];
    const listing = parseCheckpointListing(shell(checkpointScript(folders)), folders, ['policy'], isoDate);
    expect(listing.checkpoints.map(({ id, step, canServe, path }) => [id, step, canServe, path])).toEqual([
      ['policy-checkpoint-3', 3, false, `${odd}/checkpoint-3`],
      ['policy-checkpoint-20', 20, true, `${odd}/checkpoint-20`],
    ]);
    expect(listing.checkpoints[1]?.bytes).toBeGreaterThan(200_000);
    expect(Math.abs((listing.nowSeconds ?? 0) * 1_000 - Date.now())).toBeLessThan(5_000);
    // The first folder is not there yet: its disk is that of the nearest one above.
    expect(listing.disk?.folder).toBe(folder);
    expect(listing.disk?.freeBytes).toBeGreaterThan(0);
  });

  test('weights within a checkpoint are what is served', async () => {
    const path = await temporaryFolder();
    const shell = await open(path);
    for (const step of [20, 40]) {
      await mkdir(join(path, `global_step_${step}`, 'actor', 'huggingface'), { recursive: true });
      await writeFile(join(path, `global_step_${step}`, 'actor', 'huggingface', 'config.json'), '{}');
    }
    await writeFile(join(path, 'global_step_40', 'actor', 'huggingface', 'model.safetensors'), '');
    const folders = [{ path, agentId: null, names: 'numbered' as const, weights: 'actor/huggingface' }];
    const listing = parseCheckpointListing(shell(checkpointScript(folders)), folders, ['policy'], isoDate);
    expect(listing.checkpoints.map((one) => [one.step, one.canServe, one.path])).toEqual([
      [20, false, `${path}/global_step_20`],
      [40, true, `${path}/global_step_40/actor/huggingface`],
    ]);
  });

  test('rollouts of verl are found, the newest first', async () => {
    const folder = join(await temporaryFolder(), `roll 'outs'`);
    await mkdir(folder);
    const shell = await open(folder);
    const line = (step: number, output: string, gts: unknown = 'say "x"\\') =>
      `${verlLine({ input: 'é "p"', output, gts, score: 0.5, step, uid: 'u_0_0' })}\n`;
    await writeFile(join(folder, '9.jsonl'), line(9, 'i') + line(9, 'j', 'x'.repeat(2_000_000)));
    await writeFile(join(folder, '10.jsonl'), line(10, 'k', { tests: [1] }) + line(10, 'cut').slice(0, 40));
    await writeFile(join(folder, 'notes.jsonl'), line(11, 'other'));
    const found = (limit: number, upToStep = 99) =>
      parseStepRollouts(shell(stepRolloutsScript({ folder, upToStep, limit })), 'policy');
    expect(found(20).map(({ step, answer }) => `${step} ${answer}`)).toEqual(['10 k', '9 i', '9 j']);
    expect(found(20)[0]).toMatchObject({ agentId: 'policy', prompt: 'é "p"', reward: 0.5 });
    expect(found(1, 9).map(({ answer }) => answer)).toEqual(['i']);
    expect(shell(stepRolloutsScript({ folder: '/nowhere', upToStep: 1, limit: 1 }))).toBe('');
  });

  test("answers of MARTI's workflow are found", async () => {
    const folder = await temporaryFolder();
    const shell = await open(folder);
    const logs = join(folder, `work 'flow'`, '7', 'llm_logs');
    await mkdir(logs, { recursive: true });
    const result = { request: { messages: 'é "x"' }, action_text: 'y\n' };
    for (const agent of [0, 1])
      await writeFile(
        join(logs, `log_20260101_${agent}.txt`),
        JSON.stringify({ agent_id: agent, result }, null, 4),
      );
    const query = { folder: join(folder, `work 'flow'`), agent: 1, beforeSeconds: null, limit: 5 };
    const found = parseWorkflow(
      shell(workflowScript(query)),
      (at) => `agent ${at}`,
      () => 3,
    );
    expect(found).toMatchObject([
      { agentId: 'agent 1', problemId: '7', prompt: 'é "x"', answer: 'y\n', step: 3 },
    ]);
    expect(shell(workflowScript({ ...query, beforeSeconds: 1 }))).toBe('');
  });
});
