import type { ReportCut } from '@pulse/contract'
import type { ReadContainer, ReadReport } from './read-report.ts'

/**
 * What is kept of reports, as containers and in bytes as they are written out: of all hosts, of those of one token, and of
 * one host. The share of a token is the room of as many hosts as one token brings, with fifty containers each and all
 * their labels.
 */
export const most = {
  containers: 50_000,
  containersOfToken: 37_500,
  bytes: 40_000_000,
  bytesOfToken: 32_000_000,
  bytesOfHost: 2_000_000,
}

/** Which host a container is of stands in every one of them, beside its key. */
const ofEachContainer = (hostId: string) => 128 + 2 * hostId.length

interface Other {
  containers: { readonly size: number }
  bytes: number
  token: { id: string } | undefined
}

/** The report as far as there is room for it beside those of the other hosts; what is left out is said. */
export function fitted(
  report: ReadReport,
  tokenId: string | undefined,
  others: Iterable<Other>,
  limits = most,
): ReadReport & { bytes: number } {
  const left = roomBeside(others, tokenId, limits)
  const cut = new Set(report.cut)
  const each = ofEachContainer(report.hostId)
  const bare: [string, ReadContainer][] = []
  let bytes = written(report.facts) + each
  for (const [name, container] of report.containers) {
    const { labels: _labels, ports: _ports, networks: _networks, ...rest } = container
    const size = written(rest) + each
    if (bare.length >= left.containers || bytes + size > left.bytes) {
      cut.add('containers')
      break
    }
    bytes += size
    bare.push([name, rest])
  }
  // that a container is there matters more than what is known of another one
  const containers = new Map(bare)
  for (const [name, rest] of bare) {
    const { labels, ports, networks } = report.containers.get(name)!
    const details = { ...(labels && { labels }), ...(ports && { ports }), ...(networks && { networks }) }
    const names = Object.keys(details) as ReportCut[]
    if (names.length === 0) continue
    const size = written(details)
    if (bytes + size > left.bytes) {
      for (const what of names) cut.add(what)
      continue
    }
    bytes += size
    containers.set(name, { ...rest, ...details })
  }
  return { ...report, containers, cut: [...cut].sort(), bytes }
}

const written = (value: object) => Buffer.byteLength(JSON.stringify(value))

function roomBeside(others: Iterable<Other>, tokenId: string | undefined, limits: typeof most) {
  let { containers, containersOfToken, bytes, bytesOfToken } = limits
  for (const other of others) {
    containers -= other.containers.size
    bytes -= other.bytes
    if (other.token?.id !== tokenId) continue
    containersOfToken -= other.containers.size
    bytesOfToken -= other.bytes
  }
  return {
    containers: Math.min(containers, containersOfToken),
    bytes: Math.max(0, Math.min(bytes, bytesOfToken, limits.bytesOfHost)),
  }
}
