import type { Payload } from '../../preload/contract/commands/index';
import type { TreePart } from '../../preload/contract/run-events';
import type { UsageBy, UsageRequest } from '../../preload/contract/usage';

export type NodeRef = Payload<'node.read'>;

/** The cache key of a node; `parseNodeKey` is the inverse. */
export function nodeKey(node: NodeRef): string {
  return [node.runId, node.part, String(node.index), node.problemId].map(encodeURIComponent).join('/');
}

export function parseNodeKey(key: string): NodeRef {
  const [runId = '', part = '', index = '', problemId = ''] = key.split('/').map(decodeURIComponent);
  const treePart: TreePart = part === 'samples' ? 'samples' : 'search';
  return { runId, problemId, part: treePart, index: Number(index) };
}

/** The cache key of a problem. */
export function problemKey(benchmarkId: string, problemId: string): string {
  return `${encodeURIComponent(benchmarkId)}/${encodeURIComponent(problemId)}`;
}

export function parseProblemKey(key: string): { readonly benchmarkId: string; readonly problemId: string } {
  const [benchmarkId = '', problemId = ''] = key.split('/').map(decodeURIComponent);
  return { benchmarkId, problemId };
}

/** The cache key of a benchmark's list of problems, which changes only with its content. */
export function benchmarkKey({ id, digest }: { readonly id: string; readonly digest: string }): string {
  return `${encodeURIComponent(id)}/${digest}`;
}

export function parseBenchmarkKey(key: string): { readonly benchmarkId: string } {
  const [benchmarkId = ''] = key.split('/').map(decodeURIComponent);
  return { benchmarkId };
}

/** The cache key of a folder of a machine. */
export function folderKey(machineId: string, folder: string): string {
  return `${encodeURIComponent(machineId)}/${encodeURIComponent(folder)}`;
}

export function parseFolderKey(key: string): { readonly machineId: string; readonly folder: string } {
  const [machineId = '', folder = ''] = key.split('/').map(decodeURIComponent);
  return { machineId, folder };
}

/** The cache key of a table of usage; `parseUsageKey` is the inverse. */
export function usageKey({ month, by }: UsageRequest): string {
  return `${by} ${month ?? ''}`;
}

export function parseUsageKey(key: string): UsageRequest {
  const [by = '', month = ''] = key.split(' ');
  const rows: UsageBy = by === 'job' || by === 'month' ? by : 'project';
  return { month: month === '' ? null : month, by: rows };
}
