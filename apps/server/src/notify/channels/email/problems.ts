import type { Outbound } from '../../../outbound/guard.ts'
import type { Problems } from '../../channel.ts'
import type { EmailSettings } from './settings.ts'
import { mailboxOf } from './mailbox.ts'

const example = 'use an address such as ops@example.org'

/** What cannot work, by field. */
export function emailProblems(settings: EmailSettings, outbound: Outbound): Problems {
  const { enabled, server, port, from, to, replyTo, tls, startTLS } = settings
  const problems: Problems = {}
  if (enabled && server === '') problems['server'] = 'Enter the mail server.'
  else if (server !== '' && !/^[\p{L}\p{N}_.:[\]-]+$/u.test(server)) {
    problems['server'] =
      'Not a valid mail server: use a host name or an IP address, without http:// and without a port.'
  } else if (server !== '') {
    const problem = outbound.serverProblem(server, port)
    if (problem) problems['server'] = `The mail server cannot be called: ${problem}.`
  }
  if (enabled && from === '') problems['from'] = 'Enter the sender address.'
  else if (from !== '' && !mailboxOf(from))
    problems['from'] = `The sender is not a valid address: ${example}.`
  const wrong = to.find((one) => !mailboxOf(one))
  if (wrong !== undefined) problems['to'] = `${JSON.stringify(wrong)} is not a valid address: ${example}.`
  if (replyTo !== '' && !mailboxOf(replyTo))
    problems['replyTo'] = `The reply-to address is not valid: ${example}.`
  if (tls && startTLS) problems['startTLS'] = 'TLS and STARTTLS exclude each other: switch one of them off.'
  return problems
}
