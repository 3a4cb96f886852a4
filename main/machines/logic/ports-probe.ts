import { shellWord } from '../../base';

/** Ports for servers: below those that Linux and macOS assign by themselves, above those of common services. */
export const PORT_RANGE = { from: 20_000, to: 29_999 } as const;

const MARK = '@mars2-port@';

/** Tries to bind each port of its arguments, and prints the free ones. Reuses addresses, as servers do. */
const TRY_PORTS = `import socket, sys
for port in sys.argv[1:]:
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        one.bind(("127.0.0.1", int(port)))
    except OSError:
        continue
    finally:
        one.close()
    print(port)
`;

/**
 * A shell script that prints which of these ports are free: the kernel does not list them as used and, if the machine
 * has Python, a program can bind them. `readFreePorts` parses its output.
 */
export function portsScript(ports: readonly number[]): string {
  const list = ports.map(String).join(' ');
  return `used=$(cat /proc/net/tcp /proc/net/tcp6 2>/dev/null || netstat -an 2>/dev/null)
free=
for port in ${list}; do
  hex=$(printf '%04X' "$port")
  case $used in *":$hex "*|*".$port "*) continue ;; esac
  free="$free $port"
done
tried=$(python3 -I -S -c ${shellWord(TRY_PORTS)} $free 2>/dev/null) || tried=$free
for port in $tried; do echo "${MARK}$port"; done
`;
}

/**
 * The same for one port at which something is to listen: connections that have ended are in the kernel's list for a minute,
 * and do not count here.
 */
export function listenerScript(port: number): string {
  return `hex=$(printf '%04X' ${port})
if [ -r /proc/net/tcp ]; then
  cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | grep -q ":$hex [0-9A-F]*:0000 0A " || echo "${MARK}${port}"
else
${portsScript([port])}fi
`;
}

/** Parses the output of `portsScript`: the free ports, in the order of the request. */
export function readFreePorts(output: string): readonly number[] {
  return [...output.matchAll(new RegExp(`^${MARK}(\\d+)$`, 'gm'))].map(([, port]) => Number(port));
}
