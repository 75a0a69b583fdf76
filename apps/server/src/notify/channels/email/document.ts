import { type EmailConfig, EmailConfigInput } from '@pulse/contract'
import { type Fields, leftOut, listed } from '../../../export-part.ts'
import { plainEntry } from '../../../outbound/allowed-hosts.ts'
import type { SettingsDefinition } from '../../../settings-document.ts'
import { type Destination, fitting, planChannel } from '../import.ts'
import { emailFrom, type EmailSettings, noEmail, shownEmail, storedEmail } from './settings.ts'

export const emailDocument: SettingsDefinition<EmailSettings, EmailConfig> = {
  key: 'notifications.email',
  name: 'email settings',
  defaults: () => noEmail,
  parse: emailFrom,
  serialize: storedEmail,
  shown: shownEmail,
  // without its port or its encryption, the password would go to another destination
  setAside: 'whole',
  exported: {
    key: 'email',
    schema: EmailConfigInput,
    older: { field: 'email', take: fromLegacy },
    ignoresEmpty: true,
    read: emailFrom,
    plan: planChannel(newDestination, ({ server }) => (server === '' ? '' : 'email settings')),
  },
}

function fromLegacy(value: unknown) {
  const { taken, left } = fitting(EmailConfigInput, value)
  const { server = '', enabled } = taken
  if (server !== '')
    return { taken: transport(taken) as EmailConfigInput, notes: leftOut('email settings', left) }
  const notes = enabled === true ? ['Settings of email were left out: they name no server.'] : []
  return { taken: undefined, notes }
}

/** In Pulse 4.x, `tls` had no effect: port 465 used implicit TLS, other ports STARTTLS at most. */
function transport(taken: Fields): Fields {
  const wasEncrypted = taken['tls'] === true || taken['startTLS'] === true
  const isImplicit = taken['port'] === 465
  return { ...taken, tls: wasEncrypted && isImplicit, startTLS: wasEncrypted && !isImplicit }
}

/** Undefined when this installation already sends to it, or the import does not. */
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
