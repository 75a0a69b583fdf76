import type { DockerContainer } from '@pulse/contract'
import { containerName } from '@pulse/domain'
import { memo } from 'react'
import { formatMoment, formatNumber } from '../../lib/format.ts'
import { useEntity } from '../../live/use-live.ts'
import { Uptime } from '../../parts/cells/cells.tsx'
import { ChangesFold } from '../../parts/changes/changes-fold.tsx'
import { HistoryCharts } from '../../parts/history/history-charts.tsx'
import { DetailsCell, DetailsPanel, DetailsPanels, Fact, Facts, Lines } from '../../parts/list/details.tsx'
import { projectOf, serviceOf } from './compose.ts'
import { isRunning } from './container-status.ts'

/** Details below an expanded container row. */
export const ContainerDetails = memo(function ContainerDetails({
  id,
  colSpan,
}: {
  id: string
  colSpan: number
}) {
  const container = useEntity('dockerContainers', id)
  if (!container) return null
  const { ports = [], networks = [], labels = {} } = container
  const labelled = Object.entries(labels)
  return (
    <DetailsCell colSpan={colSpan}>
      <DetailsPanels>
        <Basics container={container} />
        {ports.length > 0 && (
          <DetailsPanel title="Ports">
            <Lines values={portTexts(ports)} />
          </DetailsPanel>
        )}
        {networks.length > 0 && (
          <DetailsPanel title="Networks">
            <ul className="flex flex-col gap-1.5">
              {networks.map(({ name, ipv4, ipv6 }, index) => (
                <li key={index}>
                  <span className="font-medium break-all text-ink">{name}</span>
                  <Lines values={[ipv4, ipv6].flatMap((address) => address || [])} />
                </li>
              ))}
            </ul>
          </DetailsPanel>
        )}
        {labelled.length > 0 && <Labels labels={labelled} />}
      </DetailsPanels>
      <HistoryCharts
        kind="dockerContainers"
        id={id}
        name={containerName(container)}
        alertId={`docker:${container.host}/${container.id}`}
      />
      <ChangesFold kind="dockerContainers" id={id} name={container.name} />
    </DetailsCell>
  )
})

function Basics({ container }: { container: DockerContainer }) {
  const { image, id, status, createdAt, startedAt, finishedAt, oomKilled, staleSince, unreadable } = container
  const running = isRunning(container)
  const compose = [projectOf(container), serviceOf(container)].filter(Boolean).join(' / ')
  return (
    <DetailsPanel title="Container" note={unreadable}>
      <Facts>
        {image && (
          <Fact term="Image">
            <span className="break-all">{image}</span>
          </Fact>
        )}
        <Fact term="ID">
          <span className="break-all">{id}</span>
        </Fact>
        {status && <Fact term="Status">{status}</Fact>}
        {running && startedAt !== undefined && (
          <Fact term="Uptime">
            <Uptime startedAt={startedAt} stale={staleSince !== undefined} />
          </Fact>
        )}
        {!running && finishedAt !== undefined && <Fact term="Ended">{formatMoment(finishedAt)}</Fact>}
        {!running && oomKilled && <Fact term="Ended by">the kernel: out of memory</Fact>}
        {createdAt !== undefined && <Fact term="Created">{formatMoment(createdAt)}</Fact>}
        {compose && <Fact term="Compose">{compose}</Fact>}
      </Facts>
    </DetailsPanel>
  )
}

/** keeps the panel small */
const labelsShown = 24

function Labels({ labels }: { labels: readonly (readonly [key: string, value: string])[] }) {
  const more = labels.length - labelsShown
  return (
    <DetailsPanel title="Labels" note={more > 0 ? `and ${formatNumber(more)} more` : undefined}>
      <ul className="flex flex-col gap-0.5">
        {labels.slice(0, labelsShown).map(([key, value]) => (
          <li key={key} className="break-all">
            <span className="text-ink-3">{key}</span>
            {value && <span className="text-ink">={value}</span>}
          </li>
        ))}
      </ul>
    </DetailsPanel>
  )
}

type Port = NonNullable<DockerContainer['ports']>[number]

/** Published ports first, each once: engines list a port for IPv4 and again for IPv6. */
export const portTexts = (ports: readonly Port[]): readonly string[] => [
  ...new Set(
    ports
      .toSorted((a, b) => Number(isPublished(b)) - Number(isPublished(a)) || a.privatePort - b.privatePort)
      .map(portText),
  ),
]

const isPublished = ({ publicPort = 0 }: Port): boolean => publicPort > 0

const everywhere: ReadonlySet<string> = new Set(['', '0.0.0.0', '::'])

/** `8080 → 80/tcp`, `127.0.0.1:8080 → 80/tcp`, or `80/tcp` if unpublished. */
function portText(port: Port): string {
  const { ip = '', publicPort, privatePort, protocol } = port
  const inside = protocol ? `${privatePort}/${protocol}` : String(privatePort)
  if (!isPublished(port)) return inside
  const address = ip.includes(':') ? `[${ip}]` : ip
  return `${everywhere.has(ip) ? '' : `${address}:`}${publicPort} → ${inside}`
}
