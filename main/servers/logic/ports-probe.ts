import { shellWord } from '../../base';

/** Ports that servers get: below those that Linux and macOS give away by themselves, above those of common services. */
export const PORT_RANGE = { from: 20_000, to: 29_999 } as const;

const MARK = '@mars2-port@';

/** Tries to listen at each port of its arguments, and prints those where it may. Servers reuse addresses, too. */
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
 * A script for a POSIX shell that tells which of these ports can be had: nobody uses them (by the kernel's own list),
 * and a program that tries to listen there may, where there is a Python to try it with. The answer is for
 * `readFreePorts`.
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

/** Free ones among those that `portsScript` was asked about, in their order. */
export function readFreePorts(output: string): readonly number[] {
  return [...output.matchAll(new RegExp(`^${MARK}(\\d+)$`, 'gm'))].map(([, port]) => Number(port));
}
