import { emailUsername } from '@pulse/domain'
import type { Socket } from 'node:net'
import type { EmailSettings } from './settings.ts'

/** How a connection is encrypted. */
type Encryption = 'tls' | 'starttls' | 'none'

/** Settings of Pulse 4.x may enable both. Then the port decides, and the result is never `none`. */
export function encryptionOf({
  tls,
  startTLS,
  port,
}: Pick<EmailSettings, 'tls' | 'startTLS' | 'port'>): Encryption {
  if (tls && startTLS) return port === 465 ? 'tls' : 'starttls'
  if (tls) return 'tls'
  return startTLS ? 'starttls' : 'none'
}

const modes = {
  tls: { secure: true },
  /** nothing is sent to a server without STARTTLS */
  starttls: { secure: false, requireTLS: true },
  none: { secure: false, ignoreTLS: true },
} as const

/** The only list of timeouts for mail. */
export const timeouts = { connectMs: 10_000, greetingMs: 10_000, idleMs: 20_000, totalMs: 30_000 }

/** Options for one mail over an open connection. */
export function transportOptions(settings: EmailSettings, connection: Socket, ca: string | undefined) {
  const pass = settings.password.reveal()
  const user = emailUsername(settings, pass)
  return {
    host: settings.server,
    port: settings.port,
    connection,
    ...modes[encryptionOf(settings)],
    // PLAIN or LOGIN, as the server offers
    ...(user !== '' && pass !== '' && { auth: { user, pass } }),
    tls: { minVersion: 'TLSv1.2' as const, ...(ca && { ca }) },
    greetingTimeout: timeouts.greetingMs,
    socketTimeout: timeouts.idleMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false as const,
  }
}
