import type { EmailProvider } from '@pulse/contract'

const usual = { smtpPort: 587, tls: false, startTLS: true, authRequired: true }

export const emailProviders: readonly EmailProvider[] = [
  {
    ...usual,
    name: 'Gmail / Google Workspace',
    smtpHost: 'smtp.gmail.com',
    instructions:
      'Sign in with the full address and an app password, which Google makes under Security, 2-Step Verification, App passwords.',
  },
  {
    ...usual,
    name: 'SendGrid',
    smtpHost: 'smtp.sendgrid.net',
    username: 'apikey',
    instructions: 'The user name is the word apikey, the password an API key that may send mail.',
  },
  {
    ...usual,
    name: 'Mailgun',
    smtpHost: 'smtp.mailgun.org',
    instructions: 'Use the SMTP credentials of your domain. In the EU the server is smtp.eu.mailgun.org.',
  },
  {
    ...usual,
    name: 'Amazon SES (US East)',
    smtpHost: 'email-smtp.us-east-1.amazonaws.com',
    instructions:
      'Make SMTP credentials in the SES console; access keys do not work. Other regions have their name in the server. The sender must be verified.',
  },
  {
    ...usual,
    name: 'Microsoft 365 / Outlook',
    smtpHost: 'smtp.office365.com',
    instructions:
      'Authenticated SMTP must be allowed for the mailbox. With two-step verification use an app password. The sender must be the mailbox.',
  },
  {
    ...usual,
    name: 'Brevo (formerly Sendinblue)',
    smtpHost: 'smtp-relay.brevo.com',
    instructions: 'The user name is the address you sign in with, the password an SMTP key.',
  },
  {
    ...usual,
    name: 'Postmark',
    smtpHost: 'smtp.postmarkapp.com',
    instructions: 'The server API token is both user name and password; the user name may stay empty.',
  },
  {
    ...usual,
    name: 'SparkPost',
    smtpHost: 'smtp.sparkpostmail.com',
    username: 'SMTP_Injection',
    instructions:
      'The password is an API key that may send by SMTP. In the EU the server is smtp.eu.sparkpostmail.com.',
  },
  {
    ...usual,
    name: 'Resend',
    smtpHost: 'smtp.resend.com',
    username: 'resend',
    instructions: 'The user name is the word resend, the password an API key.',
  },
  {
    ...usual,
    name: 'SMTP2GO',
    smtpHost: 'mail.smtp2go.com',
    instructions: 'Use an SMTP user of your account and its password.',
  },
  {
    ...usual,
    name: 'Custom SMTP Server',
    smtpHost: '',
    instructions:
      'Common ports are 587 with STARTTLS, 465 with TLS, and 25 for a server of your own network without either.',
  },
]

/** The configured user name, or the fixed one of the provider. */
export function emailUsername(
  settings: { provider: string; server: string; username: string },
  password: string,
): string {
  if (settings.username !== '') return settings.username
  const preset = emailProviders.find(
    ({ name, smtpHost }) =>
      name === settings.provider || (smtpHost !== '' && smtpHost === settings.server.toLowerCase()),
  )
  return preset?.name === 'Postmark' ? password : (preset?.username ?? '')
}
