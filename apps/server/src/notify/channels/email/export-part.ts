import { EmailConfigInput, type EmailConfig } from '@pulse/contract'
import { type Fields, listed, nothing, part, type TransferPart } from '../../../export-part.ts'
import { plainEntry } from '../../../outbound/allowed-hosts.ts'
import type { SettingsDocument } from '../../../settings-document.ts'
import { confirmed, type Destination, fitting, leftOut } from '../import.ts'
import { emailFrom, type EmailSettings, storedEmail } from './settings.ts'

/** In Pulse 4.x, `tls` had no effect: port 465 used implicit TLS, other ports STARTTLS at most. */
function transport(taken: Fields): Fields {
  const wasEncrypted = taken['tls'] === true || taken['startTLS'] === true
  const isImplicit = taken['port'] === 465
  return { ...taken, tls: wasEncrypted && isImplicit, startTLS: wasEncrypted && !isImplicit }
}

const legacy = {
  field: 'email',
  take(value: unknown) {
    const { taken, left } = fitting(EmailConfigInput, value)
    const { server = '', enabled } = taken
    if (server !== '')
      return {
        taken: transport(taken) as EmailConfigInput,
        notes: leftOut('Settings of email', left),
      }
    const notes = enabled === true ? ['Settings of email were left out: they name no server.'] : []
    return { taken: undefined, notes }
  },
}

export const emailExportPart = (document: SettingsDocument<EmailSettings, EmailConfig>): TransferPart =>
  part({
    key: 'email',
    schema: EmailConfigInput,
    older: legacy,
    read: async () => storedEmail((await document.stored()).value),
    async plan(input, by) {
      if (Object.keys(input).length === 0) return nothing
      const next = emailFrom(input)
      const found = newDestination(next, (await document.stored()).value)
      const [enabled, confirmation] = confirmed(next.enabled, found, by)
      return {
        summary: next.server === '' ? '' : 'email settings',
        ...confirmation,
        queries: [document.writing({ ...next, enabled })],
      }
    },
  })

/** Undefined when this installation already sends there, or the import does not send. */
function newDestination(next: EmailSettings, here: EmailSettings): Destination | undefined {
  const keyOf = ({ server, port, tls, startTLS, username, from, to, replyTo }: EmailSettings) =>
    JSON.stringify([server.toLowerCase(), port, tls, startTLS, username, from, [...to].sort(), replyTo])
  if (!next.enabled || (here.enabled && keyOf(next) === keyOf(here))) return undefined
  const recipients = next.to.length > 0 ? listed(next.to) : `"${next.from}"`
  return {
    kind: 'email',
    name: 'Email',
    goesTo: `${recipients} through ${plainEntry(next.server)}:${next.port}`,
  }
}
