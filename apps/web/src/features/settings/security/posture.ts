import type { SecurityStatus } from '@pulse/contract'
import type { SecurityCheck, SecurityScore } from '@pulse/domain'

interface CheckText {
  label: string
  /** what is good about it */
  met: string
  /** what to do */
  missing: string
}

export const checkTexts: Record<SecurityCheck, CheckText> = {
  hasAuthentication: {
    label: 'Authentication',
    met: 'Only people and programs that sign in get in.',
    missing: 'Set up sign-in: without it everybody who reaches Pulse is an administrator.',
  },
  credentialsEncrypted: {
    label: 'Credentials encrypted',
    met: 'Stored passwords and secrets are encrypted.',
    missing: 'Give Pulse its encryption key: see PULSE_ENCRYPTION_KEY_FILE in the configuration.',
  },
  hasHTTPS: {
    label: 'HTTPS',
    met: 'This connection is encrypted.',
    missing: 'Put a reverse proxy with a certificate in front of Pulse and name it as a trusted proxy.',
  },
  apiTokenConfigured: {
    label: 'API token',
    met: 'Scripts and agents can sign in without a password.',
    missing: 'Create a token below, so that scripts and agents need no password.',
  },
  exportProtected: {
    label: 'Export protected',
    met: 'The configuration can be exported only by those who sign in.',
    missing: 'Set up sign-in: without it whoever reaches this machine may export.',
  },
}

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
