import {
  type EmailConfig,
  type EmailConfigInput,
  type EmailProvider,
  getEmailConfig,
  putEmailConfig,
} from '@pulse/contract'
import { mayKeepSecret } from '@pulse/domain'
import { abortable, linesOf, type Part, type Problems } from '../part.ts'

/** As typed: recipients are lines of text. */
export interface EmailForm extends Omit<EmailConfig, 'to' | 'password' | 'hasPassword'> {
  to: string
  /** blank keeps the stored password */
  password: string
  clearPassword: boolean
}

export function toForm({ hasPassword: _has, to, ...config }: EmailConfig): EmailForm {
  return { ...config, to: to.join('\n'), clearPassword: false }
}

export function toInput({ to, password, clearPassword, ...form }: EmailForm): EmailConfigInput {
  return {
    ...form,
    server: form.server.trim(),
    username: form.username.trim(),
    from: form.from.trim(),
    replyTo: form.replyTo.trim(),
    to: linesOf(to),
    password: clearPassword ? '' : password,
    ...(clearPassword && { clearPassword }),
  }
}

/** A disabled channel may be incomplete. */
export function emailProblems({ enabled, server, from }: EmailForm): Problems {
  return {
    ...(enabled && !server.trim() && { server: 'SMTP server is required' }),
    ...(enabled && !from.trim() && { from: 'From address is required' }),
  }
}

export const emailPart: Part<EmailConfig, EmailForm> = {
  id: getEmailConfig.path,
  name: 'Email',
  load: (api, signal) => api.call(getEmailConfig, abortable(signal)),
  async save(api, form) {
    await api.call(putEmailConfig, { body: toInput(form) })
    return api.call(getEmailConfig)
  },
  toForm,
  problems: emailProblems,
}

export type Encryption = 'tls' | 'starttls' | 'none'

export const encryptionOf = ({ tls, startTLS }: Pick<EmailConfig, 'tls' | 'startTLS'>): Encryption =>
  tls ? 'tls' : startTLS ? 'starttls' : 'none'

/** Implicit TLS and STARTTLS exclude each other. */
export const withEncryption = (encryption: Encryption): Pick<EmailConfig, 'tls' | 'startTLS'> => ({
  tls: encryption === 'tls',
  startTLS: encryption === 'starttls',
})

/** The mail server and its encryption. */
type MailServer = Pick<EmailConfig, 'server' | 'port' | 'tls' | 'startTLS'>

/** Mirrors the server's rule. */
const destination = ({ server, port, ...rest }: MailServer) => ({
  address: `${server.trim().toLowerCase()}:${port}`,
  proof: encryptionOf(rest) === 'none' ? undefined : 'encrypted',
})

/** The stored password belongs to another server, or was saved for an encrypted connection. */
export const isMoved = (form: EmailForm, stored: EmailConfig): boolean =>
  stored.hasPassword && !mayKeepSecret(destination(stored), destination(form))

/** A custom server name stays as typed. */
export function withProvider(form: EmailForm, provider: EmailProvider | undefined): Partial<EmailForm> {
  if (!provider) return { provider: '' }
  const { name, smtpHost, smtpPort, tls, startTLS, username } = provider
  return {
    provider: name,
    server: smtpHost || form.server,
    port: smtpPort,
    tls: tls && !startTLS,
    startTLS,
    ...(username !== undefined && { username }),
  }
}

/** Warns about commonly confused ports. Stored settings, and the default of 587 with TLS, get no hint. */
export function portHint(form: MailServer, stored: MailServer): string | undefined {
  const encryption = encryptionOf(form)
  const isTouched =
    form.server !== stored.server || form.port !== stored.port || encryption !== encryptionOf(stored)
  if (!isTouched) return undefined
  if (encryption === 'tls' && form.port === 587)
    return 'Port 587 usually wants STARTTLS; TLS is usual on 465.'
  if (encryption === 'starttls' && form.port === 465) {
    return 'Port 465 usually wants TLS; STARTTLS is usual on 587.'
  }
  return undefined
}

/** Props of each group of fields. */
export interface EmailFieldsProps {
  form: EmailForm
  stored: EmailConfig
  problems: Problems
  edit: (change: Partial<EmailForm>) => void
}
