import { hasInOrder } from '@pulse/domain'
import { agentReason, isAgentMissing, isAgentsOwn, readMeminfo, toNetwork, toOs } from './agent.ts'
import type { Limits } from '../proxmox/call.ts'
import type { ClusterContext } from './context.ts'
import { sumFilesystems } from './filesystems.ts'
import { countedOf, learnReport, learnShare, type GuestFacts } from './guest-facts.ts'
import { shareByAgent, shareByRrd } from './guest-memory.ts'
import type { ProbeKind } from './probe-plan.ts'
import {
  PveFilesystem,
  PveGuestStatus,
  PveInterface,
  PveOs,
  PveRrdPoint,
  readLooseList,
  readOne,
} from './schema.ts'
import { SourceError, toSourceError } from '../source-error.ts'

const MB = 1024 * 1024
/** PVE itself gives the agent 3 s to wake up and 5 s to answer. */
const timeoutMs: Record<ProbeKind, number> = {
  status: 8_000,
  filesystems: 15_000,
  network: 10_000,
  os: 10_000,
  meminfo: 10_000,
  rrd: 8_000,
}

/** Whether guest RRDs have available memory. No release up to 9.2 does. One guest per hour is checked. */
export interface ProbeContext extends ClusterContext {
  guestRrd: { known: boolean; askAt: number }
}

const isMoved = (text: string) => hasInOrder(text, 'Configuration file ', ' does not exist')

/** Sends one probe of a guest. Returns whether the answer was empty. */
export async function probeGuest(
  context: ProbeContext,
  guest: GuestFacts,
  kind: ProbeKind,
  pay: () => number,
  signal: AbortSignal,
): Promise<boolean> {
  const { node, vmid } = guest
  const limits: Limits = { headersMs: timeoutMs[kind], totalMs: timeoutMs[kind] + 1_000, maxBytes: MB }
  const path = `/${guest.raw.type}/${vmid}${pathOf(kind, guest)}`
  try {
    const { data, at } = await context.gateway.node(node, path, { pay, limits, signal })
    return readers[kind](context, guest, data, at)
  } catch (cause) {
    const error = toSourceError(cause)
    if (!signal.aborted && !isMoved(error.said)) noteFailure(context, vmid, kind, error)
    throw error
  }
}

function pathOf(kind: ProbeKind, guest: GuestFacts): string {
  switch (kind) {
    case 'status':
      return '/status/current'
    case 'rrd':
      return '/rrddata?timeframe=hour&cf=AVERAGE'
    case 'network':
      return guest.raw.type === 'lxc' ? '/interfaces' : '/agent/network-get-interfaces'
    case 'filesystems':
      return '/agent/get-fsinfo'
    case 'os':
      return '/agent/get-osinfo'
    case 'meminfo':
      return '/agent/file-read?file=%2Fproc%2Fmeminfo'
  }
}

type Reader = (context: ProbeContext, guest: GuestFacts, data: unknown, at: number) => boolean

const readers: Record<ProbeKind, Reader> = {
  status(context, { vmid }, data, at) {
    const value = readOne(PveGuestStatus, data, 'status/current')
    context.guests.learn(vmid, (facts) => learnReport(facts, value, at), at)
    return false
  },
  filesystems(context, { vmid }, data, at) {
    const summed = sumFilesystems(readLooseList(PveFilesystem, resultOf(data)))
    context.guests.learn(
      vmid,
      (facts) => {
        facts.agentKnown = true
        facts.diskFailure = typeof summed === 'string' ? summed : undefined
        facts.disks = typeof summed === 'string' ? undefined : { ...summed, at }
      },
      at,
    )
    return false
  },
  network(context, { vmid, raw }, data, at) {
    const network = toNetwork(readLooseList(PveInterface, raw.type === 'lxc' ? data : resultOf(data)))
    const isEmpty = network.addresses.length === 0
    context.guests.learn(vmid, (facts) => (facts.network = network), at)
    return isEmpty
  },
  os(context, { vmid }, data, at) {
    const os = toOs(readOne(PveOs, resultOf(data), 'get-osinfo'))
    context.guests.learn(vmid, (facts) => (facts.os = os.name ? os : facts.os), at)
    return os.name === ''
  },
  meminfo(context, { vmid }, data, at) {
    const { content } = resultOf(data) as { content?: unknown }
    const memory = readMeminfo(typeof content === 'string' ? content : '')
    if (!memory)
      throw new SourceError('unsupported', `guest ${vmid}: /proc/meminfo names no available memory`)
    context.guests.learn(
      vmid,
      (facts) => {
        facts.agentKnown = true
        facts.meminfoFailed = false
        learnShare(facts, shareByAgent(memory, countedOf(facts, at), at))
      },
      at,
    )
    return false
  },
  rrd(context, { vmid }, data, at) {
    const point = readLooseList(PveRrdPoint, data).findLast((entry) => entry.memavailable !== undefined)
    context.guestRrd.known = point !== undefined
    if (!point) return false
    context.guests.learn(
      vmid,
      (facts) => {
        const rrd = { available: point.memavailable ?? 0 }
        const share = shareByRrd(rrd, facts.raw.maxmem, countedOf(facts, at), at)
        if (share) learnShare(facts, share)
      },
      at,
    )
    return false
  },
}

/** Agent answers are wrapped in `result`, except for file-read and in some versions. */
function resultOf(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return {}
  return 'result' in data ? data.result : data
}

function noteFailure(context: ClusterContext, vmid: number, kind: ProbeKind, error: SourceError): void {
  const reason = agentReason(error)
  if (reason === undefined) return
  const change = (facts: GuestFacts) => {
    if (kind === 'status') facts.reportFailed = true
    if (kind === 'filesystems') facts.diskFailure = reason
    if (kind === 'meminfo') facts.meminfoFailed = true
    if (isAgentMissing(error)) facts.agentKnown = false
    if (isAgentsOwn(error)) facts.agentKnown = true
  }
  context.guests.learn(vmid, change, context.clock.monotonic())
}
