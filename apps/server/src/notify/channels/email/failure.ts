import { oneLine, clipped, withoutSecrets } from '@pulse/domain'
import { OutboundError } from '../../../outbound/outbound-error.ts'
import type { Outcome } from '../../channel.ts'
import type { EmailSettings } from './settings.ts'
import { failed, unreachable } from '../outcomes.ts'
import { encryptionOf } from './transport.ts'

/** An error of nodemailer. */
interface SmtpError extends Error {
  code?: string
  responseCode?: number
  response?: string
  command?: string
}

/** Explains the failure so that an administrator can act. */
export function mailFailure(settings: EmailSettings, error: unknown): Outcome {
  const who = `${settings.server}:${settings.port}`
  if (error instanceof OutboundError) return unreachable(error, adviceFor(settings, error.message))
  if (!(error instanceof Error)) return failed(`${who} sent an invalid response.`, 'later')
  const { code = '', responseCode, response = '', message } = error as SmtpError
  const said = quoted(response)
  const more = {
    ...(responseCode && { status: responseCode }),
    ...(response && { response: clipped(oneLine(response), 2000) }),
  }
  const retry = responseCode !== undefined && responseCode >= 500 ? 'never' : 'later'
  if (code === 'EAUTH') {
    const advice =
      'Check user name and password; many providers require an app password or an API key instead of the account password.'
    return failed(
      `${who} did not accept the sign-in${said}. ${advice}`,
      responseCode && responseCode < 500 ? 'later' : 'never',
      more,
    )
  }
  const isAboutTls = /STARTTLS|certificate|SSL|TLS|wrong version|verify/i.test(message)
  if (code === 'ETLS' || isAboutTls) return failed(tlsText(who, settings, message), 'later', more)
  if (code === 'EENVELOPE') {
    return failed(
      `${who} refused the sender or a recipient${said}. Check both addresses, and that the account may send as the sender.`,
      retry,
      more,
    )
  }
  if (code === 'EMESSAGE') return failed(`${who} refused the mail${said}.`, retry, more)
  if (code === 'ETIMEDOUT' || code === 'EABORT') {
    return failed(
      `${who} did not answer in time. Check server and port${hintOfPort(settings)}.`,
      'later',
      more,
    )
  }
  if (responseCode !== undefined) return failed(`${who} refused the connection${said}.`, retry, more)
  return failed(
    `${who} closed the connection without a response. Check server and port${hintOfPort(settings)}.`,
    'later',
    more,
  )
}

const quoted = (response: string): string => (response === '' ? '' : `: ${clipped(oneLine(response), 300)}`)

function adviceFor(settings: EmailSettings, message: string): string {
  if (/ENOTFOUND|EAI_AGAIN/.test(message)) return 'The host name could not be resolved: check its spelling.'
  return `Check server and port${hintOfPort(settings)}.`
}

function hintOfPort({ port, tls, startTLS }: EmailSettings): string {
  if (encryptionOf({ port, tls, startTLS }) === 'tls' && port !== 465)
    return ': TLS is usual at port 465, STARTTLS at 587'
  return encryptionOf({ port, tls, startTLS }) !== 'tls' && port === 465
    ? ': port 465 usually requires TLS from the start'
    : ''
}

function tlsText(who: string, settings: EmailSettings, message: string): string {
  if (/wrong version|packet length|unknown protocol/i.test(message)) {
    return `${who} does not support TLS from the start on this port. Use STARTTLS (usually port 587), or the TLS port (usually 465). Nothing was sent.`
  }
  if (/certificate|verify|altnames|expired/i.test(message)) {
    const what = clipped(oneLine(message), 200)
    return `The certificate of ${who} is not trusted (${what}). Use the host name in the certificate; for your own certificate authority set its file in NODE_EXTRA_CA_CERTS. Nothing was sent.`
  }
  if (encryptionOf(settings) === 'starttls') {
    return `${who} does not offer STARTTLS, so nothing was sent. Use TLS on its TLS port (usually 465), or switch both off on a network that you trust.`
  }
  return `${who} could not be reached over an encrypted connection. Nothing was sent.`
}

/** Servers may quote what they received. */
export function withoutPassword(outcome: Outcome, { password, username }: EmailSettings): Outcome {
  const secret = password.reveal()
  const forms = [secret, `\0${username}\0${secret}`].map((text) => Buffer.from(text).toString('base64'))
  const safe = (text: string) => withoutSecrets(text, [secret, ...forms])
  const response = outcome.response && { response: safe(outcome.response) }
  return outcome.delivered
    ? { ...outcome, ...response }
    : { ...outcome, ...response, reason: safe(outcome.reason) }
}
