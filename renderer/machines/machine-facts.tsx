import type { MachineView } from '../../preload/contract/machine';
import { gibText } from '../../preload/contract/plans/index';
import { Fact, Facts } from '../widgets/index';

export function MachineFacts(props: { readonly machine: MachineView }) {
  const { spec, facts } = props.machine;
  return (
    <Facts label={`Facts of ${spec.name}`}>
      {spec.kind !== 'local' && spec.host !== null && (
        <Fact name="ssh name" mono>
          {spec.host}
        </Fact>
      )}
      {facts !== null && (
        <>
          <Fact name="Host">{facts.hostname}</Fact>
          <Fact name="User">{facts.user}</Fact>
          <Fact name="Home" mono>
            {facts.home}
          </Fact>
          <Fact name="System">{facts.system}</Fact>
          {facts.cores !== null && <Fact name="Cores">{facts.cores}</Fact>}
          {facts.memoryMib !== null && <Fact name="Memory">{gibText(facts.memoryMib)} GiB</Fact>}
          {facts.diskFreeMib !== null && (
            <Fact name="Disk" title="Of the file system that holds the home folder">
              {gibText(facts.diskFreeMib)}
              {facts.diskTotalMib !== null && ` of ${gibText(facts.diskTotalMib)}`} GiB free
            </Fact>
          )}
        </>
      )}
      {spec.kind === 'slurm' && (
        <>
          <Fact name="Partition">{spec.defaults.partition || "the cluster's default"}</Fact>
          <Fact name="Account">{spec.defaults.account || "the cluster's default"}</Fact>
          <Fact name="Wall time">{wallTime(spec.defaults.minutes)}</Fact>
          {spec.defaults.options !== '' && (
            <Fact name="Options" mono>
              {spec.defaults.options}
            </Fact>
          )}
        </>
      )}
      <Fact name="ID" title="Its name on the command line" mono>
        {spec.id}
      </Fact>
    </Facts>
  );
}

function wallTime(minutes: number): string {
  const hours = minutes / 60;
  return Number.isInteger(hours) ? `${hours} h` : `${minutes} min`;
}
