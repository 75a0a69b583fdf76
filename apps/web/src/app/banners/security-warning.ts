import type { SecurityStatus } from '@pulse/contract'
import { securityChecks, securityScore } from '@pulse/domain'

/** One point each. */
const outOf = securityChecks.length
const enough = 4

export interface SecurityWarning {
  isDue: boolean
  score: number
  outOf: number
  tone: 'green' | 'yellow' | 'orange' | 'red'
  icon: 'shield' | 'warning' | 'alarm'
  /** whoever reaches the server from anywhere is an administrator */
  isOpen: boolean
  missing: readonly (typeof securityChecks)[number][]
}

export function securityWarning(status: SecurityStatus): SecurityWarning {
  const { score, checks } = securityScore(status)
  const share = score / outOf
  const isOpen = status.publicAccess && !status.hasAuthentication
  const met = new Set(checks.filter((check) => check.met).map(({ id }) => id))
  return {
    isDue: score < enough || isOpen,
    score,
    outOf,
    tone: share >= 0.8 ? 'green' : share >= 0.6 ? 'yellow' : share >= 0.4 ? 'orange' : 'red',
    icon: share >= 0.8 ? 'shield' : share >= 0.6 ? 'warning' : 'alarm',
    isOpen,
    missing: securityChecks.filter((id) => !met.has(id)),
  }
}
