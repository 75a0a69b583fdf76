import type { NodeTest } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { readFingerprint, shownFingerprint, trustOf } from '../certificate.ts'
import { openHttps, type HttpsHost } from '../https.ts'
import type { CollectorEdges, Connection } from '../source.ts'
import { toSourceError, type SourceError } from '../source-error.ts'
import { callPve } from './client.ts'
import { readMembership, type Membership } from './membership.ts'
import { missingRights } from './rights.ts'
import { PveNode, PvePermissions, PveVersion, readList, readOne } from './schema.ts'
import { openSession } from './session.ts'

const wholeMs = 10_000
const limits = { headersMs: 8_000, totalMs: 9_000, maxBytes: 4 * 1024 * 1024 }

/** What a person wants to know before saving a connection. Never throws: a failure is a result. */
export async function testConnection(
  connection: Connection,
  { clock, log }: Pick<CollectorEdges, 'clock' | 'log'>,
): Promise<NodeTest> {
  const label = new URL(connection.host).host
  const host = openHttps(connection.host, label, trustOf(connection), clock)
  const abort = new AbortController()
  const cancel = clock.after(wholeMs, () => abort.abort())
  try {
    return { ...(await examine(connection, host, label, clock, abort.signal)), ...shown(host.fingerprint) }
  } catch (cause) {
    const error = toSourceError(cause)
    log.info({ instance: connection.name, reason: error.message }, 'connection test failed')
    return {
      status: 'error',
      message: adviceFor(error, connection),
      ...shown(await certificateOf(host, error, clock)),
    }
  } finally {
    cancel()
    await host.close()
  }
}

async function examine(
  connection: Connection,
  host: HttpsHost,
  label: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<NodeTest> {
  const headers = await openSession(connection.auth, clock, () => {}).headers(host, label)
  const get = (path: string) => callPve(host, label, { path, headers, limits, signal })
  const { version, release } = readOne(PveVersion, await get('/version'), '/version')
  const askedAt = clock.now()
  const nodes = readList(PveNode, await get('/nodes'), '/nodes')
  const latency = Math.max(1, Math.round(clock.now() - askedAt))
  const optional = <T>(asked: Promise<T>) => asked.catch(() => undefined)
  const [membership, granted] = await Promise.all([
    optional(get('/cluster/status').then(readMembership)),
    optional(get('/access/permissions').then((data) => readOne(PvePermissions, data, '/access/permissions'))),
  ])
  const warnings = granted ? missingRights(granted) : []
  const isCluster = membership?.clusterName !== undefined
  return {
    status: 'success',
    message: successMessage(isCluster, warnings.length),
    isCluster,
    ...clusterFields(membership),
    nodeCount: nodes.length,
    ...(version !== undefined && { version }),
    ...(release !== undefined && { release }),
    latency,
    ...(warnings.length > 0 && { warnings }),
  }
}

function successMessage(isCluster: boolean, warnings: number): string {
  if (isCluster) return 'Cluster detected! All cluster nodes will be automatically added.'
  return warnings > 0 ? 'Connection successful, but some rights are missing' : 'Connection successful'
}

function clusterFields(membership: Membership | undefined) {
  if (membership?.clusterName === undefined) return {}
  return { clusterName: membership.clusterName, clusterNodeCount: membership.members.length }
}

/** Where the system's authorities refused it, the certificate has to be looked at without them. */
const certificateOf = (host: HttpsHost, error: SourceError, clock: Clock) =>
  error.code === 'tls' && host.fingerprint === undefined
    ? readFingerprint(new URL(host.url), clock, 3_000)
    : host.fingerprint

/** Trusted or not, so that a person can compare and accept it. */
const shown = (fingerprint: string | undefined): Pick<NodeTest, 'fingerprint'> =>
  fingerprint === undefined ? {} : { fingerprint: shownFingerprint(fingerprint) }

function adviceFor(error: SourceError, { auth }: Connection): string {
  if (error.code !== 'unauthorized' || /two-factor/.test(error.message)) return error.message
  return auth.type === 'token'
    ? 'Authentication failed: check token ID and secret'
    : 'Authentication failed: check user name, realm and password'
}
