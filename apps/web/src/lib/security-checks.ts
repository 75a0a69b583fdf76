import type { SecurityCheck } from '@pulse/domain'

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
    met: 'Users and programs must sign in.',
    missing: 'Set up sign-in: without it, anyone who can reach Pulse is an administrator.',
  },
  credentialsEncrypted: {
    label: 'Credentials encrypted',
    met: 'Stored passwords and secrets are encrypted.',
    missing: 'Give Pulse its encryption key: see PULSE_ENCRYPTION_KEY_FILE in the configuration.',
  },
  hasHTTPS: {
    label: 'HTTPS',
    met: 'This connection is encrypted.',
    missing: 'Put a reverse proxy with a certificate in front of Pulse and add it to the trusted proxies.',
  },
  apiTokenConfigured: {
    label: 'API token',
    met: 'Scripts and agents can sign in without a password.',
    missing: 'Create a token below, so that scripts and agents need no password.',
  },
  exportProtected: {
    label: 'Export protected',
    met: 'The configuration can be exported only by those who sign in.',
    missing: 'Set up sign-in: without it, anyone who can reach this machine can export.',
  },
}
