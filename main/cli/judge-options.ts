import { option } from './grammar';

/** Of commands that measure diversity. */
export const JUDGE_OPTIONS = [
  option('--judge <address#model>', 'a chat model that judges which programs are the same'),
  option('--similarity <address#model>', 'an embedding model (default: similarity of tokens)'),
];

/** A judge or a similarity may come from a server: "http://host:port/v1#MODEL". */
export function serverAt(
  text: string | undefined,
): { kind: 'server'; baseUrl: string; model: string } | undefined {
  const [baseUrl, model] = text?.split('#') ?? [];
  return baseUrl && model ? { kind: 'server', baseUrl, model } : undefined;
}
