import { AppriseConfigInput, getAppriseConfig, putAppriseConfig } from '@pulse/contract'
import { mostLines } from '@pulse/domain'
import { AppError } from '../../../app-error.ts'
import { route } from '../../../http/route.ts'
import type { Channel } from '../../channel.ts'
import { defaultRetryPolicy } from '../../retry-pause.ts'
import { maskedUrl } from '../masks.ts'
import type { ChannelEdges, ChannelModule } from '../module.ts'
import { checked, parsed } from '../refusals.ts'
import { appriseDocument } from './document.ts'
import { findApprise } from './run.ts'
import { createAppriseSender } from './send.ts'
import { type AppriseSettings, changedApprise, shownApprise } from './settings.ts'

/** One channel: the services that Apprise supports. */
export function createAppriseModule(edges: ChannelEdges): ChannelModule {
  const { clock, outbound, env, openDocument, sendTest } = edges
  const document = openDocument(appriseDocument)
  const program = () => findApprise(env['PULSE_APPRISE_PATH'])
  const { send, problems } = createAppriseSender({ clock, outbound, program })
  const channelOf = (settings: AppriseSettings): Channel => ({
    info: {
      id: 'apprise',
      kind: 'apprise',
      name: 'Apprise',
      enabled: settings.enabled,
      capacity: { firing: mostLines, resolved: mostLines },
    },
    service: 'apprise',
    address: settings.mode === 'http' ? maskedUrl(settings.serverUrl) : 'apprise',
    retryPolicy: defaultRetryPolicy,
    revision: settings,
    send: (notice, signal) => send(settings, notice, signal),
  })
  return {
    channels: () => [channelOf(document.current())],
    routes: [
      route(getAppriseConfig, document.shown),
      route(putAppriseConfig, async ({ body, note }) => {
        note({ target: 'Apprise' })
        const now = await document.change((before) => checked(changedApprise(before, body), problems))
        note({ target: 'Apprise', details: `${now.enabled ? 'on' : 'off'}, ${now.targets.length} targets` })
        return shownApprise(now)
      }),
    ],
    async test({ body }) {
      const settings = changedApprise(document.current(), parsed(AppriseConfigInput, body.config))
      if (!settings.enabled)
        throw new AppError(
          'bad_request',
          'Apprise is switched off or has no targets. Switch it on to test it.',
        )
      await sendTest(channelOf(checked(settings, problems)))
      return 'The test notification was sent by Apprise.'
    },
  }
}
