import type { SecurityStatus } from '@pulse/contract'
import type { SecurityScore } from '@pulse/domain'

/** The score in a word, beside its colour. */
export const scoreWord: Record<SecurityScore['tone'], string> = {
  green: 'Good',
  yellow: 'Can be better',
  red: 'Needs attention',
}

interface Fact {
  label: string
  value: string
  warning?: string
}

/** What else is known about how this server can be reached and watched. */
export function postureFacts(status: SecurityStatus): readonly Fact[] {
  const { hasAuditLogging, publicAccess, isPrivateNetwork, clientIP, apiTokenHint } = status
  return [
    ...(hasAuditLogging === undefined ? [] : [{ label: 'Audit log', value: hasAuditLogging ? 'On' : 'Off' }]),
    {
      label: 'Network',
      value: publicAccess ? 'Public' : isPrivateNetwork ? 'Private' : 'Unknown',
      ...(publicAccess && {
        warning: 'You are reaching Pulse from a public address. Use HTTPS and strong passwords, or a VPN.',
      }),
    },
    ...(clientIP ? [{ label: 'Your address', value: clientIP }] : []),
    ...(apiTokenHint ? [{ label: 'Newest API token', value: apiTokenHint }] : []),
  ]
}
