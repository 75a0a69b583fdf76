import { EmailConfigInput, getEmailConfig, getEmailProviders, putEmailConfig } from '@pulse/contract'
import { emailProviders, mailRows } from '@pulse/domain'
import { AppError } from '../../../app-error.ts'
import { route } from '../../../http/route.ts'
import type { Channel } from '../../channel.ts'
import type { ChannelEdges, ChannelModule } from '../module.ts'
import { checked, parsed } from '../refusals.ts'
import { emailDocument } from './document.ts'
import { createEmailSender } from './send.ts'
import { changedEmail, type EmailSettings } from './settings.ts'

/** One channel: mail over SMTP. */
export function createEmailModule({ clock, outbound, openDocument, sendTest }: ChannelEdges): ChannelModule {
  const document = openDocument(emailDocument)
  const { send, problems } = createEmailSender({ clock, outbound })
  const channelOf = (settings: EmailSettings): Channel => ({
    info: {
      id: 'email',
      kind: 'email',
      name: 'Email',
      enabled: settings.enabled,
      capacity: { firing: mailRows, resolved: mailRows },
    },
    service: 'email',
    address: `${settings.server}:${settings.port}`,
    retryPolicy: { quickRetries: settings.maxRetries, firstPauseMs: settings.retryDelay * 1000 },
    revision: settings,
    send: (notice, signal) => send(settings, notice, signal),
  })
  return {
    channels: () => [channelOf(document.current())],
    routes: [
      route(getEmailConfig, document.shown),
      route(putEmailConfig, async ({ body, note }) => {
        note({ target: 'email' })
        const { enabled, server, port } = await document.change((now) =>
          checked(changedEmail(now, body), problems),
        )
        note({ target: 'email', details: `${enabled ? 'on' : 'off'}, ${server}:${port}` })
        return { status: 'success' as const }
      }),
      route(getEmailProviders, () => [...emailProviders]),
    ],
    async test({ body }) {
      const settings = changedEmail(document.current(), parsed(EmailConfigInput, body.config))
      if (!settings.enabled)
        throw new AppError('bad_request', 'Email is switched off. Switch it on to test it.')
      await sendTest(channelOf(checked(settings, problems)))
      return 'The test email was sent.'
    },
  }
}
