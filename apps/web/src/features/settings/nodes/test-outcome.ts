import type { NodeTest } from '@pulse/contract'
import { ApiError } from '../../../api/request.ts'

/** A connection test, as displayed. */
export interface TestOutcome {
  ok: boolean
  message: string
  /** the server's own name */
  name?: string
  /** missing permissions, and the data that is unavailable without them */
  warnings: readonly string[]
  /** product version, cluster size, response time */
  facts: readonly string[]
  /** of the presented certificate */
  fingerprint?: string
  /** the test failed because the certificate is not trusted */
  untrusted: boolean
}

const clusterText = 'Cluster detected! All cluster nodes will be automatically added.'

export function outcomeOf(test: NodeTest): TestOutcome {
  const ok = test.status === 'success'
  const said = ok && test.isCluster ? clusterText : test.message
  return {
    ok,
    untrusted: !ok && test.untrusted === true,
    message: said || (ok ? 'Connection successful' : 'Connection test failed'),
    warnings: test.warnings ?? [],
    facts: factsOf(test),
    ...(test.name && { name: test.name }),
    ...(test.fingerprint && { fingerprint: test.fingerprint }),
  }
}

function factsOf({ version, clusterName, clusterNodeCount, latency }: NodeTest): string[] {
  return [
    version && `Version ${version}`,
    clusterName && `Cluster ${clusterName}${clusterNodeCount ? ` with ${clusterNodeCount} nodes` : ''}`,
    latency !== undefined && `${latency} ms`,
  ].filter((fact): fact is string => typeof fact === 'string' && fact !== '')
}

export function failedOutcome(error: unknown): TestOutcome {
  const { message, fingerprint, untrusted } = describeFailure(error)
  return {
    ok: false,
    message: message.replace(/^API request failed: \d+\s*/, '').trim() || 'Connection failed',
    untrusted,
    warnings: [],
    facts: [],
    ...(fingerprint && { fingerprint }),
  }
}

function describeFailure(error: unknown): {
  message: string
  untrusted: boolean
  fingerprint?: string | undefined
} {
  if (!(error instanceof Error)) return { message: '', untrusted: false }
  const { details, untrusted } = (error instanceof ApiError ? (error.body ?? {}) : {}) as {
    details?: { fingerprint?: string }
    untrusted?: boolean
  }
  return { message: error.message, untrusted: untrusted === true, fingerprint: details?.fingerprint }
}
