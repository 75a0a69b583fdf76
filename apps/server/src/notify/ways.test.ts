import { expect, test } from 'vitest'
import { aWebhook } from './channels/given.ts'
import { firstApprise } from './settings/apprise.ts'
import { firstEmail } from './settings/email.ts'
import { changedWays } from './ways.ts'

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
