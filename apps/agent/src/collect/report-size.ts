import type { ReportedContainer } from '@pulse/contract'

/**
 * One more than servers keep, so that they see that containers are missing. Without these bounds, one
 * container with all ports published, or an image with megabytes of labels, would make a report that servers
 * reject, and its host would seem offline.
 */
export const mostContainers = 1_001
const mostPorts = 65
const mostNetworks = 33
const mostLabels = 65
/** characters of all labels of one container, of one key and of one value */
const mostLabelText = 9 * 1024
const mostKey = 256
const mostValue = 1024

/** Bytes of all containers. Servers accept 4 MiB, uncompressed, including the host's description. */
const mostBytes = 4 * 1024 * 1024 - 64 * 1024

type Details = Required<Pick<ReportedContainer, 'labels' | 'ports' | 'networks'>>

export const boundedDetails = ({ labels, ports, networks }: Details): Details => ({
  ports: ports.slice(0, mostPorts),
  labels: boundedLabels(labels),
  networks: networks.slice(0, mostNetworks),
})

/** Labels that group containers come first, so that other labels cannot displace them. */
function boundedLabels(labels: Readonly<Record<string, string>>): Record<string, string> {
  const all = Object.entries(labels)
  const first = all.filter(([key]) => groupsContainers(key))
  const others = all.filter(([key]) => !groupsContainers(key))
  let left = mostLabelText
  return Object.fromEntries(
    [...first, ...others]
      .slice(0, mostLabels)
      .map(([key, text]) => [shortened(key, mostKey), shortened(text, mostValue)] as const)
      .filter(([key, text]) => (left -= key.length + text.length) >= 0),
  )
}

const groupsContainers = (key: string) => key.startsWith('com.docker.compose.')

const shortened = (text: string, most: number) => (text.length > most ? `${text.slice(0, most)}…` : text)

/** Drops the details of the largest containers until the report fits, and counts them. */
export function fitted(containers: readonly ReportedContainer[]): {
  containers: ReportedContainer[]
  withoutDetails: number
} {
  const bytes = containers.map((container) => Buffer.byteLength(JSON.stringify(container)) + 1)
  let left = mostBytes - bytes.reduce((sum, size) => sum + size, 0)
  if (left >= 0) return { containers: [...containers], withoutDetails: 0 }
  const bare = new Map<number, ReportedContainer>()
  const longestFirst = bytes.map((_, at) => at).sort((a, b) => bytes[b]! - bytes[a]!)
  for (const at of longestFirst) {
    if (left >= 0) break
    const { labels: _labels, ports: _ports, networks: _networks, ...rest } = containers[at]!
    bare.set(at, rest)
    left += bytes[at]! - Buffer.byteLength(JSON.stringify(rest)) - 1
  }
  return {
    containers: containers.map((container, at) => bare.get(at) ?? container),
    withoutDetails: bare.size,
  }
}
