const HIDDEN_KEY = '(key)';

/** Keeps a key out of journals and windows when a server repeats it (a wrong one, say). */
export function withoutKey(text: string, key: string | null): string {
  return key === null || key === '' ? text : text.replaceAll(key, HIDDEN_KEY);
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/** A key is sent over https, or to this computer itself; null where that holds. `address` is a parsed one. */
export function keyProblem({
  protocol,
  hostname,
}: {
  readonly protocol: string;
  readonly hostname: string;
}): string | null {
  if (protocol === 'https:' || LOOPBACK.test(hostname)) return null;
  return `The key would be sent to ${hostname} unencrypted: use https, or forward the port to this computer (ssh -L) and use its 127.0.0.1.`;
}
