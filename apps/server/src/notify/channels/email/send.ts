import { type Clock, mailRows, mailText } from '@pulse/domain'
import type { Outbound } from '../../../outbound/guard.ts'
import { within } from '../../../outbound/within.ts'
import { slidingWindows } from '../../../timing/rate-limit.ts'
import type { Outcome, Problems, Sender } from '../../channel.ts'
import { failed, rateLimited, responseText } from '../outcomes.ts'
import { mailHeaders, subjectText } from './headers.ts'
import { mailboxOf, mailboxesOf } from './mailbox.ts'
import { withoutPassword, mailFailure } from './failure.ts'
import type { EmailSettings } from './settings.ts'
import { timeouts, transportOptions } from './transport.ts'

export interface EmailSenderEdges {
  clock: Clock
  outbound: Outbound
  /** a certificate authority to trust in addition to the usual ones */
  ca?: string
}

/** Mail over SMTP. The outbound guard checks and opens the connection; nodemailer opens none itself. */
export function createEmailSender({ clock, outbound, ca }: EmailSenderEdges): Sender<EmailSettings> {
  const windowOf = slidingWindows(clock, { windowMs: 60_000, keys: 1_000 })

  async function send(settings: EmailSettings, mail: object, signal: AbortSignal): Promise<Outcome> {
    const { createTransport } = await import('nodemailer') // loaded on demand: most installations never send mail
    const { server, port } = settings
    const connection = await within(
      clock,
      timeouts.connectMs,
      (deadline) => outbound.connect(server, port, deadline),
      signal,
    )
    const transport = createTransport(transportOptions(settings, connection, ca))
    try {
      return outcomeOf(await transport.sendMail({ ...mail, signal }))
    } finally {
      connection.destroy()
    }
  }

  return {
    problems: (settings) => emailProblems(settings, outbound),
    async send(settings, notice, signal) {
      const { tls, startTLS } = settings
      // settings of Pulse 4.x may set both
      const inForce = { ...settings, enabled: true, startTLS: startTLS && !tls }
      const [problem] = Object.values(emailProblems(inForce, outbound))
      if (problem !== undefined) return failed(problem, 'never')
      const waitMs = windowOf(settings.server.toLowerCase()).take(settings.rateLimit)
      if (waitMs > 0) {
        return rateLimited(
          `${settings.rateLimit} mails were sent within a minute, which is the configured limit.`,
          waitMs,
        )
      }
      const from = mailboxOf(settings.from)!
      const to = settings.to.length > 0 ? mailboxesOf(settings.to) : [from]
      const replyTo = settings.replyTo && mailboxOf(settings.replyTo)
      const words = mailText(notice)
      const mail = {
        from,
        to,
        ...(replyTo && { replyTo }),
        envelope: { from: from.address, to: to.map(({ address }) => address) },
        ...words,
        subject: subjectText(words.subject),
        ...mailHeaders(notice, from.address),
      }
      try {
        const outcome = await within(
          clock,
          timeouts.totalMs,
          (deadline) => send(settings, mail, deadline),
          signal,
        )
        const safe = withoutPassword(outcome, settings)
        return safe.delivered ? { ...safe, named: Math.min(mailRows, notice.alerts.length) } : safe
      } catch (error) {
        return withoutPassword(mailFailure(settings, error), settings)
      }
    },
  }
}

const example = 'use an address such as ops@example.org'

/** Problems of the settings, by field. */
function emailProblems(settings: EmailSettings, outbound: Outbound): Problems {
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

/** nodemailer's report about an accepted mail. */
interface Accepted {
  response?: string | undefined
  messageSize?: number | undefined
  rejected?: readonly unknown[] | undefined
}

function outcomeOf({ response = '', messageSize = 0, rejected = [] }: Accepted): Outcome {
  const said = responseText(response)
  const refused = rejected.map((one) => (typeof one === 'string' ? one : 'a recipient'))
  return {
    delivered: true,
    bytes: messageSize,
    response: refused.length > 0 ? `${said} (refused for ${refused.join(', ')})` : said,
  }
}
