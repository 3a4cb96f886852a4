import { expect, test } from 'vitest';
import { portsInLog } from '../../../preload/contract';

test('ports of addresses in a log are offered, the last one first, each once', () => {
  const log = `TensorBoard 2.15 at http://gpu-a.lab.example:6006/ (Press CTRL+C to quit)
view the dashboard at http://127.0.0.1:8265
    http://localhost:8888/lab?token=abc
Uvicorn running on http://0.0.0.0:8000
again http://localhost:6006`;
  expect(portsInLog(log)).toEqual([6006, 8000, 8888, 8265]);
});

test('what is no port is none, and of many the last four are taken', () => {
  expect(portsInLog('http://a:0 http://a:65536 http://a:123456 http://a http://:80 step 12:30')).toEqual([]);
  expect(portsInLog([1, 2, 3, 4, 5, 6].map((port) => `http://a:${port}`).join('\n'))).toEqual([6, 5, 4, 3]);
});
