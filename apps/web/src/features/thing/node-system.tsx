import type { Node, NodeTemperature } from '@pulse/contract'
import { formatBytes, formatMoment, formatNumber, MISSING } from '../../lib/format.ts'
import { useEntity } from '../../live/use-live.ts'
import { DetailsPanel, DetailsPanels, Fact, Facts } from '../../parts/list/details.tsx'
import { Temperature } from '../../parts/node-summary/cells.tsx'
import { Section, SectionBody } from './section.tsx'

/** Versions, hardware and sensors. */
export function NodeSystem({ id }: { id: string }) {
  const node = useEntity('nodes', id)
  if (!node) return null
  const { memory, temperature } = node
  const stale = node.staleSince !== undefined
  return (
    <Section title="System">
      <SectionBody>
        <DetailsPanels>
          <DetailsPanel title="Versions">
            <Facts>
              <Fact term="Proxmox VE">{node.pveVersion || MISSING}</Fact>
              <Fact term="Kernel">{node.kernelVersion || MISSING}</Fact>
            </Facts>
          </DetailsPanel>
          <DetailsPanel title="Processor">
            <Facts>
              <Fact term="Model">{node.cpuInfo?.model || MISSING}</Fact>
              <Fact term="Size">{sizeText(node) || MISSING}</Fact>
            </Facts>
          </DetailsPanel>
          {memory?.swapTotal ? (
            <DetailsPanel title="Memory">
              <Facts>
                <Fact term="Swap">
                  {formatBytes(memory.swapUsed)} of {formatBytes(memory.swapTotal)}
                </Fact>
              </Facts>
            </DetailsPanel>
          ) : null}
          {temperature?.available && <Sensors temperature={temperature} stale={stale} />}
        </DetailsPanels>
      </SectionBody>
    </Section>
  )
}

const counted = (count: number | undefined, one: string, many: string) =>
  count && `${formatNumber(count)} ${count === 1 ? one : many}`

const sizeText = ({ cpuInfo: { sockets, cores } = {} }: Node) =>
  [counted(sockets, 'socket', 'sockets'), counted(cores, 'core', 'cores')].filter(Boolean).join(', ')

interface SensorsProps {
  temperature: NodeTemperature
  stale: boolean
}

function Sensors({ temperature, stale }: SensorsProps) {
  const { cpuPackage, cores = [], nvme = [], cpuMin, cpuMaxRecord, lastUpdate } = temperature
  const at = lastUpdate === undefined ? Number.NaN : Date.parse(lastUpdate)
  return (
    <DetailsPanel title="Temperature" note={Number.isNaN(at) ? undefined : `Read ${formatMoment(at)}.`}>
      <Facts>
        {cpuPackage ? (
          <Fact term="CPU package">
            <Temperature celsius={cpuPackage} stale={stale} />
          </Fact>
        ) : null}
        {cores.length > 0 && (
          <Fact term="Cores">
            <span className="flex flex-wrap gap-x-2">
              {cores.map(({ core, temp }) => (
                <Temperature key={core} celsius={temp} stale={stale} />
              ))}
            </span>
          </Fact>
        )}
        {cpuMin !== undefined && cpuMaxRecord !== undefined && (
          <Fact term="Since Pulse started">
            <Temperature celsius={cpuMin} stale={stale} /> to{' '}
            <Temperature celsius={cpuMaxRecord} stale={stale} />
          </Fact>
        )}
        {nvme.map(({ device, temp }) => (
          <Fact key={device} term={device}>
            <Temperature celsius={temp} stale={stale} />
          </Fact>
        ))}
      </Facts>
    </DetailsPanel>
  )
}
