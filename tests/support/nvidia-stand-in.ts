import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ToolBench } from './stand-in-tools';

/** What the stand-in for nvidia-smi says of a card: a cell for each field of --query-gpu, as the real one writes it. */
export type StandInCard = Readonly<Record<string, string>> & { readonly uuid: string };

/** A card with nothing wrong with it. */
export function healthyCard(index: number, changes: Readonly<Record<string, string>> = {}): StandInCard {
  return {
    index: String(index),
    uuid: `GPU-${index}${index}${index}${index}`,
    name: 'NVIDIA A100-SXM4-80GB',
    driver_version: '550.54.15',
    'pci.bus_id': `00000000:${index}4:00.0`,
    'utilization.gpu': '0',
    'memory.used': '4',
    'memory.total': '81920',
    'temperature.gpu': '31',
    'power.draw': '62.51',
    'enforced.power.limit': '400.00',
    'mig.mode.current': 'Disabled',
    'ecc.errors.uncorrected.volatile.total': '0',
    'retired_pages.pending': 'No',
    'remapped_rows.pending': 'No',
    'reset_status.reset_required': 'No',
    'clocks_event_reasons.active': '0x0000000000000001',
    gpu_recovery_action: 'None',
    'fabric.state': 'N/A',
    ...changes,
  };
}

/**
 * Puts a stand-in for nvidia-smi on the bench. It answers `--query-gpu` with the fields of the first card (others it does
 * not know, in the real one's words) and, with `-i`, of one card; `-L` and `-q -x` with the texts given; and
 * `--query-compute-apps` with the rows of `apps`, the name of a process only when asked for it ("\u0001" in it: a line feed).
 * `before` runs first, for every query.
 */
export async function nvidiaStandIn(
  bench: Pick<ToolBench, 'tools' | 'standIn'>,
  cards: readonly StandInCard[],
  outputs: {
    readonly apps?: string;
    readonly list?: string;
    readonly xml?: string;
    readonly before?: string;
  } = {},
): Promise<void> {
  const fields = [...new Set(cards.flatMap((card) => Object.keys(card)))];
  const table = [
    fields.join('\t'),
    ...cards.map((card) => fields.map((field) => card[field] ?? '').join('\t')),
  ];
  const list =
    outputs.list ?? cards.map((card) => `GPU ${card.index}: ${card.name} (UUID: ${card.uuid})\n`).join('');
  await writeFile(join(bench.tools, 'cards'), `${table.join('\n')}\n`);
  await writeFile(join(bench.tools, 'apps'), outputs.apps ?? '');
  await writeFile(join(bench.tools, 'list'), list);
  await writeFile(join(bench.tools, 'xml'), outputs.xml ?? '');
  await bench.standIn(
    'nvidia-smi',
    `here=\${0%/*}
${outputs.before ?? ''}
query= only= what=header
while [ $# -gt 0 ]; do
  case "$1" in
    --query-gpu=*) query=\${1#*=} what=cards ;;
    --query-compute-apps=*process_name*) what=names ;;
    --query-compute-apps=*) what=apps ;;
    -L) what=list ;;
    -i) only=$2; shift ;;
    -x) what=xml ;;
  esac
  shift
done
echo "$what $only" >>"$here/asked"
case "$what" in
  header) echo "| NVIDIA-SMI 550.54.15    Driver Version: 550.54.15    CUDA Version: 12.4 |" ;;
  cards) awk -F '\\t' -v query="$query" -v only="$only" '
    BEGIN { count = split(query, names, ",") }
    NR == 1 {
      for (i = 1; i <= NF; i++) column[$i] = i
      for (i = 1; i <= count; i++) if (!(names[i] in column)) {
        printf "Field \\"%s\\" is not a valid field to query.\\n\\n", names[i]; exit 2
      }
      next
    }
    only == "" || $column["uuid"] == only {
      line = ""
      for (i = 1; i <= count; i++) line = line (i == 1 ? "" : ", ") $column[names[i]]
      print line
    }' "$here/cards" ;;
  names) tr '\\001' '\\n' <"$here/apps" ;;
  apps) cut -d , -f 1-3 "$here/apps" ;;
  *) cat "$here/$what" ;;
esac`,
  );
}
