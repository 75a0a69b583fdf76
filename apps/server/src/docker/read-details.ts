import type { DockerContainer } from '@pulse/contract'
import { type Bounded, isBlank, isFields, wholeOf } from '../report-fields.ts'

const mostPorts = 64
const mostNetworks = 32
const mostLabels = 64
/** maximum characters of the labels of one container */
const mostLabelText = 8 * 1024

type Details = Pick<DockerContainer, 'ports' | 'labels' | 'networks'>

export function readPorts(value: unknown, bounded: Bounded): Pick<Details, 'ports'> {
  const ports = bounded.list(value, mostPorts, 'ports').flatMap((port) => {
    const privatePort = wholeOf(port['privatePort'], 65_535, 1)
    if (privatePort === undefined) return []
    const publicPort = wholeOf(port['publicPort'], 65_535, 1)
    return [
      {
        privatePort,
        ...(publicPort !== undefined && { publicPort }),
        protocol: bounded.text(port['protocol'], 8) || 'tcp',
        ...bounded.optional('ip', port['ip'], 64),
      },
    ]
  })
  return ports.length === 0 ? {} : { ports: different(ports) }
}

export function readNetworks(value: unknown, bounded: Bounded): Pick<Details, 'networks'> {
  const networks = bounded.list(value, mostNetworks, 'networks').flatMap((network) => {
    const name = bounded.text(network['name'], 128)
    if (isBlank(name)) return []
    return [
      {
        name,
        ...bounded.optional('ipv4', network['ipv4'], 64),
        ...bounded.optional('ipv6', network['ipv6'], 64),
      },
    ]
  })
  return networks.length === 0 ? {} : { networks: different(networks) }
}

/** Removes duplicates. */
function different<T extends object>(entries: readonly T[]): T[] {
  return [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()]
}

/** Labels that group containers come first, so that the limit does not cut them. */
const groupsContainers = (key: string) => key.startsWith('com.docker.compose.')

export function readLabels(value: unknown, bounded: Bounded): Pick<Details, 'labels'> {
  if (!isFields(value)) return {}
  const all = Object.entries(value).filter(([, text]) => typeof text === 'string')
  if (all.length > mostLabels) {
    bounded.note('labels')
    all.sort(([a], [b]) => Number(groupsContainers(b)) - Number(groupsContainers(a)))
  }
  const labels = new Map<string, string>()
  let left = mostLabelText
  for (const [key, text] of all.slice(0, mostLabels)) {
    const entry = [bounded.text(key, 256, 'labels'), bounded.text(text, 1024, 'labels')] as const
    left -= entry[0].length + entry[1].length
    if (left >= 0 && !isBlank(entry[0])) labels.set(...entry)
  }
  if (left < 0) bounded.note('labels')
  // defines own properties, also for labels such as `__proto__`
  return labels.size === 0 ? {} : { labels: Object.fromEntries(labels) }
}
