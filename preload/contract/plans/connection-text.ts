import type { Connection } from '../machine';

/** What ssh waits for: "the host key of gpu1 is not known yet: ED25519 SHA256:...", or its prompt. */
export function loginAskedText({
  hostKey,
  prompt,
}: Pick<Extract<Connection, { kind: 'needs-login' }>, 'hostKey' | 'prompt'>): string {
  if (hostKey === undefined) return `a login is asked for: ${prompt}`;
  return `the host key of ${hostKey.host} is not known yet: ${hostKey.fingerprint}`;
}
