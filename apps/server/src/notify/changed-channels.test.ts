import { expect, test } from 'vitest'
import { aWebhook } from './channels/fixtures.ts'
import { firstApprise } from './channels/apprise/settings.ts'
import { firstEmail } from './channels/email/settings.ts'
import { changedWays } from './configured-channels.ts'

test('[R1] once other hosts are allowed, every way out tries anew what was refused', () => {
  const before = {
    email: firstEmail,
    apprise: firstApprise,
    webhooks: [aWebhook('http://127.0.0.1')],
    outbound: { allowedHosts: [] },
  }
  const now = { ...before, outbound: { allowedHosts: ['127.0.0.1'] } }
  expect(changedWays(before, now)).toEqual(['email', 'apprise', 'webhook:w1'])
  expect(changedWays(now, now)).toEqual([])
})
