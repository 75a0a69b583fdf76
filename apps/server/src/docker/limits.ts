import type { ReportCut } from '@pulse/contract'
import type { ReadContainer, ReadReport } from './read-report.ts'

/**
 * Limits of stored containers and bytes of JSON: for all hosts, for the hosts of one token, and for one host. The share of a token
 * fits its maximum number of hosts with fifty containers each and all their labels.
 */
export const keptLimits = {
  containers: 50_000,
  containersOfToken: 37_500,
  bytes: 40_000_000,
  bytesOfToken: 32_000_000,
  bytesOfHost: 2_000_000,
}

/** Every container's record repeats its host's id and key. */
const overheadOf = (hostId: string) => 128 + 2 * hostId.length

interface Other {
  containers: { readonly size: number }
  bytes: number
  token: { id: string } | undefined
}

/** Cuts a report to the remaining limits, and lists the cuts. */
export function fitReport(
  report: ReadReport,
  tokenId: string | undefined,
  others: Iterable<Other>,
  limits = keptLimits,
): ReadReport & { bytes: number } {
  const left = roomLeft(others, tokenId, limits)
  const cut = new Set(report.cut)
  const each = overheadOf(report.hostId)
  const bare: [string, ReadContainer][] = []
  let bytes = jsonBytes(report.facts) + each
  for (const [name, container] of report.containers) {
    const { labels: _labels, ports: _ports, networks: _networks, ...rest } = container
    const size = jsonBytes(rest) + each
    if (bare.length >= left.containers || bytes + size > left.bytes) {
      cut.add('containers')
      break
    }
    bytes += size
    bare.push([name, rest])
  }
  // listing every container matters more than the details of some
  const containers = new Map(bare)
  for (const [name, rest] of bare) {
    const { labels, ports, networks } = report.containers.get(name)!
    const details = { ...(labels && { labels }), ...(ports && { ports }), ...(networks && { networks }) }
    const names = Object.keys(details) as ReportCut[]
    if (names.length === 0) continue
    const size = jsonBytes(details)
    if (bytes + size > left.bytes) {
      for (const what of names) cut.add(what)
      continue
    }
    bytes += size
    containers.set(name, { ...rest, ...details })
  }
  return { ...report, containers, cut: [...cut].sort(), bytes }
}

const jsonBytes = (value: object) => Buffer.byteLength(JSON.stringify(value))

function roomLeft(others: Iterable<Other>, tokenId: string | undefined, limits: typeof keptLimits) {
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
