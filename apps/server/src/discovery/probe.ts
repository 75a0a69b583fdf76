import { defaultPorts, type DiscoveryError } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { TLSSocket } from 'node:tls'
import { type Answer, ask, type Dial, dial } from './ask.ts'
import { type Identity, identifyCertificate, identifyPage } from './page.ts'

export interface ProbeEdges {
  clock: Clock
  dialTimeoutMs: number
  httpTimeoutMs: number
  signal: AbortSignal
}

export type Finding =
  | { is: 'server'; identity: Identity }
  /** nothing listens there; `reached` if a host refused the connection */
  | { is: 'nothing'; reached: boolean }
  | { is: 'no_network' | 'canceled' }
  /** something listens there, or Pulse's own side failed */
  | { is: 'problem'; type: DiscoveryError['error_type']; message: string }

/** The default ports of the products. */
export const discoveryPorts: readonly number[] = [...new Set(Object.values(defaultPorts))]

/**
 * Identifies a server by its start page, then by its certificate. A second request goes only to a server that
 * claims to be Proxmox and has shown neither. No request needs an account, so none causes a failed sign-in.
 */
export async function probe(ip: string, port: number, edges: ProbeEdges): Promise<Finding> {
  const { clock, dialTimeoutMs, httpTimeoutMs, signal } = edges
  const dialled = await dial(ip, port, { clock, signal, timeoutMs: dialTimeoutMs })
  if (dialled.is !== 'secure') return unanswered(dialled)
  const certificate = identifyCertificate(namesOf(dialled.socket))
  const answer = await ask(dialled.socket, '/', { clock, signal, timeoutMs: httpTimeoutMs })
  if (answer.is === 'canceled') return { is: 'canceled' }
  const identity =
    (answer.is === 'answer' ? identifyPage(answer.body) : undefined) ??
    (certificate && { type: certificate }) ??
    (answer.is === 'answer' ? await identifyByCall(ip, port, answer, edges) : undefined)
  if (signal.aborted) return { is: 'canceled' }
  if (identity) return { is: 'server', identity }
  if (answer.is === 'late') return tooSlow
  return problem('no_identification', 'A service answers there, but it is not a Proxmox server.')
}

function unanswered(dialled: Exclude<Dial, { is: 'secure' }>): Finding {
  switch (dialled.is) {
    case 'canceled':
    case 'no_network':
      return { is: dialled.is }
    case 'unreachable':
    case 'refused':
      return { is: 'nothing', reached: dialled.is === 'refused' }
    case 'late':
      return tooSlow
    case 'not_tls':
      return problem('no_identification', 'A service answers there, but it does not speak TLS.')
    case 'failed':
      return problem('phase_error', `The scan cannot open more connections (${dialled.code}).`)
  }
}

function problem(type: DiscoveryError['error_type'], message: string): Finding {
  return { is: 'problem', type, message }
}

const tooSlow = problem('timeout', 'A service accepts connections there, but it did not answer in time.')

/**
 * For a start page hidden by a proxy in front. PVE and PMG share one web server. PVE serves its list of
 * realms without sign-in and has a realm named pve. PMG has no such list.
 */
async function identifyByCall(
  ip: string,
  port: number,
  { server }: Extract<Answer, { is: 'answer' }>,
  { clock, dialTimeoutMs, httpTimeoutMs, signal }: ProbeEdges,
): Promise<Identity | undefined> {
  if (/proxmox-backup/i.test(server)) return { type: 'pbs' }
  if (!/pve-api-daemon/i.test(server)) return undefined
  const dialled = await dial(ip, port, { clock, signal, timeoutMs: dialTimeoutMs })
  if (dialled.is !== 'secure') return undefined
  const path = '/api2/json/access/domains'
  const answer = await ask(dialled.socket, path, { clock, signal, timeoutMs: httpTimeoutMs })
  if (answer.is !== 'answer') return undefined
  if (answer.status === 200 && /"realm"\s*:\s*"pve"/.test(answer.body)) return { type: 'pve' }
  return [401, 404, 501].includes(answer.status) ? { type: 'pmg' } : undefined
}

function namesOf(socket: TLSSocket): string[] {
  const { subject = '', issuer = '' } = socket.getPeerX509Certificate() ?? {}
  return [subject, issuer]
}
