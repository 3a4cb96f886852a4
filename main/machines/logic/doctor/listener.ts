import { bad, type Finding, good, unknown } from './finding';

/** What the listener sends to every client that connects. */
export const LISTENER_GREETING = 'mars2-doctor-listens';
/** It ends by itself when nobody came. */
const LISTENER_SECONDS = 30;
/** More than one: making a forward may try whether it is allowed. */
const MAX_CALLS = 20;
/** Where servers of the kinds we know listen when nobody says otherwise; Ray's last. */
const USUAL_PORTS = [8000, 8080, 11_434, 30_000, 6_379, 8_265];

const PYTHON = `
import socket, sys
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen(4)
server.settimeout(${LISTENER_SECONDS})
print("port=%d" % server.getsockname()[1])
sys.stdout.flush()
for _ in range(${MAX_CALLS}):
    client, _ = server.accept()
    try:
        client.sendall(b"${LISTENER_GREETING}")
    except OSError:
        pass
    client.close()
`;
const PERL = `
use IO::Socket::INET; $| = 1; alarm ${LISTENER_SECONDS};
my $server = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => 0, Listen => 4) or die "$!";
print "port=", $server->sockport, "\\n";
$SIG{PIPE} = "IGNORE";
for (1 .. ${MAX_CALLS}) { my $client = $server->accept or next; print $client "${LISTENER_GREETING}"; close $client; }
`;

/** Prints the ports in use, then opens one on the loopback, says which, and answers callers with the word. */
export const LISTENER_SCRIPT = `
cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | while read -r _ local _ state _; do
  [ "$state" = 0A ] && echo "taken=\${local##*:}"
done
cd /
if python3 -c 'import socket' 2>/dev/null; then exec python3 -c '${PYTHON}'; fi
if perl -MIO::Socket::INET -e 1 2>/dev/null; then exec perl -e '${PERL}'; fi
echo 'tool=none'
`;

export type ListenerAnswer =
  | { readonly kind: 'listening'; readonly port: number; readonly taken: readonly number[] }
  | { readonly kind: 'no-tool' }
  | { readonly kind: 'failed' }
  /** It did not come to say anything, or the connection was cut: nothing is known. */
  | { readonly kind: 'no-answer'; readonly why: string };

/** Reads what the script wrote so far; null while it has not come to the end of it. */
export function parseListener(text: string): ListenerAnswer | null {
  const port = /^port=(\d+)\n/m.exec(text)?.[1];
  if (/^tool=none$/m.test(text)) return { kind: 'no-tool' };
  if (port === undefined) return null;
  const portsInUse = [...text.matchAll(/^taken=([0-9A-F]{4})$/gm)].map(([, hex = '']) =>
    Number.parseInt(hex, 16),
  );
  return { kind: 'listening', port: Number(port), taken: [...new Set(portsInUse)].sort((a, b) => a - b) };
}

export function portsFinding(answer: ListenerAnswer, stderr: string): Finding {
  switch (answer.kind) {
    case 'no-tool':
      return unknown('Neither python3 nor perl is there to try it with.');
    case 'no-answer':
      return unknown(answer.why);
    case 'failed':
      return bad(
        `No program can listen on 127.0.0.1 there: ${stderr.trim().split('\n').at(-1)?.slice(0, 200) || 'it gave no reason.'}`,
        'Model servers listen there. Check whether the loopback is up: `ip addr show lo`.',
      );
    case 'listening': {
      const usual = USUAL_PORTS.filter((port) => answer.taken.includes(port));
      return good(
        `A program can listen on 127.0.0.1.${usual.length === 0 ? '' : ` Taken by others: ${usual.join(', ')}; servers get free ones.`}`,
      );
    }
  }
}
