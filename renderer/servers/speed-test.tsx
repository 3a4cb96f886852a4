import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { SpeedRow } from '../../preload/contract/launch';
import type { Refusal } from '../../preload/contract/refusal';
import type { ServerView } from '../../preload/contract/server';
import { useTask, useWorkbench } from '../state/index';
import { taskLabel, taskShare } from '../text/tasks';
import { CopyTextButton, count, Dialog, FormRefusal, plural, TaskLine } from '../widgets/index';
import styles from './servers.module.css';
import { concurrenciesOf, tokensOf } from './speed-numbers';

/** Measures throughput and latency of a server at several concurrencies. */
export function SpeedTest(props: { readonly server: ServerView; readonly onClose: () => void }) {
  const { server, onClose } = props;
  const { serverCommands, tasks } = useWorkbench();
  const running = useTask('speed-test');
  const [concurrencyText, setConcurrencyText] = useState('1, 4, 16, 64');
  const [length, setLength] = useState('128');
  const [rows, setRows] = useState<readonly SpeedRow[] | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const concurrencies = concurrenciesOf(concurrencyText);
  const tokens = tokensOf(length);
  const measure = async (): Promise<void> => {
    if (concurrencies === null || tokens === null) return;
    setRefusal(null);
    const answer = await serverCommands.speedTest({
      serverId: server.id,
      concurrencies: [...concurrencies],
      tokens,
    });
    if (answer.ok) setRows(answer.value);
    else if (answer.error.code !== 'cancelled') setRefusal(answer.error);
  };
  const close = (): void => {
    if (running !== null) void tasks.cancel('speed-test');
    onClose();
  };
  return (
    <Dialog opened onClose={close} title={`Speed of ${server.model}`} size="lg" withCloseButton={false}>
      <div className={styles.speedFields}>
        <TextInput
          label="Concurrent requests"
          data-autofocus
          autoComplete="off"
          error={concurrencies === null ? 'Up to ten numbers from 1 to 1,024' : undefined}
          value={concurrencyText}
          onChange={(event) => setConcurrencyText(event.currentTarget.value)}
        />
        <TextInput
          label="Tokens per response"
          inputMode="numeric"
          error={tokens === null ? 'From 1 to 8,192' : undefined}
          value={length}
          onChange={(event) => setLength(event.currentTarget.value)}
        />
        <Button
          disabled={running !== null || concurrencies === null || tokens === null}
          onClick={() => void measure()}
        >
          Measure
        </Button>
      </div>
      {server.inFlight > 0 && running === null && (
        <p className={styles.soft}>
          {plural(server.inFlight, 'request')} of a study {server.inFlight === 1 ? 'is' : 'are'} in flight;
          the study and the test slow each other down.
        </p>
      )}
      {running !== null && (
        <TaskLine
          label={taskLabel(running)}
          share={taskShare(running)}
          onCancel={() => void tasks.cancel('speed-test')}
        />
      )}
      {refusal !== null && (
        <FormRefusal title="The speed was not measured" message={refusal.message} hint={refusal.hint} />
      )}
      {rows !== null && <SpeedTable rows={rows} />}
      <Group justify="flex-end" mt="md">
        {rows !== null && <CopyTextButton label="Copy as CSV" read={() => speedCsv(rows)} />}
        <Button variant="default" onClick={close}>
          {running === null ? 'Close' : 'Cancel'}
        </Button>
      </Group>
    </Dialog>
  );
}

function SpeedTable(props: { readonly rows: readonly SpeedRow[] }) {
  return (
    <>
      <table className={styles.speed} aria-label="Speed">
        <thead>
          <tr>
            <th>Concurrency</th>
            <th>Tokens/s</th>
            <th>TTFT median, ms</th>
            <th>TTFT p95, ms</th>
            <th>Requests</th>
            <th>Failed</th>
          </tr>
        </thead>
        <tbody>
          {props.rows.map(({ concurrency, tokensPerSecond, firstTokenMs, requests, failures }) => (
            <tr key={concurrency}>
              <th scope="row">{count(concurrency)}</th>
              <td>{tokensPerSecond < 100 ? tokensPerSecond.toFixed(1) : count(tokensPerSecond)}</td>
              <td>{firstTokenMs === null ? '–' : count(firstTokenMs.median)}</td>
              <td>{firstTokenMs === null ? '–' : count(firstTokenMs.p95)}</td>
              <td>{count(requests)}</td>
              <td data-bad={failures > 0 || undefined}>{count(failures)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {props.rows.map(({ concurrency, failureReason }) =>
        failureReason === null ? null : (
          <p key={concurrency} className={styles.soft}>
            Failed with {count(concurrency)} at once: {failureReason}
          </p>
        ),
      )}
    </>
  );
}

function speedCsv(rows: readonly SpeedRow[]): string {
  const lines = rows.map(({ concurrency, tokensPerSecond, firstTokenMs, requests, failures }) =>
    [
      concurrency,
      tokensPerSecond,
      firstTokenMs?.median ?? '',
      firstTokenMs?.p95 ?? '',
      requests,
      failures,
    ].join(','),
  );
  return [
    'concurrency,tokens_per_second,first_token_ms_median,first_token_ms_p95,requests,failures',
    ...lines,
  ]
    .join('\n')
    .concat('\n');
}
