import type { SecurityStatus } from '@pulse/contract'

/** In order of priority. */
export const securityChecks = [
  'hasAuthentication',
  'credentialsEncrypted',
  'hasHTTPS',
  'apiTokenConfigured',
  'exportProtected',
] as const satisfies readonly (keyof SecurityStatus)[]
export type SecurityCheck = (typeof securityChecks)[number]

export interface SecurityScore {
  /** number of checks that pass */
  score: number
  /** five; fewer for callers who may not see all checks */
  outOf: number
  tone: 'green' | 'yellow' | 'red'
  checks: readonly { id: SecurityCheck; met: boolean }[]
}

/**
 * The security score. Green: all checks pass. Yellow: one or two fail. Red: three or more fail, or
 * authentication is missing, because then the other checks protect nothing.
 */
export function securityScore(status: Pick<SecurityStatus, SecurityCheck>): SecurityScore {
  const checks = securityChecks.flatMap((id) => {
    const met = status[id]
    return met === undefined ? [] : [{ id, met }]
  })
  const score = checks.filter(({ met }) => met).length
  return {
    score,
    outOf: checks.length,
    tone: toneOf(checks.length - score, status.hasAuthentication),
    checks,
  }
}

function toneOf(missing: number, hasAuthentication: boolean): SecurityScore['tone'] {
  if (!hasAuthentication || missing > 2) return 'red'
  return missing > 0 ? 'yellow' : 'green'
}
