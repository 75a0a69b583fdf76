import { type EmailConfig, EmailConfigInput, emailDefaults, secretMask } from '@pulse/contract'
import { type Destination, emailUsername, mayKeepSecret, Secret } from '@pulse/domain'
import { invalid, secretsRequired } from '../refusals.ts'

const { password: _none, hasPassword: _no, ...fields } = emailDefaults
/** Settings in force, with the password. */
export type EmailSettings = Omit<EmailConfig, 'password' | 'hasPassword'> & { password: Secret }

export const noEmail: EmailSettings = { ...fields, password: new Secret('') }

export const shownEmail = ({ password, ...rest }: EmailSettings): EmailConfig => ({
  ...rest,
  password: '',
  hasPassword: password.reveal() !== '',
})

/** Encryption is part of the destination: without it, the password would be readable on the network. */
const destinationOf = ({ server, port, tls, startTLS }: EmailSettings): Destination => ({
  address: server === '' ? '' : `${server.toLowerCase()}:${port}`,
  proof: tls || startTLS ? 'an encrypted connection' : undefined,
})

/** An absent field keeps its value. Throws `secret_required` when the stored password would go to another destination. */
export function changedEmail(old: EmailSettings, input: EmailConfigInput): EmailSettings {
  const { password = '', clearPassword = false, hasPassword: _, ...changes } = input
  const present = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const isGiven = password !== '' && password !== secretMask
  const kept = clearPassword ? new Secret('') : old.password
  const next: EmailSettings = { ...old, ...present, password: isGiven ? new Secret(password) : kept }
  if (next.tls && next.startTLS)
    throw invalid('startTLS', 'Choose either TLS from the start or STARTTLS, not both.')
  const [from, to] = [destinationOf(old), destinationOf(next)]
  const isForwarded = !isGiven && kept.reveal() !== '' && !mayKeepSecret(from, to)
  // a relay without sign-in needs no password
  if (isForwarded && emailUsername(next, kept.reveal()) === '') return { ...next, password: new Secret('') }
  if (isForwarded) throw secretsRequired(['password'], from, to)
  return next
}

export const storedEmail = ({ password, ...rest }: EmailSettings) => ({
  ...rest,
  password: password.reveal(),
})

/** Throws on invalid settings. */
export function emailFrom(stored: unknown): EmailSettings {
  const { password = '', clearPassword: _, hasPassword: __, ...rest } = EmailConfigInput.parse(stored)
  const present = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  return { ...noEmail, ...present, password: new Secret(password) }
}
